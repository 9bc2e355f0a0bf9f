import { describe, expect, it } from '@jest/globals';
import { type Ledger, openLedger } from '../../../core/calls/ledger.ts';
import { applyReport } from '../../../core/calls/reconstruct.ts';
import { HOUR_MS, MINUTE_MS } from '../../../core/reference/time.ts';
import { hkMarineDepartment } from '../../../core/sources/hk-marine-department/source.ts';
import { extent } from '../../builders/extent.ts';
import { type HkVisit, type HkWorld, hkFetches, hkVisits } from '../../builders/hk-polls.ts';

const world: HkWorld = {
  seed: 11,
  startAt: Date.UTC(2026, 0, 5),
  days: 2,
  arrivalsPerDay: extent(20, 45),
};
const HALF_INTERVAL_MS = 10 * MINUTE_MS;

const parsed = [...hkFetches(world)].map((fetched) => hkMarineDepartment.parse(fetched));

/** Two days of polls through parse and reconstruction; `isLost` drops fetches. */
function reconstructed(isLost: (index: number) => boolean = () => false): Ledger {
  let ledger = openLedger();
  for (const [index, { reports, refusals }] of parsed.entries()) {
    if (isLost(index)) continue;
    expect(refusals).toEqual([]);
    for (const report of reports) {
      if (report.kind === 'trade') throw new Error('no port report');
      ({ ledger } = applyReport(ledger, report));
    }
  }
  return ledger;
}

const isStay = (location: string): boolean => location !== 'POTOI ISLAND';

describe('two days of a known port, polled every 20 minutes', () => {
  const truth = new Map(hkVisits(world).map((visit) => [visit.callSign, visit]));
  const visitOf = (vesselId: string): HkVisit => {
    const visit = truth.get(vesselId);
    if (visit === undefined) throw new Error(`no visit of ${vesselId}`);
    return visit;
  };
  const ledger = reconstructed();
  const calls = [...ledger.calls.values()];
  const observed = calls.filter((call) => call.ataAt >= world.startAt && call.atdAt !== undefined);

  it('has one call a visit, with the true ATA and ATD', () => {
    expect(new Set(calls.map((call) => call.vesselId)).size).toBe(calls.length);
    for (const call of calls) {
      const visit = visitOf(call.vesselId);
      if (!call.ataInferred) expect(call.ataAt).toBe(visit.ataAt);
      if (call.atdAt !== undefined) expect([call.atdAt, call.atdInferred]).toEqual([visit.atdAt, undefined]);
    }
  });

  it('has every stay, to half the time between polls', () => {
    expect(observed.length).toBeGreaterThan(extent(10, 20));
    for (const call of observed) {
      const stays = call.legs.filter((leg) => leg.zone !== 'moving');
      const trueStays = visitOf(call.vesselId).stages.filter((stage) => isStay(stage.location));
      expect(stays.length).toBe(trueStays.length);
      for (const [index, stay] of stays.entries()) {
        expect(Math.abs(stay.startAt - (trueStays[index]?.fromAt ?? 0))).toBeLessThanOrEqual(
          HALF_INTERVAL_MS,
        );
      }
    }
  });

  it('knows the wait of every vessel that arrived while it was polled', () => {
    expect(observed.filter((call) => !call.waitKnown)).toEqual([]);
  });

  it('writes laid-up vessels once and never again', () => {
    const laidUp = calls.filter((call) => call.vesselId.startsWith('LU'));
    expect(laidUp).toHaveLength(18);
    for (const call of laidUp) expect(call.changedAt).toBe(world.startAt);
  });

  it('covers the whole time', () => {
    expect(ledger.coverage).toHaveLength(1);
  });

  it('keeps the stated times over a six-hour outage, and marks what it could not see', () => {
    const lost = { from: 60, to: 78 };
    const outage = reconstructed((index) => index >= lost.from && index < lost.to);
    expect(outage.coverage).toHaveLength(2);
    const inGap = [...outage.calls.values()].filter((call) => {
      const hours = (call.ataAt - world.startAt) / HOUR_MS;
      return hours > lost.from / 3 && hours < lost.to / 3 - 1;
    });
    expect(inGap.length).toBeGreaterThan(extent(1, 3));
    for (const call of inGap) {
      expect(call.ataAt).toBe(visitOf(call.vesselId).ataAt);
      expect(call.waitKnown).toBe(call.legs[0]?.zone === 'anchorage' && call.legs[0].inferred === undefined);
    }
  });
});
