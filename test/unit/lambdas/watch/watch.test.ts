/** The watch over sources: every source has an age, whatever its passes did or did not do. */
import { expect, it } from '@jest/globals';
import { createSourceStatusStore } from '../../../../core/store/source-status.ts';
import { createWatch } from '../../../../lambdas/watch/watch.ts';
import { memoryTables } from '../../../builders/memory-table.ts';

const MINUTE_MS = 60_000;
const DEPLOYED_AT = Date.UTC(2026, 2, 2, 12);

function start(sources: readonly string[]) {
  const { sourceStatus: table } = memoryTables(['sourceStatus']);
  const clock = { nowAt: DEPLOYED_AT };
  const statuses = createSourceStatusStore(table, () => clock.nowAt);
  const published: [string, number][] = [];
  const doubts: number[] = [];
  const reminders: number[] = [];
  const watch = createWatch({
    sources,
    statuses,
    now: () => clock.nowAt,
    publish(metric, value, source = '') {
      if (metric === 'fetchAge') published.push([source, value]);
      else (metric === 'doubts' ? doubts : reminders).push(value);
    },
  });
  return { table, clock, statuses, published, doubts, reminders, watch };
}

it('a source that has never succeeded gets older from the first watch on', async () => {
  const { clock, watch, published } = start(['never']);
  expect(await watch()).toEqual({ never: 0 });
  clock.nowAt += 90 * MINUTE_MS;
  expect(await watch()).toEqual({ never: 90 });
  expect(published).toEqual([
    ['never', 0],
    ['never', 90],
  ]);
});

it('failing passes do not make it younger, and the first good fetch does', async () => {
  const { clock, watch, statuses } = start(['late']);
  await watch();
  for (const lastFetchAt of [undefined, DEPLOYED_AT + 70 * MINUTE_MS]) {
    clock.nowAt += 60 * MINUTE_MS;
    const lease = await statuses.lease('late', 'pass', MINUTE_MS);
    await lease?.release({ source: 'late', failures: 1, ...(lastFetchAt && { lastFetchAt }) });
    expect(await watch()).toEqual({ late: lastFetchAt === undefined ? 60 : 50 });
  }
});

it('leaves out sources that the stage does not ask', async () => {
  const { watch, table } = start(['asked']);
  await table.put({ source: 'left', failures: 0, lastFetchAt: DEPLOYED_AT });
  expect(Object.keys(await watch())).toEqual(['asked']);
});

it('counts the watched sources whose newest fetch is not accepted', async () => {
  const { watch, statuses, doubts } = start(['doubted', 'believed']);
  const at = { sinceAt: DEPLOYED_AT, fetchedAt: DEPLOYED_AT };
  const doubt = { ...at, outcome: 'held', reason: 'few-rows', detail: 'no rows' } as const;
  for (const source of ['doubted', 'other']) {
    const lease = await statuses.lease(source, 'pass', MINUTE_MS);
    await lease?.release({ source, failures: 0, doubt });
  }
  await watch();
  expect(doubts).toEqual([1]);
});

it('reminds of an outage once with each day that it lasts, whenever it runs', async () => {
  const { clock, watch, reminders, statuses } = start(['hk-marine-department']);
  const lease = await statuses.lease('hk-marine-department', 'pass', MINUTE_MS);
  await lease?.release({ source: 'hk-marine-department', failures: 1, lastFetchAt: DEPLOYED_AT });
  const remindedHours = new Set<number>();
  for (let minutes = 0; minutes < 3.5 * 24 * 60; minutes += minutes % 3 === 0 ? 4 : 6) {
    clock.nowAt = DEPLOYED_AT + minutes * MINUTE_MS;
    await watch();
    if (reminders.at(-1) === 1) remindedHours.add(Math.floor(minutes / 60));
  }
  // Its budget is an hour.
  expect([...remindedHours]).toEqual([25, 49, 73]);
});
