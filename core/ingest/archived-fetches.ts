/** Applies archived fetches to the tables, oldest first; the source's checkpoint moves after each of them. */
import type { Notice, SourceReport, Traffic } from '../calls/observation.ts';
import type { FetchedInterval } from '../contracts/status.ts';

import { DAY_MS, formatInstant, type Instant } from '../reference/time.ts';
import { outagesAfter } from '../status/outages.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import type { Lease, SourceStatus } from '../store/source-status.ts';
import { ACCEPTED, type Verdict } from '../upstream/judgement.ts';
import { learned } from '../upstream/list-doubts.ts';
import { type Refusal, Refusals, type Refused } from '../upstream/refusals.ts';
import {
  type Counts,
  type FetchedFiles,
  type ParsedFetch,
  RefusedReply,
  type Source,
  sumCounts,
} from '../upstream/source.ts';
import { compareWaits, type WaitReader } from './compare-waits.ts';
import { createDayFiles } from './day-steps.ts';
import { type Part, partsOf, reportsIn, WHOLE } from './partitions.ts';
import type { PortPlan } from './port-writes.ts';
import { createPollFiles, faultsIn, type PositionSteps, toRefusal } from './position-steps.ts';
import { isCompared, judgeReply, listCounts, ReplyComparison } from './reply-counts.ts';
import type { ReportPlan, ReportWriter } from './report-writer.ts';
import { createVerdicts } from './verdicts.ts';

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

/** A fetch after which nothing but the status of the source differs. */
type NotAccepted = Verdict & { readonly outcome: 'refused' | 'held' };

