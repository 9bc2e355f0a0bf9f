/** The lease of a source: when it is renewed, and that a process that lost it writes nothing. */
import { expect, it } from '@jest/globals';
import { createSourceStatusStore, LeaseLost } from '../../../core/store/source-status.ts';
import { memoryTables } from '../../builders/memory-table.ts';

function start() {
  const { sourceStatus: table } = memoryTables(['sourceStatus']);
  const clock = { nowAt: 0 };
  const statuses = createSourceStatusStore(table, () => clock.nowAt);
  const untilAt = async () => (await table.get({ source: 'one' }))?.leaseUntilAt;
  return { statuses, clock, table, untilAt };
}

it('a lease is renewed once a third of it has passed, and not before', async () => {
  const { statuses, clock, untilAt } = start();
  const lease = await statuses.lease('one', 'a', 300);
  clock.nowAt = 99;
  await lease?.renewIfDue();
  expect(await untilAt()).toBe(300);
  clock.nowAt = 100;
  await lease?.renewIfDue();
  expect(await untilAt()).toBe(400);
  clock.nowAt = 199;
  await lease?.renewIfDue();
  expect(await untilAt()).toBe(400);
});

it('saving a status renews the lease', async () => {
  const { statuses, clock, untilAt } = start();
  const lease = await statuses.lease('one', 'a', 300);
  clock.nowAt = 90;
  await lease?.save({ source: 'one', failures: 0 });
  expect(await untilAt()).toBe(390);
  clock.nowAt = 189;
  await lease?.renewIfDue();
  expect(await untilAt()).toBe(390);
});

it('a lost lease is noticed by every write, and changes no row', async () => {
  const { statuses, clock, table } = start();
  const lost = await statuses.lease('one', 'a', 300);
  clock.nowAt = 301;
  await statuses.lease('one', 'b', 300);
  const row = await table.get({ source: 'one' });
  await expect(lost?.renewIfDue()).rejects.toThrow(LeaseLost);
  await expect(lost?.save({ source: 'one', failures: 7 })).rejects.toThrow(LeaseLost);
  await expect(lost?.release({ source: 'one', failures: 7 })).rejects.toThrow(LeaseLost);
  expect(await table.get({ source: 'one' })).toEqual(row);
});

it('a field that a status no longer has is removed from the row', async () => {
  const { statuses } = start();
  const lease = await statuses.lease('one', 'a', 300);
  await lease?.save({ source: 'one', failures: 5, pausedUntilAt: 9, checkpointAt: 1 });
  await lease?.release({ source: 'one', failures: 0, checkpointAt: 2 });
  expect(await statuses.all()).toEqual([{ source: 'one', failures: 0, checkpointAt: 2 }]);
});
