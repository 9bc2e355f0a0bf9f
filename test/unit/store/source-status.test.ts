/** When the lease of a source is renewed; `table-contract.test.ts` has how it is lost. */
import { expect, it } from '@jest/globals';
import { createSourceStatusStore } from '../../../core/store/source-status.ts';
import { memoryTables } from '../../builders/memory-table.ts';

function start() {
  const { sourceStatus: table } = memoryTables(['sourceStatus']);
  const clock = { nowAt: 0 };
  const statuses = createSourceStatusStore(table, () => clock.nowAt);
  const untilAt = async () => (await table.get({ source: 'one' }))?.leaseUntilAt;
  return { statuses, clock, untilAt };
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
