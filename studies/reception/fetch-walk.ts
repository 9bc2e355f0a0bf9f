/** Walks over the archived fetches of a source of positions, for reports that are made offline. */

import { type ArchivedFetch, RefusedReply } from '../../core/upstream/source.ts';
import type { FixReader } from './fix-reader.ts';

export interface FetchCounts {
  readonly fetches: number;
  /** Unusable fetches, and repeated or late ones: each time counts once, in order. */
  readonly leftOut: number;
}

/**
 * Reads the usable fetches in the order of the archive; `end` is the Unix second that one stands for, and `last` that of
 * the last one, minus infinity where there is none. `read` may throw `RefusedReply`, and the fetch then does not count.
 */
export async function walkFetches(
  fetches: AsyncIterable<ArchivedFetch>,
  endOf: FixReader['endOf'],
  read: (fetched: ArchivedFetch, end: number) => void,
): Promise<{ readonly counts: FetchCounts; readonly last: number }> {
  let [count, leftOut, last] = [0, 0, Number.NEGATIVE_INFINITY];
  for await (const fetched of fetches) {
    count += 1;
    try {
      const end = endOf(fetched);
      if (end > last) {
        read(fetched, end);
        last = end;
      } else leftOut += 1;
    } catch (error) {
      if (!(error instanceof RefusedReply)) throw error;
      leftOut += 1;
    }
  }
  return { counts: { fetches: count, leftOut }, last };
}
