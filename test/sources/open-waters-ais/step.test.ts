/** Generated polls through the steps, state written and read each time. */
import { describe, expect, it } from '@jest/globals';
import type { CallRecord, CallsObservation } from '../../../core/calls/observation.ts';
import { HOUR_MS, MINUTE_MS } from '../../../core/reference/time.ts';
import type { ArchivedFetch, ParsedFetch } from '../../../core/upstream/source.ts';
import { extent } from '../../builders/extent.ts';
import { openWatersAround } from '../../builders/narrowed-sources.ts';
import { livePolls, type PollOptions } from '../../worlds/traffic/live-polls.ts';
import { roadsteadWorld } from '../../worlds/traffic/roadstead-world.ts';
import type { GeneratedFix } from '../../worlds/traffic/world-types.ts';
import { stepsOver } from './polls.ts';

const START = Date.UTC(2026, 0, 5);
const DAYS = 2;
const PORTS = ['USLAX', 'USLGB', 'USHOU'];
const { source, boxes } = openWatersAround(PORTS);

const world = (vessels: number) =>
  roadsteadWorld({
    seed: 11,
    startAt: START,
    days: DAYS,
    vessels,
    ports: PORTS,
    fixSeconds: extent(120, 60),
    hard: false,
  });
const polls = (vessels: number, options: Partial<PollOptions> = {}): Iterable<ArchivedFetch> =>
  livePolls(world(vessels), { startAt: START, days: DAYS, everyMinutes: 5, boxes, ...options });

const batchesOf = (fetches: Iterable<ParsedFetch>): CallsObservation[] =>
  [...fetches].flatMap(({ observations }) => observations as CallsObservation[]);

/** The last record of every call. */
function lastRecords(
  batches: readonly CallsObservation[],
): { readonly port: string; readonly record: CallRecord }[] {
  const last = new Map<string, { port: string; record: CallRecord }>();
  for (const { port, records } of batches)
    for (const record of records) last.set(`${port} ${record.callId}`, { port, record });
  return [...last.values()].filter(({ record }) => record.cancelled !== true);
}

describe('steps over polls', () => {
  it('leave the wait unknown of a vessel that is first received under way in a port on the first day', () => {
    const fixes = Array.from({ length: 36 }, (_, index): GeneratedFix => {
      const miles = Math.max(0, 6 - index);
      return {
        mmsi: 205_000_001,
        at: START + index * 5 * MINUTE_MS,
        latitude: Number((33.735 - miles / 60).toFixed(5)),
        longitude: -118.265,
        speed: miles === 0 ? 0 : 12,
        heading: 0,
        status: 0,
        vesselType: 70,
      };
    });
    const few = livePolls({ fixes }, { startAt: START, days: 0.15, everyMinutes: 5, boxes });
    const records = lastRecords(batchesOf(stepsOver(few, source)));
    expect(records).toMatchObject([{ port: 'USLAX', record: { waitKnown: false } }]);
    expect(records[0]?.record).not.toHaveProperty('ataInferred');
  });

  it('say nothing new of a poll that repeats the one before it', () => {
    let state: Uint8Array | undefined;
    let checked = 0;
    for (const poll of polls(6, { days: 1.5, everyMinutes: extent(15, 5) })) {
      const step = source.step(poll, state);
      if (poll.fetchedAt % (3 * HOUR_MS) === 0) {
        const later = { ...poll, fetchedAt: poll.fetchedAt + MINUTE_MS };
        const repeated = [...stepsOverOne(later, step.state)].flatMap(({ records }) => records);
        expect(repeated).toEqual([]);
        checked += 1;
      }
      state = step.state;
    }
    expect(checked).toBeGreaterThan(10);
  });
});

function* stepsOverOne(poll: ArchivedFetch, state: Uint8Array): Generator<CallsObservation> {
  const { calls } = source.step(poll, state);
  const text = new TextDecoder().decode(calls.get('calls.json'));
  yield* (JSON.parse(text) as { batches: CallsObservation[] }).batches;
}
