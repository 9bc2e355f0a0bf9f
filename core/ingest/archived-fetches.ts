/** Applies archived fetches to the tables, oldest first; the source's checkpoint moves after each of them. */
import type { Notice, SourceReport, Traffic } from '../calls/observation.ts';
import type { Instant } from '../reference/time.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import type { Lease, SourceStatus } from '../store/source-status.ts';
import { ACCEPTED, type Verdict } from '../upstream/judgement.ts';
import { type Refusal, Refusals, type Refused } from '../upstream/refusals.ts';
import { type Counts, type ParsedFetch, RefusedReply, type Source, sumCounts } from '../upstream/source.ts';
import { compareWaits, type WaitReader } from './compare-waits.ts';
import { createFetchReader, refuseUntimely } from './fetch-reader.ts';
import { afterDoubt, afterGoodFetch, type NotAccepted } from './fetch-status.ts';
import { type Part, reportsIn, WHOLE } from './partitions.ts';
import type { PortPlan } from './port-writes.ts';
import type { PositionSteps } from './position-steps.ts';
import { isCompared, judgeReply, ReplyComparison } from './reply-counts.ts';
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
  const parsedFetch = createFetchReader(archive, steps);
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
      const show = ({ port, changes: { written, removed } }: PortPlan): void => {
        const gone = removed.length === 0 ? '' : `, ${removed.length} withdrawn`;
        lines.push(`${port}: ${written.length} port calls written${gone}`);
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
