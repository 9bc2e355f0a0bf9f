/** The newest figures on a port's row: what they follow, what never replaces them, and what no interruption leaves. */
import { expect, it } from '@jest/globals';
import type { CallRecord, CallsObservation } from '../../core/calls/observation.ts';
import { addDays, DAY_MS, dayOf, HOUR_MS, type Instant } from '../../core/reference/time.ts';
import type { PortRow } from '../../core/store/ports.ts';
import type { Source } from '../../core/upstream/source.ts';
import type { TestIngest } from '../builders/ingest.ts';
import { startMemoryIngest } from '../builders/memory-ingest.ts';
import { batchAt, SCRIPTED_PORT, scriptedSource } from '../builders/scripted-source.ts';

const T0: Instant = Date.UTC(2026, 2, 20, 12);

/** A call that anchored `hoursAgo` before `at` and is still there, or berthed after `waitHours`. */
function call(id: string, at: Instant, hoursAgo: number, waitHours?: number): CallRecord {
  const ataAt = at - hoursAgo * HOUR_MS;
  const berthAt = waitHours === undefined ? undefined : ataAt + waitHours * HOUR_MS;
  const anchorage = { zone: 'anchorage', place: 'A', ataAt } as const;
  return {
    callId: id,
    vesselId: id,
    traffic: 'cargo',
    recordedAt: at,
    stops:
      berthAt === undefined
        ? [anchorage]
        : [
            { ...anchorage, atdAt: berthAt },
            { zone: 'berth', place: 'B', ataAt: berthAt },
          ],
  };
}

const batch = (at: Instant, days: number, records: readonly CallRecord[]): CallsObservation =>
  batchAt(at, records, { coveredFromAt: at - days * DAY_MS });

/** One pass at `nowAt`, for which the upstream returns `reports`. */
async function pass(
  ingest: TestIngest,
  nowAt: Instant,
  observations: readonly CallsObservation[],
  run = ingest.pass,
) {
  const source = scriptedSource();
  const declaration = { ...source.declaration, kind: 'events' } as const;
  source.turns.push({ asOfAt: nowAt, observations });
  ingest.clock.nowAt = nowAt;
  return run({ ...source, declaration } satisfies Source);
}
const rowOf = async (ingest: TestIngest): Promise<PortRow> => {
  const row = await ingest.stores.ports.get(SCRIPTED_PORT);
  if (row === undefined) throw new Error('no row');
  return row;
};
const NOW = batch(T0, 2, [call('one', T0, 10), call('two', T0, 30, 6), call('three', T0, 9, 0)]);

it('are those of the newest observation, with the days that the observations cover', async () => {
  const ingest = startMemoryIngest({ nowAt: T0 });
  await pass(ingest, T0, []);
  expect(await rowOf(ingest)).toMatchObject({ port: SCRIPTED_PORT, method: 'records' });
  expect(await rowOf(ingest)).not.toHaveProperty('snapshot');
  await pass(ingest, T0 + HOUR_MS, [NOW]);
  expect(await rowOf(ingest)).toMatchObject({
    firstDay: '2026-03-18',
    lastDay: '2026-03-20',
    snapshot: { asOfAt: T0, atAnchor: 1, inPort: 3 },
  });
});

it('are not replaced by a back-fill of old months, which moves the first day only', async () => {
  const ingest = startMemoryIngest({ nowAt: T0 });
  await pass(ingest, T0, [NOW]);
  const before = await rowOf(ingest);
  const oldAt = T0 - 90 * DAY_MS;
  await pass(ingest, T0 + HOUR_MS, [batch(oldAt, 20, [call('old', oldAt, 40, 38)])]);
  const recent = expect.any(String);
  expect(await rowOf(ingest)).toEqual({ ...before, firstDay: addDays(dayOf(oldAt), -20), recent });
});

it('follow a restatement of the same instant', async () => {
  const ingest = startMemoryIngest({ nowAt: T0 });
  await pass(ingest, T0, [NOW]);
  expect((await rowOf(ingest)).snapshot).toMatchObject({ asOfAt: T0, atAnchor: 1 });
  const corrected = { ...call('two', T0, 30), recordedAt: T0 + 1000 };
  await pass(ingest, T0 + HOUR_MS, [batch(T0, 2, [corrected])]);
  expect((await rowOf(ingest)).snapshot).toMatchObject({ asOfAt: T0, atAnchor: 2, inPort: 3 });
});
