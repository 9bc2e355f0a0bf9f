/** What a worker does and says: walks partitions, one at a time, with the code of the ingest function. */
import type { Day, Instant } from '../../core/reference/time.ts';

/** One partition to walk. */
export interface WalkOrder {
  readonly source: string;
  /** False: only what the archive holds is applied. */
  readonly ask: boolean;
  readonly fromAt?: Instant;
  readonly untilAt?: Instant;
  /** Days whose past fetches are brought into the archive first. */
  readonly history?: { readonly from: Day; readonly to: Day };
}

export type WalkNews =
  | { readonly news: 'day'; readonly source: string; readonly day: Day }
  | { readonly news: 'fetch'; readonly source: string; readonly done: number; readonly total: number }
  | { readonly news: 'end'; readonly source: string; readonly line: string; readonly outcome: WalkEnd };

/** `stopped`: it was told to, and goes on from there the next time. */
export type WalkEnd = 'done' | 'stopped' | 'failed';
