/** The work of a worker and its messages: a pass, or a step of a back-fill, with the code of the function. */

import type { Partition } from '../../core/ingest/partitions.ts';
import type { Day, Instant } from '../../core/reference/time.ts';

export type Work =
  /** Applies what is archived, then fetches from the upstream once. */
  | { readonly work: 'pass'; readonly source: string }
  | ({ readonly work: 'open'; readonly source: string } & BackFillSpan)
  | { readonly work: 'walk'; readonly partition: Partition }
  | { readonly work: 'close'; readonly source: string }
  /** Applies a fetch that was refused or held. */
  | { readonly work: 'accept'; readonly source: string; readonly fetchedAt: Instant };

/** The span of the history that a run covers. */
export interface BackFillSpan {
  /** Days whose past fetches are loaded into the archive first, both included. */
  readonly history?: { readonly fromDay: Day; readonly toDay: Day };
  /** Fetches before this time are skipped. */
  readonly sinceAt?: Instant;
  /** Fetches after this time are not applied. */
  readonly untilAt?: Instant;
}

/** Progress of a piece of work; `of` names a source, or a partition by its key. */
export type WorkNews =
  | { readonly news: 'plan'; readonly of: string; readonly lines: readonly string[] }
  | { readonly news: 'day'; readonly of: string }
  | { readonly news: 'fetch'; readonly of: string; readonly done: number; readonly total: number }
  | { readonly news: 'over'; readonly of: string };

export interface WorkEnd {
  /** `stopped`: on request; the next run continues from there. */
  readonly outcome: 'done' | 'stopped' | 'failed';
  /** Why it failed, or the outcome of a pass. */
  readonly line?: string;
  /** Partitions of an opened back-fill. */
  readonly partitions?: readonly Partition[];
  readonly fetches?: number;
  readonly changedRecords?: number;
  /** Refused records and replies. */
  readonly leftOut?: number;
}

export type WorkMessage = WorkNews | { readonly news: 'end'; readonly end: WorkEnd };
