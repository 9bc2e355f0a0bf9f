/** Applies archived fetches to the tables, oldest first; the source's checkpoint moves after each of them. */
import type { Notice, SourceReport, Traffic } from '../calls/observation.ts';
import type { FetchedInterval } from '../contracts/status.ts';

import { DAY_MS, formatInstant, type Instant } from '../reference/time.ts';
import { outagesAfter } from '../status/outages.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import type { Lease, SourceStatus } from '../store/source-status.ts';
import type { WaitDayStore } from '../store/wait-days.ts';
import { type Refusal, Refusals, type Refused } from '../upstream/refusals.ts';
import {
  type Counts,
  type FetchedFiles,
  type ParsedFetch,
  RefusedReply,
  type Source,
  sumCounts,
} from '../upstream/source.ts';
import { compareWaits } from './compare-waits.ts';
import { createDayFiles } from './day-steps.ts';
import { type Part, partsOf, reportsIn } from './partitions.ts';
import { createPollFiles, faultsIn, type PositionSteps, toRefusal } from './position-steps.ts';
import type { ReportWriter } from './report-writer.ts';

/** A source, or one partition of it, to apply under a lease. */
interface FetchScope {
  readonly source: Source;
  /** The only part of the reports to apply; all of them when absent. */
  readonly part?: Part;
  readonly lease: Lease;
}

/** The result so far. */
export interface AppliedFetches {
  readonly status: SourceStatus;
  /** Fetches that were applied or refused. */
  readonly fetches: number;
  readonly changedRecords: number;
  readonly refusals: Refused;
  readonly notices: readonly Notice[];
  /** Of the fetches that were applied; undefined where none of them counts anything. */
  readonly counts?: Counts | undefined;
}

