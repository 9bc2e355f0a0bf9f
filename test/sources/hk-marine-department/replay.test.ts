import { describe, expect, it } from '@jest/globals';
import { clocksOf, type Ledger, openLedger } from '../../../core/calls/ledger.ts';
import type { PortReport } from '../../../core/calls/observation.ts';
import { closedStays } from '../../../core/calls/port-call.ts';
import { applyReport } from '../../../core/calls/reconstruct.ts';
import { occupancyAt } from '../../../core/metrics/occupancy.ts';
import { hkMarineDepartment } from '../../../core/sources/hk-marine-department/source.ts';
import type { ArchivedFetch } from '../../../core/sources/source.ts';
import { recordedFetches } from '../../builders/recordings.ts';

function reportOf(fetched: ArchivedFetch): PortReport {
  const { reports, refusals } = hkMarineDepartment.parse(fetched);
  expect(refusals).toEqual([]);
  const [report] = reports;
  if (report === undefined || report.kind === 'trade') throw new Error('no poll');
  return report;
}

describe('three recorded polls of August 2025', () => {
  const reports = recordedFetches('hk-marine-department', '202508').map(reportOf);
  const ledgers: Ledger[] = [];
  for (const report of reports) ledgers.push(applyReport(ledgers.at(-1) ?? openLedger(), report).ledger);
  const countsAt = (index: number) => {
    const [report, ledger] = [reports[index], ledgers[index]];
    return report && ledger ? occupancyAt(ledger.calls.values(), report.observedAt) : undefined;
  };
  const last = ledgers.at(-1) ?? openLedger();
  const callOf = (vesselId: string) => [...last.calls.values()].find((call) => call.vesselId === vesselId);

  it('give the counts that the files themselves say', () => {
    expect(countsAt(0)).toEqual({ arrivals24h: 62, departures24h: 59, inPort: 54, atAnchor: 18 });
    expect(countsAt(2)).toEqual({ arrivals24h: 53, departures24h: 47, inPort: 47, atAnchor: 14 });
  });

  it('give counts from the two reports of the second poll alone', () => {
    expect(countsAt(1)).toMatchObject({ arrivals24h: 61, inPort: 52, atAnchor: 18 });
  });

  it('give no stay to C6UT5, which berthed at an unknown time in a gap of 30 hours', () => {
    const call = callOf('C6UT5');
    expect(call?.legs).toMatchObject([
      { zone: 'anchorage', place: 'SOUTH CHEUNG CHAU ANCHORAGE' },
      { zone: 'berth', place: 'HONG KONG OFFSHORE LNG TERMINAL' },
    ]);
    const stays = call ? closedStays(call) : [];
    expect(call?.legs[0]).toMatchObject({ endUnknown: true });
    expect(call?.waitKnown).toBe(false);
    expect(stays).toEqual([]);
  });

  it('keep a berth listed by its generic name as the one stay it is', () => {
    expect(callOf('9V9130')?.legs[0]).toMatchObject({ place: 'KWAI CHUNG CONTAINER TERMINAL > BERTH 10' });
  });

  it('change nothing when applied again, nor when the clocks were not written', () => {
    for (const [index, report] of reports.entries()) {
      const ledger = ledgers[index] ?? openLedger();
      expect(applyReport(ledger, report).changed).toEqual([]);
      const before = clocksOf(ledgers[index - 1] ?? openLedger());
      expect(applyReport(openLedger(before, ledger.calls.values()), report).changed).toEqual([]);
    }
  });

  it('touch few calls when little happened', () => {
    const [, second] = reports;
    if (second === undefined) throw new Error('no second poll');
    expect(applyReport(ledgers[0] ?? openLedger(), second).changed.length).toBeLessThan(6);
  });
});