export interface FetchApplier {
  /** What a fetch would change whatever its verdict, one line a port; the verdict where it cannot be read. Writes nothing. */
  plan(
    scope: FetchScope,
    before: AppliedFetches,
    fetchedAt: Instant,
  ): Promise<{ readonly lines: readonly string[] } | RefusedFetch>;
  /**
   * Applies one fetch as its archived verdict says, and judges it where there is none. An unusable or implausible fetch is
   * `notAccepted` as a whole: the checkpoint moves past it and the freshness does not change.
   */
  apply(
    scope: FetchScope,
    before: AppliedFetches,
    fetchedAt: Instant,
  ): Promise<AppliedFetches & { readonly notAccepted?: NotAccepted }>;
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

const QUARANTINED: Verdict = {
  outcome: 'refused',
  by: 'judgement',
  reason: 'quarantined',
  detail: 'reading it ended the process twice',
};

/** What a fetch would change, with the verdict on it. */
interface JudgedFetch {
  readonly verdict: Verdict;
  readonly parsed: ParsedFetch;
  readonly reports: readonly SourceReport[];
  readonly plan: ReportPlan;
}

/** A fetch that was not read to its end. */
interface RefusedFetch {
  readonly verdict: NotAccepted;
  readonly noted: RefusedReply['noted'];
}

const isAccepted = (verdict: Verdict): verdict is Exclude<Verdict, NotAccepted> =>
  verdict.outcome === 'accepted';

export function createFetchApplier(
  archive: RawArchive,
  steps: PositionSteps,
  writer: ReportWriter,
  waitDays: WaitReader,
): FetchApplier {
  const parsedFetch = createFetchReader(createFetchFiles(archive, steps));
  const verdicts = createVerdicts(archive);

  /** Reads a fetch, and judges it where it has no verdict. `show` gets what would change at each port. Writes nothing. */
  async function read(
    { source, part, lease }: FetchScope,
    { status }: AppliedFetches,
    fetchedAt: Instant,
    archived: Verdict | undefined,
    show?: (plan: PortPlan) => void,
  ): Promise<JudgedFetch | RefusedFetch> {
    const { declaration } = source;
    try {
      const parsed = await parsedFetch(source, fetchedAt, part);
      refuseUntimely(parsed, status, fetchedAt);
      const reports = part === undefined ? parsed.reports : reportsIn(declaration, part, parsed.reports);
      const fetch = { fetchedAt, backfilled: part !== undefined };
      const isJudged = archived === undefined && isCompared(declaration);
      const comparison = isJudged ? new ReplyComparison(reports, status.lastFetchAt) : undefined;
      const compare = show ?? (comparison && ((port: PortPlan) => comparison.add(port)));
      const plan = await writer.plan(reports, fetch, lease.renewIfDue, compare);
      return {
        verdict: archived ?? judgeReply(parsed, comparison?.counts() ?? [], status, fetchedAt, plan.values),
        parsed,
        reports,
        plan,
      };
    } catch (error) {
      if (!(error instanceof RefusedReply)) throw error;
      const { reason, message: detail, noted } = error;
      return { verdict: { outcome: 'refused', by: 'parser', reason, detail }, noted };
    }
  }

  /** The same for a fetch without a verdict, which may be one that ends the process. */
  async function readUnjudged(
    scope: FetchScope,
    before: AppliedFetches,
    fetchedAt: Instant,
  ): Promise<JudgedFetch | RefusedFetch> {
    const { id } = scope.source.declaration;
    // Of a source that is divided, the other parts are not read here: the verdict is not that on the whole fetch.
    if (scope.part !== undefined && scope.part !== WHOLE) return read(scope, before, fetchedAt, undefined);
    if (!(await verdicts.beginReading(id, fetchedAt))) {
      await verdicts.write(id, fetchedAt, QUARANTINED);
      return { verdict: QUARANTINED as NotAccepted, noted: {} };
    }
    try {
      const judged = await read(scope, before, fetchedAt, undefined);
      await verdicts.write(id, fetchedAt, judged.verdict);
      return judged;
    } catch (error) {
      await verdicts.endReading(id).catch(() => undefined);
      throw error;
    }
  }

  async function apply(
    scope: FetchScope,
    before: AppliedFetches,
    fetchedAt: Instant,
  ): ReturnType<FetchApplier['apply']> {
    const { source } = scope;
    const { declaration } = source;
    const { status } = before;
    const fetches = before.fetches + 1;
    const archived = await verdicts.of(declaration.id, fetchedAt);
    // A parser that has been corrected may read what it refused.
    const isUnjudged = archived === undefined || archived.by === 'parser';
    const judged = isUnjudged
      ? await readUnjudged(scope, before, fetchedAt)
      : isAccepted(archived)
        ? await read(scope, before, fetchedAt, archived)
        : { verdict: archived as NotAccepted, noted: {} };
    if (!('plan' in judged) || !isAccepted(judged.verdict)) {
      const verdict = judged.verdict as NotAccepted;
      const { reason = verdict.outcome, detail = '' } = verdict;
      const { notices = [], counts } = 'noted' in judged ? judged.noted : judged.parsed;
      return {
        ...before,
        status: afterDoubt(status, fetchedAt, verdict),
        fetches,
        refusals: new Refusals().add(before.refusals).add(new Refusals({ reason, detail })),
        notices: [...before.notices, ...notices],
        counts: sumCounts([before.counts, counts]),
        notAccepted: verdict,
      };
    }
    const { parsed, reports, plan } = judged;
    const { changed, refusals, notices } = await plan.write();
    const comparisons = await compareWaits(parsed.compared ?? [], waitDays);
    return {
      status: {
        ...afterGoodFetch(status, fetchedAt, parsed, declaration),
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
  }

  return {
    async plan(scope, before, fetchedAt) {
      const lines: string[] = [];
      const show = ({ state, changes: { written, removed } }: PortPlan): void => {
        const gone = removed.length === 0 ? '' : `, ${removed.length} withdrawn`;
        lines.push(`${state.row.port}: ${written.length} port calls written${gone}`);
      };
      const planned = await read(scope, before, fetchedAt, ACCEPTED, show);
      return 'plan' in planned ? { lines: lines.sort() } : planned;
    },
    apply,
    async applyAll(scope, before, fetches, { outOfTime, onProgress }) {
      let applied = before;
      for (const [index, fetchedAt] of fetches.entries()) {
        if (outOfTime?.()) return { ...applied, unfinished: true };
        const { notAccepted: _, ...result } = await apply(scope, applied, fetchedAt);
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
export function refuseUntimely(
  { asOfAt }: Pick<ParsedFetch, 'asOfAt'>,
  status: Pick<SourceStatus, 'asOfAt'>,
  fetchedAt: Instant,
): void {
  if (asOfAt > fetchedAt + FUTURE_ALLOWANCE_MS)
    throw new RefusedReply('future-reply', `the reply states ${formatInstant(asOfAt)}, after its own fetch`);
  if (status.asOfAt !== undefined && asOfAt < status.asOfAt)
    throw new RefusedReply('stale-reply', `the reply of ${formatInstant(asOfAt)} is older than the last one`);
}

function afterGoodFetch(
  status: SourceStatus,
  fetchedAt: Instant,
  parsed: ParsedFetch,
  interval: FetchedInterval,
): SourceStatus {
  const { pausedUntilAt: _, doubt: __, outages: before = [], ...rest } = status;
  // The fetch of a release that the tables began with is another service's.
  const lastAt = status.knownSinceAt === undefined ? undefined : status.lastFetchAt;
  const outages = outagesAfter(before, lastAt, fetchedAt, interval);
  return {
    ...rest,
    failures: 0,
    checkpointAt: fetchedAt,
    lastFetchAt: fetchedAt,
    asOfAt: parsed.asOfAt,
    knownSinceAt: status.knownSinceAt ?? fetchedAt,
    shown: learned(status.shown ?? {}, listCounts(parsed)),
    ...(outages.length > 0 && { outages }),
  };
}

/** Only a reply that cannot be used counts as a failure of the upstream, which is then asked less often. */
function afterDoubt(
  status: SourceStatus,
  fetchedAt: Instant,
  { outcome, reason = outcome, detail = '' }: NotAccepted,
): SourceStatus {
  const sinceAt = status.doubt?.sinceAt ?? fetchedAt;
  return {
    ...status,
    failures: status.failures + (outcome === 'refused' ? 1 : 0),
    checkpointAt: fetchedAt,
    doubt: { sinceAt, fetchedAt, outcome, reason, detail },
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
  return async (source, fetchedAt, wanted) => {
    const files = filesOf(source);
    const part = files.differByPart ? wanted : undefined;
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
