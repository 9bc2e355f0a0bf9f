/** Rows of waits: read as they were written, and rows of methodology 1.1 with the figures that they have. */
import { expect, it } from '@jest/globals';
import { createWaitDayStore } from '../../../core/store/wait-days.ts';
import { MemoryTable } from '../../builders/memory-table.ts';

const DAY = '2026-01-05';

it('reads a day as it was written, and one of the former layout', async () => {
  const table = new MemoryTable('waitDays');
  const store = createWaitDayStore(table);
  const all = { berthed: 3, waits: [4, 12], waiting: 1, waitingHours: 5, excluded: 2, recentArrivals: 4 };
  await store.write('TWKHH', [{ day: DAY, coverage: 1, all }], []);
  expect(await store.between('TWKHH', DAY, DAY)).toEqual([{ day: DAY, coverage: 1, all }]);

  await table.put({ port: 'TWTXG', day: DAY, coverage: 1, all: '[3,0.6667,5.33,4,10.4,12,null,null,4,12]' });
  expect(await store.ofGroup('TWTXG', DAY, DAY, 'all')).toEqual([
    {
      day: DAY,
      coverage: 1,
      berthed: 3,
      delayedShare: 0.6667,
      meanHours: 5.33,
      medianHours: 4,
      p90Hours: 10.4,
      maxHours: 12,
      waits: [4, 12],
    },
  ]);
});
