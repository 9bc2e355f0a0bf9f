/** A back-fill in partitions gives the same tables as one walk over the source, whatever interrupts it. */
import { expect, it } from '@jest/globals';
import { extent } from '../builders/extent.ts';
import { partitions } from '../faults/partitions.ts';

it('ends in equal tables side by side and killed at its writes', async () => {
  const { counts } = await partitions(2, 2, extent(6, 60));
  expect(counts.crashes).toBeGreaterThan(extent(5, 10));
});
