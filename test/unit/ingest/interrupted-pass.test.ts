/** A pass that ends at any write, of calls that are merged or of an observation that comes late, is completed to the same rows. */
import { expect, it } from '@jest/globals';
import type { CallRecord, CallsObservation } from '../../../core/calls/observation.ts';
import { DAY_MS } from '../../../core/reference/time.ts';
import type { WriteMeter } from '../../builders/failing-table.ts';
import { rowsOf, startProcess } from '../../builders/long-history.ts';
import { startMemoryIngest } from '../../builders/memory-ingest.ts';
import { batchAt } from '../../builders/scripted-source.ts';

const onDay = (count: number): number => Date.UTC(2026, 0, 5) + count * DAY_MS;

/** A stay at one berth, from one day to another. */
const stay = (callId: string, from: number, to: number): CallRecord => ({
  callId,
  vesselId: 'V',
  traffic: 'cargo',
  recordedAt: onDay(to),
  stops: [{ zone: 'berth', place: 'QUAY', ataAt: onDay(from), atdAt: onDay(to) }],
  keepsEarlier: 'times',
});

const observation = (count: number, records: readonly CallRecord[], reach = 1): CallsObservation =>
  batchAt(onDay(count), records, { coveredFromAt: onDay(count - reach), arrivalsElsewhere: [] });

it.each([
  ['merges two calls', [observation(10, [stay('b', 5, 8)])], observation(11, [stay('a', 4, 7)])],
  [
    'merges a call with one that left the ledger',
    [observation(10, [stay('b', 5, 8)]), observation(60, [])],
    observation(61, [stay('a', 4, 7)]),
  ],
  ['comes after later observations', [observation(60, [])], observation(50, [stay('a', 45, 48)])],
  [
    'comes after later observations that cover it',
    [observation(60, [], 30)],
    observation(50, [stay('a', 45, 48)]),
  ],
  ['is of a time before the ledger', [observation(60, [])], observation(10, [stay('a', 5, 8)])],
])('of an observation that %s', async (_, earlier, last) => {
  const ingest = startMemoryIngest({ nowAt: onDay(0) });
  for (const observation of earlier) await (await startProcess(ingest)).write(observation);
  const restore = ingest.save();
  await (await startProcess(ingest)).write(last);
  const whole = await rowsOf(ingest);
  let failures = 0;
  for (let n = 0; ; n += 1) {
    restore();
    const meter: WriteMeter = { writes: 0, diesAt: 1 + Math.floor(n / 2), after: n % 2 === 1 };
    const process = await startProcess(ingest, meter);
    const failure = await process.write(last).catch((error: Error) => error.message);
    if (typeof failure !== 'string') break;
    failures += 1;
    await (await startProcess(ingest)).write(last);
    expect(await rowsOf(ingest)).toEqual(whole);
  }
  expect(failures).toBeGreaterThan(8);
});
