/** A back-fill gives the same tables as one pass over the archive, whatever interrupts it. */
import { expect, it } from '@jest/globals';
import { extent } from '../builders/extent.ts';
import { backFills } from '../faults/back-fill.ts';

it('ends in equal tables in steps of several processes and killed at its writes', async () => {
  const { counts } = await backFills(2, 2, extent(12, 60));
  expect(counts.orders).toBeGreaterThan(1);
  expect(counts.crashes).toBeGreaterThan(extent(5, 10));
});
