/** One archived fetch into the tables, or its refusal: whatever it holds, the source goes on behind it. */
import { DAY_MS, formatInstant, type Instant } from '../reference/time.ts';
import { type ParsedFetch, type Refusal, RefusedReply, type Source } from '../sources/source.ts';
import type { SourceStatus } from '../store/source-status.ts';
import type { ParsedReplies } from './parsed-replies.ts';
import { type Part, reportsOf } from './partitions.ts';
import type { ReportWriter } from './report-writer.ts';

/** A reply may state a time ahead of its fetch by this much, for clocks differ. */
const FUTURE_ALLOWANCE_MS = DAY_MS;

export interface AppliedFetch {
  readonly status: SourceStatus;
  readonly changed: number;
  readonly refusals: readonly Refusal[];
  /** Why nothing of it was taken. */
  readonly refused?: Refusal;
}

/** Refuses a reply that cannot be true: from the future as its fetch saw it, or older than what is known. */
function checkTime({ asOfAt }: ParsedFetch, status: SourceStatus, fetchedAt: Instant): void {
  if (asOfAt > fetchedAt + FUTURE_ALLOWANCE_MS)
    throw new RefusedReply('future-reply', `the reply states ${formatInstant(asOfAt)}, which is to come`);
  if (status.asOfAt !== undefined && asOfAt < status.asOfAt)
    throw new RefusedReply('stale-reply', `the reply of ${formatInstant(asOfAt)} is older than the last one`);
}

/** Whose fetch it is, and what of it is taken. */
export interface Application {
  readonly source: Source;
  /** Of its reports these alone; all of them when absent. */
  readonly part?: Part;
  readonly fetchedAt: Instant;
  readonly status: SourceStatus;
  /** Comes before each write; throws when it is no longer this pass's to make. */
  readonly keep: () => Promise<void>;
}

/** Applies one archived fetch; a refused one moves the checkpoint, not the freshness. */
export async function applyFetch(
  replies: ParsedReplies,
  writer: ReportWriter,
  { source, part, fetchedAt, status, keep }: Application,
): Promise<AppliedFetch> {
  try {
    const parsed = await replies.of(source, fetchedAt);
    checkTime(parsed, status, fetchedAt);
    const reports = part === undefined ? parsed.reports : reportsOf(part, parsed.reports);
    const { changed, refusals } = await writer.write(reports, keep);
    const { pausedUntilAt: _, ...rest } = status;
    const next = {
      ...rest,
      failures: 0,
      checkpointAt: fetchedAt,
      lastFetchAt: fetchedAt,
      asOfAt: parsed.asOfAt,
    };
    return { status: next, changed, refusals: [...parsed.refusals, ...refusals] };
  } catch (error) {
    if (!(error instanceof RefusedReply)) throw error;
    const failures = status.failures + 1;
    const refused = { reason: error.reason, detail: error.message };
    return {
      status: { ...status, failures, checkpointAt: fetchedAt },
      changed: 0,
      refusals: [refused],
      refused,
    };
  }
}