export interface FetchLimits {
  /** Called before each fetch; true stops there and leaves the rest to another run. */
  readonly outOfTime?: (() => boolean) | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface FetchApplier {
  /**
   * Applies one fetch. An unusable fetch is `refused` as a whole: the checkpoint moves past it and the freshness
   * does not change.
   */
  apply(
    scope: FetchScope,
    before: AppliedFetches,
    fetchedAt: Instant,
  ): Promise<AppliedFetches & { readonly refused?: Refusal }>;
  /** Applies fetches in the given order and saves the checkpoint after each. Throws `LeaseLost`. */
  applyAll(
    scope: FetchScope,
    before: AppliedFetches,
    fetches: readonly Instant[],
    limits: FetchLimits,
  ): Promise<AppliedFetches & { readonly unfinished: boolean }>;
}

/** A reply may state a time up to this much after its fetch, because clocks differ. */
const FUTURE_ALLOWANCE_MS = DAY_MS;

/** The result before the first fetch. */
export const nothingApplied = (status: SourceStatus, refusals: readonly Refusal[] = []): AppliedFetches => ({
  status,
  fetches: 0,
  changedRecords: 0,
  refusals: new Refusals(...refusals),
  notices: [],
});

export function createFetchApplier(
  archive: RawArchive,
  steps: PositionSteps,
  writer: ReportWriter,
  waitDays: Pick<WaitDayStore, 'ofGroup'>,
): FetchApplier {
  const parsedFetch = createFetchReader(createFetchFiles(archive, steps));

  async function apply(
    { source, part, lease }: FetchScope,
    before: AppliedFetches,
    fetchedAt: Instant,
  ): ReturnType<FetchApplier['apply']> {
    const { status } = before;
    const fetches = before.fetches + 1;
    try {
      const parsed = await parsedFetch(source, fetchedAt, part);
      checkTime(parsed, status, fetchedAt);
      const reports =
        part === undefined ? parsed.reports : reportsIn(source.declaration, part, parsed.reports);
      const { changed, refusals, notices } = await writer.write(
        reports,
        { fetchedAt, backfilled: part !== undefined },
        lease.renewIfDue,
      );
      const comparisons = await compareWaits(parsed.compared ?? [], waitDays);
      return {
        status: {
          ...afterGoodFetch(status, fetchedAt, parsed.asOfAt, source.declaration),
          ...(comparisons.length > 0 && { comparisons }),
        },
        fetches,
        changedRecords: before.changedRecords + changed,
        refusals: new Refusals()
          .add(before.refusals)
          .add(parsed.refusals)
          .add(new Refusals(...refusals)),
        notices: [...before.notices, ...(parsed.notices ?? []), ...notices],
        counts: sumCounts([before.counts, parsed.counts, unknownTypes(reports)]),
      };
    } catch (error) {
      if (!(error instanceof RefusedReply)) throw error;
      const refused = { reason: error.reason, detail: error.message };
      const { notices = [], counts } = error.noted;
      return {
        ...before,
        status: { ...status, failures: status.failures + 1, checkpointAt: fetchedAt },
        fetches,
        refusals: new Refusals().add(before.refusals).add(new Refusals(refused)),
        notices: [...before.notices, ...notices],
        counts: sumCounts([before.counts, counts]),
        refused,
      };
    }
  }

  return {
    apply,
    async applyAll(scope, before, fetches, { outOfTime, onProgress }) {
      let applied = before;
      for (const [index, fetchedAt] of fetches.entries()) {
        if (outOfTime?.()) return { ...applied, unfinished: true };
        const { refused: _, ...result } = await apply(scope, applied, fetchedAt);
        applied = result;
        onProgress?.(index + 1, fetches.length);
        await scope.lease.save(applied.status);
      }
      return { ...applied, unfinished: false };
    },
  };
}

/** `unknownTypes`: vessels in port or call records whose type the source does not state; undefined where there is none. */
function unknownTypes(reports: readonly SourceReport[]): Counts | undefined {
  const vessels = reports.flatMap((report): readonly { readonly traffic?: Traffic }[] => {
    if (report.kind === 'call-batch') return report.records;
    return report.kind === 'poll' ? (report.inPort ?? []) : [];
  });
  const count = vessels.filter(({ traffic }) => traffic === 'unknown').length;
  return count === 0 ? undefined : { unknownTypes: count };
}

/** Refuses a reply from the future as its fetch saw it, and one that is older than the last good reply. */
function checkTime({ asOfAt }: ParsedFetch, status: SourceStatus, fetchedAt: Instant): void {
  if (asOfAt > fetchedAt + FUTURE_ALLOWANCE_MS)
    throw new RefusedReply('future-reply', `the reply states ${formatInstant(asOfAt)}, after its own fetch`);
  if (status.asOfAt !== undefined && asOfAt < status.asOfAt)
    throw new RefusedReply('stale-reply', `the reply of ${formatInstant(asOfAt)} is older than the last one`);
}

function afterGoodFetch(
  status: SourceStatus,
  fetchedAt: Instant,
  asOfAt: Instant,
  interval: FetchedInterval,
): SourceStatus {
  const { pausedUntilAt: _, outages: before = [], ...rest } = status;
  const outages = outagesAfter(before, status.lastFetchAt, fetchedAt, interval);
  return {
    ...rest,
    failures: 0,
    checkpointAt: fetchedAt,
    lastFetchAt: fetchedAt,
    asOfAt,
    knownSinceAt: status.knownSinceAt ?? fetchedAt,
    ...(outages.length > 0 && { outages }),
  };
}

/** The files of a source that `parse` reads. */
interface FetchFiles {
  /** Steps that make the files of a fetch, of one part of the source or of all. */
  stepsOf(part: Part | undefined): number;
  /** Whether the files of one part are not those of another. */
  readonly differByPart: boolean;
  /** Undefined when the fetch is incomplete. */
  read(fetchedAt: Instant, part: Part | undefined): Promise<FetchedFiles | undefined>;
}

/** The archived files as they are, or the calls that steps make of them: chosen once for each kind of source. */
function createFetchFiles(archive: RawArchive, steps: PositionSteps): (source: Source) => FetchFiles {
  const readPollFiles = createPollFiles(archive, steps);
  const readDayFiles = createDayFiles(archive, steps.calls);
  const oneStep = { stepsOf: () => 1, differByPart: false };
  return (source) => {
    if (source.days !== undefined)
      return {
        stepsOf: (part) => (part === undefined ? partsOf(source.declaration).length : 1),
        differByPart: true,
        read: (fetchedAt, part) => readDayFiles(source, fetchedAt, part),
      };
    if (source.step !== undefined)
      return { ...oneStep, read: (fetchedAt) => readPollFiles(source, fetchedAt) };
    return { ...oneStep, read: (fetchedAt) => archive.read(source.declaration.id, fetchedAt) };
  };
}

/** Reads and parses archived fetches. Throws `RefusedReply` when a fetch is unusable. */
type FetchReader = (source: Source, fetchedAt: Instant, part?: Part) => Promise<ParsedFetch>;

/** Caches the last fetch, because the partitions of a back-fill read the same one in turn. */
function createFetchReader(filesOf: (source: Source) => FetchFiles): FetchReader {
  let last:
    | { source: Source; fetchedAt: Instant; part: Part | undefined; parsed: ParsedFetch | RefusedReply }
    | undefined;
  return async (source, fetchedAt, ofPart) => {
    const files = filesOf(source);
    const part = files.differByPart ? ofPart : undefined;
    if (last?.source !== source || last.fetchedAt !== fetchedAt || last.part !== part) {
      const read = await files.read(fetchedAt, part);
      if (read === undefined)
        throw new RefusedReply(
          'cut-off',
          `the fetch of ${formatInstant(fetchedAt)} is incomplete or damaged`,
        );
      last = { source, fetchedAt, part, parsed: parseOrRefuse(source, fetchedAt, read, files.stepsOf(part)) };
    }
    const { parsed } = last;
    if (parsed instanceof RefusedReply) throw parsed;
    return parsed;
  };
}

/**
 * Any other error of a parser affects this fetch only, so a fault in a parser never blocks the source. A step that threw
 * refuses the fetch, or costs its region where others of the `steps` were read.
 */
function parseOrRefuse(
  source: Source,
  fetchedAt: Instant,
  files: FetchedFiles,
  steps: number,
): ParsedFetch | RefusedReply {
  const faults = faultsIn(files);
  const [fault] = faults;
  if (fault !== undefined && faults.length >= steps) return new RefusedReply(fault.reason, fault.detail);
  try {
    const parsed = source.parse({ fetchedAt, files });
    return faults.length === 0
      ? parsed
      : { ...parsed, refusals: new Refusals().add(parsed.refusals).add(new Refusals(...faults)) };
  } catch (error) {
    return toRefusal(error);
  }
}
