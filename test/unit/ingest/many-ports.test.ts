/** A process that works on more ports than it keeps plans and states of. */
import { expect, it } from '@jest/globals';
import type { PollObservation } from '../../../core/calls/observation.ts';
import { NO_CLOCKS, openLedger } from '../../../core/calls/port-call.ts';
import { type PortState, PortStates } from '../../../core/ingest/port-state.ts';
import { PORTS } from '../../../core/reference/ports.ts';
import { HOUR_MS } from '../../../core/reference/time.ts';
import { startMemoryIngest } from '../../builders/memory-ingest.ts';
import { scriptedSource } from '../../builders/scripted-source.ts';
import { dumpOf } from '../../builders/table-dump.ts';

const T0 = Date.UTC(2026, 0, 6, 12);
const CODES = PORTS.slice(0, 230).map(({ locode }) => locode);

const pollOf = (port: string, at: number): PollObservation => ({
  kind: 'poll',
  port,
  observedAt: at,
  inPort: [
    { vesselId: `imo:${port}-1`, ataAt: T0 - HOUR_MS, zone: 'berth', place: 'QUAY 1' },
    ...(at === T0
      ? []
      : [{ vesselId: `imo:${port}-2`, ataAt: T0 + HOUR_MS, zone: 'anchorage', place: 'ROADS' } as const]),
  ],
});

it('leaves the same tables whatever it remembers of the passes before', async () => {
  const tablesAfter = async (forgets: boolean) => {
    const ingest = startMemoryIngest({ nowAt: T0 });
    const source = scriptedSource('lists', CODES);
    for (const at of [T0, T0 + 2 * HOUR_MS, T0 + 4 * HOUR_MS]) {
      ingest.clock.nowAt = at;
      source.turns.push({ asOfAt: at, observations: CODES.map((port) => pollOf(port, at)) });
      const { state, refusals } = await (forgets ? ingest.restarted() : ingest.pass)(source);
      expect([state, refusals.count]).toEqual(['ok', 0]);
    }
    return dumpOf(ingest.tables);
  };
  expect(await tablesAfter(false)).toEqual(await tablesAfter(true));
});

const stateOf = (port: string): PortState => ({
  clocks: { ...NO_CLOCKS, cancelled: { [port]: T0 } },
  ledger: openLedger(),
  series: new Map(),
  waits: new Map(),
  alerts: [],
  raised: [],
  unfinished: [],
});

it('gives a state back as it was, and forgets those for which there is no room', () => {
  const states = new PortStates(500);
  const codes = CODES.slice(0, 10);
  for (const port of codes) states.set(port, stateOf(port));
  const kept = codes.filter((port) => states.get(port) !== undefined);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.length).toBeLessThan(10);
  for (const port of kept) expect(states.get(port)).toEqual(stateOf(port));
  for (const port of kept) states.set(port, stateOf(port));
  expect(codes.filter((port) => states.get(port) !== undefined)).toEqual(kept);
  states.clear();
  expect(states.get(kept[0] ?? '')).toBeUndefined();
});
