/** One archived fetch into the tables, or its refusal: whatever it holds, the source goes on behind it. */
import { type Clock, DAY_MS, formatInstant, type Instant } from '../../core/reference/time.ts';
import {
  type ArchivedFetch,
  type ParsedFetch,
  type Refusal,
  RefusedReply,
  type Source,
} from '../../core/sources/source.ts';
import type { RawArchive } from '../../core/store/raw-archive.ts';
import type { SourceStatus } from '../../core/store/source-status.ts';
import type { ReportWriter } from './report-writer.ts';

/** A reply may state a time ahead of the clock by this much, for clocks differ. */
const FUTURE_ALLOWANCE_MS = DAY_MS;

export interface AppliedFetch {
  readonly status: SourceStatus;
  readonly changed: number;
  readonly refusals: readonly Refusal[];
  /** Why nothing of it was taken. */
  readonly refused?: Refusal;
}

/** A parser that fails other than by refusing must not hold its source up for ever: the fetch stays archived. */
function parseSafely(source: Source, fetched: ArchivedFetch): ParsedFetch {
  try {
    return source.parse(fetched);
  } catch (error) {
    if (error instanceof RefusedReply) throw error;
    throw new RefusedReply('parser-fault', error instanceof Error ? error.message : 'the parser failed');
  }
}

/** Refuses a reply that cannot be true: from the future, or older than what is known. */
function checkTime({ asOfAt }: ParsedFetch, status: SourceStatus, nowAt: Instant): void {
  if (asOfAt > nowAt + FUTURE_ALLOWANCE_MS)
    throw new RefusedReply('future-reply', `the reply states ${formatInstant(asOfAt)}, which is to come`);
  if (status.asOfAt !== undefined && asOfAt < status.asOfAt)
    throw new RefusedReply('stale-reply', `the reply of ${formatInstant(asOfAt)} is older than the last one`);
}

/** Applies one archived fetch; a refused one moves the checkpoint, not the freshness. */
export async function applyFetch(
  { archive, now }: { readonly archive: RawArchive; readonly now: Clock },
  writer: ReportWriter,
  source: Source,
  { fetchedAt, status }: { readonly fetchedAt: Instant; readonly status: SourceStatus },
): Promise<AppliedFetch> {
  try {
    const files = await archive.read(status.source, fetchedAt);
    if (files === undefined)
      throw new RefusedReply(
        'cut-off',
        `the writing of the fetch of ${formatInstant(fetchedAt)} was cut off`,
      );
    const parsed = parseSafely(source, { fetchedAt, files });
    checkTime(parsed, status, now());
    const { changed, refusals } = await writer.write(parsed.reports);
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
