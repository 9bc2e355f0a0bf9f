/** A vessel that stays for weeks: its records are the same from hourly polls, daily steps and one batch. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CallRecord } from '../../../core/calls/observation.ts';
import { type Stay as ClosedStay, closedStays } from '../../../core/calls/port-call.ts';
import { toPortCall } from '../../../core/calls/records.ts';
import { Engine, readState, writeState } from '../../../core/positions/engine.ts';
import { type Fix, POLL_PARAMETERS } from '../../../core/positions/fix.ts';
import {
  changedRecords,
  type PublishedRecords,
  settleVessels,
  toRecords,
} from '../../../core/positions/vessel-calls.ts';
import { extent } from '../../builders/extent.ts';
import { stayParts } from '../../worlds/traffic/engine-run.ts';
import { fixAt, LOS_ANGELES, START } from './world.ts';

const PARTS = stayParts([LOS_ANGELES], POLL_PARAMETERS);
const FIX_MINUTES = 30;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
const [QUAY, JETTY, ROADS] = [
  [3_373_500, -11_826_500],
  [3_373_500, -11_823_300],
  [3_366_000, -11_820_000],
] as const;

/** Where the vessel lies, and for how many hours. */
interface Stay {
  readonly at: readonly [latitude: number, longitude: number];
  readonly hours: number;
}

/** Arrives from the sea, lies at one place after another, half an hour under way between, and leaves. */
function* fixesOf(stays: readonly Stay[]): Generator<Fix> {
  let minute = 0;
  const underWay = (latitude: number, longitude: number): Fix =>
    fixAt(minute, { latitude, longitude, speed: 80, heading: 90 });
  for (; minute < 3 * HOUR_MINUTES; minute += FIX_MINUTES)
    yield underWay(3_340_000 + minute * 60, -11_820_000);
  for (const { at, hours } of stays) {
    for (const until = minute + hours * HOUR_MINUTES; minute < until; minute += FIX_MINUTES) {
      const swing = at === ROADS ? Math.sin(minute / 90) : 0;
      const latitude = Math.round(at[0] + 220 * swing);
      yield fixAt(minute, { latitude, longitude: at[1], speed: 1, heading: Math.floor(90 + 80 * swing) });
    }
    for (const until = minute + FIX_MINUTES; minute < until; minute += 10)
      yield underWay(3_370_000, -11_824_500);
  }
  for (const until = minute + DAY_MINUTES; minute < until; minute += FIX_MINUTES)
    yield underWay(3_360_000 - (minute - until + DAY_MINUTES) * 100, -11_820_000);
}

/** Returns the last record of each call, from steps of `stepMinutes` with the state written between two of them. */
function recordsAfter(fixes: readonly Fix[], stepMinutes: number): CallRecord[] {
  let [vessels, published]: [ReturnType<typeof readState>, PublishedRecords] = [new Map(), new Map()];
  const stored = new Map<string, CallRecord>();
  const last = fixes.at(-1)?.time ?? 0;
  let at = 0;
  for (let time = START / 1000; time < last; ) {
    time = Math.min(time + stepMinutes * 60, last);
    const engine = new Engine({ parameters: POLL_PARAMETERS, vessels });
    for (; at < fixes.length && (fixes[at]?.time ?? 0) <= time; at += 1) engine.push(fixes[at] as Fix);
    const records = [...vessels.values()].flatMap((vessel) => toRecords(vessel, time, PARTS));
    const step = changedRecords(published, records, time, POLL_PARAMETERS);
    published = step.published;
    for (const { record } of step.changed)
      if (record.cancelled) stored.delete(record.callId);
      else stored.set(record.callId, record);
    settleVessels(vessels.values(), time, PARTS);
    engine.forget(time);
    vessels = readState(writeState(vessels));
  }
  return [...stored.values()].sort((a, b) => (a.callId < b.callId ? -1 : 1));
}

/** Records without the time of the step that made them. */
const contents = (records: readonly CallRecord[]) => records.map(({ recordedAt: _, ...content }) => content);

const closed = (records: readonly CallRecord[], at: number): ClosedStay[] =>
  records.flatMap((record) => {
    const call = toPortCall(record, { port: 'USLAX', observedAt: at });
    return call === undefined ? [] : closedStays(call);
  });

const stay: fc.Arbitrary<Stay> = fc.record({
  at: fc.constantFrom(QUAY, JETTY, ROADS),
  hours: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 59 * 24 })),
});

describe('a vessel that stays for weeks', () => {
  it('has the same records from hourly polls, daily steps and one batch', () => {
    let found = 0;
    fc.assert(
      fc.property(fc.array(stay, { minLength: 1, maxLength: 3 }), (stays) => {
        const fixes = [...fixesOf(stays)];
        const batch = recordsAfter(fixes, Number.MAX_SAFE_INTEGER / 60);
        const at = (fixes.at(-1)?.time ?? 0) * 1000;
        found += closed(batch, at).length;
        for (const stepMinutes of [HOUR_MINUTES, DAY_MINUTES]) {
          const stepped = recordsAfter(fixes, stepMinutes);
          expect(contents(stepped)).toEqual(contents(batch));
          expect(closed(stepped, at)).toEqual(closed(batch, at));
        }
      }),
      {
        numRuns: extent(2, 60),
        examples: [
          // The track of its arrival is idle for two weeks.
          [
            [
              { at: QUAY, hours: 1 },
              { at: ROADS, hours: 337 },
            ],
          ],
          [[{ at: QUAY, hours: 59 * 24 }]],
          [
            [
              { at: ROADS, hours: 20 * 24 },
              { at: QUAY, hours: 38 * 24 },
            ],
          ],
        ],
      },
    );
    expect(found).toBeGreaterThan(extent(0, 2));
  });
});
