/** A seeded slice of the stalls of `npm run study -- faults`: a pass that has lost its lease writes nothing more. */
import { expect, it } from '@jest/globals';
import { extent } from '../builders/extent.ts';
import { stalls } from '../faults/stalls.ts';

it('a pass that wakes up after another took its place leaves the tables as that one made them', async () => {
  const { counts } = await stalls(1, 3, extent(29, 3));
  expect(counts.stalls).toBeGreaterThan(extent(3, 30));
  expect(counts.takenOver).toBeGreaterThan(extent(3, 30));
});
