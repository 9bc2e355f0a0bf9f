/** The calls that the service reconstructs from the sample are the simulated ones, and their figures are believable. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Ledger, openLedger, type PortCall } from '../../../core/calls/port-call.ts';
import { applyObservation } from '../../../core/calls/reconstruct.ts';
import { DAY_MS, HOUR_MS } from '../../../core/reference/time.ts';
import { SAMPLE_DECLARATION } from '../../../core/sources/sample-simulator/declaration.ts';
import { type SimulatedCall, simulateCalls } from '../../../core/sources/sample-simulator/source.ts';
import { BEGAN_AT, FIRST_NOW, parsedAt, SEED } from './sample.ts';

const { ports: PORTS } = SAMPLE_DECLARATION;
const truth = (port: string, toAt = FIRST_NOW): SimulatedCall[] =>
  simulateCalls(port, { beganAt: BEGAN_AT, toAt, seed: SEED });
const waitHours = ({ stops }: SimulatedCall): number =>
  stops[0]?.zone === 'anchorage' ? (stops[0].atdAt - stops[0].ataAt) / HOUR_MS : 0;
const meanWait = (calls: readonly SimulatedCall[]): number =>
  calls.reduce((sum, call) => sum + waitHours(call), 0) / calls.length;

describe('calls reconstructed from the sample’s records', () => {
  const seen = new Map<string, PortCall>();

  beforeAll(async () => {
    const ledgers = new Map<string, Ledger>();
    for (const report of (await parsedAt(FIRST_NOW)).observations) {
      if (report.kind !== 'call-batch') continue;
      const { ledger, changed } = applyObservation(ledgers.get(report.port) ?? openLedger(), report);
      ledgers.set(report.port, ledger);
      for (const call of changed) seen.set(call.callId, call);
    }
  });

  it.each(PORTS)('are the true ones in %s: every leg of every call that has ended', (port) => {
    const over = truth(port).filter((call) => call.atdAt <= FIRST_NOW);
    const reported = over.flatMap(({ callId }) => seen.get(callId) ?? []);
    expect(
      reported.map(({ callId, ataAt, atdAt, waitKnown, legs }) => ({
        callId,
        ataAt,
        atdAt,
        waitKnown,
        legs: legs.map(({ zone, place, startAt, endAt }) => ({ zone, place, ataAt: startAt, atdAt: endAt })),
      })),
    ).toEqual(
      over.map(({ callId, ataAt, atdAt, stops }) => ({ callId, ataAt, atdAt, waitKnown: true, legs: stops })),
    );
    expect(over.length).toBeGreaterThan(200);
  });
});

describe('the simulated calls', () => {
  it.each(PORTS)('of %s stay as they are when time goes on', (port) => {
    const before = truth(port);
    expect(truth(port, FIRST_NOW + 3 * DAY_MS).filter(({ ataAt }) => ataAt < FIRST_NOW)).toEqual(before);
  });

  it('queue at Los Angeles from the 18th day to the 38th, and hardly before', () => {
    const arrivedOn = (fromDay: number, toDay: number) =>
      truth('USLAX').filter(
        ({ ataAt }) => ataAt >= BEGAN_AT + fromDay * DAY_MS && ataAt < BEGAN_AT + toDay * DAY_MS,
      );
    expect(meanWait(arrivedOn(0, 15))).toBeLessThan(1);
    expect(meanWait(arrivedOn(22, 34))).toBeGreaterThan(24);
    expect(meanWait(arrivedOn(40, 45))).toBeLessThan(1);
  });

  it('never share a berth, but for ferries', () => {
    for (const port of PORTS) {
      const berthed = truth(port).filter(({ traffic }) => traffic === 'cargo');
      const byBerth = new Map<string, SimulatedCall[]>();
      for (const call of berthed) {
        const berth = call.stops.at(-1)?.place ?? '';
        byBerth.set(berth, [...(byBerth.get(berth) ?? []), call]);
      }
      for (const calls of byBerth.values())
        for (const [i, call] of calls.entries())
          expect(call.stops.at(-1)?.ataAt).toBeGreaterThanOrEqual(calls[i - 1]?.atdAt ?? 0);
    }
  });

  it('wait a little at Singapore', () => {
    const wait = meanWait(truth('SGSIN'));
    expect(wait).toBeGreaterThan(0.2);
    expect(wait).toBeLessThan(8);
  });
});
