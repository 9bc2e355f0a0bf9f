/** The walk through the archive that passes and back-fills share: fetch after fetch, a checkpoint behind each. */
import type { Instant } from '../reference/time.ts';
import type { Refusal, Source } from '../sources/source.ts';
import type { Lease, SourceStatus } from '../store/source-status.ts';
import { applyFetch } from './fetch-application.ts';
import type { ParsedReplies } from './parsed-replies.ts';
import type { Part } from './partitions.ts';
import type { ReportWriter } from './report-writer.ts';

/** What a walk has come to so far. */
export interface Walked {
  readonly status: SourceStatus;
  /** Fetches that were dealt with. */
  readonly fetches: number;
  readonly changedRecords: number;
  readonly refusals: readonly Refusal[];
}

export interface WalkLimits {
  /** When it is time to stop between two fetches and to leave the rest to another walk. */
  readonly outOfTime?: () => boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface ArchiveWalk {
  /** Applies one archived fetch; why it was refused whole, if it was. */
  take(fetchedAt: Instant): Promise<Refusal | undefined>;
  /** Applies fetches in the order given; `lost`: another has the lease now, and nothing more may be written. */
  through(fetches: readonly Instant[], limits: WalkLimits): Promise<'whole' | 'out-of-time' | 'lost'>;
  /** What it has come to; the status is the caller's to change between two fetches. */
  walked: Walked;
}

export interface WalkOf {
  readonly source: Source;
  /** This part of it alone; all of it when absent. */
  readonly part?: Part;
  readonly lease: Lease;
  /** What was left out before it began. */
  readonly refusals?: readonly Refusal[];
}

/** Begins a walk where the lease's status stands. */
export function beginWalk(
  { replies, writer }: { readonly replies: ParsedReplies; readonly writer: ReportWriter },
  { source, part, lease, refusals: before = [] }: WalkOf,
): ArchiveWalk {
  const refusals = [...before];
  const walk: ArchiveWalk = {
    walked: { status: lease.status, fetches: 0, changedRecords: 0, refusals },

    async take(fetchedAt) {
      const { walked } = walk;
      const applied = await applyFetch(replies, writer, {
        source,
        ...(part === undefined ? {} : { part }),
        fetchedAt,
        status: walked.status,
        keep: lease.keep,
      });
      walk.walked = {
        status: applied.status,
        fetches: walked.fetches + 1,
        changedRecords: walked.changedRecords + applied.changed,
        refusals,
      };
      refusals.push(...applied.refusals);
      return applied.refused;
    },

    async through(fetches, { outOfTime, onProgress }) {
      for (const [behind, fetchedAt] of fetches.entries()) {
        if (outOfTime?.()) return 'out-of-time';
        await walk.take(fetchedAt);
        onProgress?.(behind + 1, fetches.length);
        if (!(await lease.save(walk.walked.status))) return 'lost';
      }
      return 'whole';
    },
  };
  return walk;
}
