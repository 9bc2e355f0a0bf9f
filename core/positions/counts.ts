/** What became of the positions of a fetch, in numbers for operators. */

import type { Counts } from '../upstream/source.ts';
import type { AisEngine } from './engine.ts';

/** Added up, name by name; undefined when there is nothing to add. */
export function sumOfCounts(all: readonly (Counts | undefined)[]): Counts | undefined {
  const entries = all.flatMap((counts) => Object.entries(counts ?? {}));
  if (entries.length === 0) return undefined;
  const sum: Record<string, number> = {};
  for (const [name, count] of entries) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

/**
 * `taken`: fixes that were read into a track. `otherVessels`: those of vessels that never count. `repeated` and `late`
 * were dropped; `mmsi`, `position` and `time` could not be true. `unknownTypes`: vessels that are stopped at the end of
 * the step and do not count, because their type has not been received.
 */
export function stepCounts({ counts, vessels }: AisEngine): Counts {
  const { taken, other: otherVessels, repeated, late, mmsi, position, time } = counts;
  const unknownTypes = [...vessels.values()].filter(
    (vessel) => vessel.class === 'unknown' && vessel.tracks.some(({ open }) => open?.confirmed === true),
  ).length;
  return { taken, otherVessels, repeated, late, mmsi, position, time, unknownTypes };
}
