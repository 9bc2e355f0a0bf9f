/** Applies archived fetches to the tables, oldest first; the source's checkpoint moves after each of them. */
import type { Notice, Observation } from '../calls/observation.ts';
import type { FetchedInterval } from '../contracts/published-files.ts';
import { formatInstant, type Instant, latestOf } from '../reference/time.ts';
import { acceptedStatus } from '../store/fetch-images.ts';
import type { Lease, SourceStatus } from '../store/source-status.ts';
import { ACCEPTED, learned, type Verdict } from '../upstream/judgement.ts';
import {
  type Counts,
  type ParsedFetch,
  type Refusal,
  Refusals,
  type Refused,
  RefusedReply,
  type Source,
  sumCounts,
} from '../upstream/source.ts';
import { isCompared, judgeReply, listCounts, ReplyComparison } from './counts.ts';
import type { IngestDependencies } from './dependencies.ts';
import { createFetchReader, createVerdicts, newestEventAt, refuseUntimely } from './fetch-reader.ts';
import { createObservationWriter, type ObservationPlan } from './observation-writer.ts';
import type { PortPlan } from './port-state.ts';
import { createRecovery, imagesKeptMs } from './recovery.ts';
import { outagesAfter } from './service-status.ts';

/** A source to apply under a lease. */
interface FetchScope {
  readonly source: Source;
  readonly lease: Lease;
  /** Whether its past is loaded: the rows say that they were made afterwards, and nothing is kept for a recovery. */
  readonly backfilled?: boolean;
}

/** The result so far. */
export interface AppliedFetches {
  readonly status: SourceStatus;
  /** Fetches that were applied or refused. */
  readonly fetches: number;
  readonly changedRecords: number;
  readonly refusals: Refused;
  readonly notices: readonly Notice[];
  /** Sums over the applied fetches; undefined where none of them counts anything. */
  readonly counts?: Counts | undefined;
}

export interface FetchLimits {
  /** Called before each fetch; true stops there and leaves the rest to another run. */
  readonly outOfTime?: (() => boolean) | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** The result before the first fetch. */
export const nothingApplied = (status: SourceStatus, refusals: readonly Refusal[] = []): AppliedFetches => ({
  status,
  fetches: 0,
  changedRecords: 0,
  refusals: new Refusals(...refusals),
  notices: [],
});

/** A fetch after which nothing but the status of the source differs. */
type NotAccepted = Verdict & { readonly outcome: 'refused' | 'held' };

const QUARANTINED: NotAccepted = {
  outcome: 'refused',
  by: 'judgement',
  reason: 'quarantined',
  detail: 'reading it ended the process twice',
};

/** A fetch with the verdict on it. */
interface JudgedFetch {
  readonly verdict: Verdict;
  readonly noted: RefusedReply['noted'];
  /** It was judged now. */
  readonly isNew?: true;
  /** What it would change; undefined where it was not read to its end. */
  readonly read?: { readonly parsed: ParsedFetch; readonly plan: ObservationPlan };
}

export function createFetchApplier(dependencies: IngestDependencies) {
  const { archive, steps, fetchImages, now } = dependencies;
  const verdicts = createVerdicts(archive);
  const fetchReader = createFetchReader(archive, steps, verdicts);
  const writer = createObservationWriter(dependencies);
  const recovery = createRecovery(dependencies, { verdicts, readFetch: fetchReader.read });

  /** For a source whose state a later recovery may need: what the fetch replaces is kept. */
  function keptFor({ source, backfilled }: FetchScope, fetchedAt: Instant) {
    const { declaration, step, days } = source;
    const untilAt = fetchedAt + imagesKeptMs(declaration);
    const isKept = !backfilled && step === undefined && days === undefined && untilAt > now();
    return isKept ? { source: declaration.id, untilAt } : undefined;
  }

  /** Reads a fetch, and judges it where it has no verdict. `show` gets what would change at each port. Writes nothing. */
  async function read(
    scope: FetchScope,
    status: SourceStatus,
    fetchedAt: Instant,
    archived?: Verdict,
    show?: (plan: PortPlan) => void,
  ): Promise<JudgedFetch> {
    const { source, lease, backfilled = false } = scope;
    const { declaration } = source;
    try {
      const parsed = await fetchReader.read(source, fetchedAt);
      refuseUntimely(parsed, status, fetchedAt, declaration);
      const isNew = archived === undefined;
      const comparison =
        isNew && isCompared(declaration)
          ? new ReplyComparison(parsed.observations, status.lastFetchAt)
          : undefined;
      const plan = await writer.plan(
        parsed.observations,
        { fetchedAt, backfilled, kept: keptFor(scope, fetchedAt) },
        lease.renewIfDue,
        show ?? (isNew ? (port) => comparison?.add(port) : undefined),
      );
      const verdict =
        archived ?? judgeReply(parsed, comparison?.counts() ?? [], status, fetchedAt, plan.values);
      return { verdict, noted: parsed, read: { parsed, plan } };
    } catch (error) {
      if (!(error instanceof RefusedReply)) throw error;
      const { reason, message: detail, noted } = error;
      return { verdict: { outcome: 'refused', by: 'parser', reason, detail }, noted };
    }
  }

  /** The same for a fetch without a verdict, which may be one that ends the process. */
  async function readUnjudged(
    scope: FetchScope,
    status: SourceStatus,
    fetchedAt: Instant,
  ): Promise<JudgedFetch> {
    const { id } = scope.source.declaration;
    if (!(await verdicts.beginReading(id, fetchedAt))) {
      await verdicts.write(id, fetchedAt, QUARANTINED);
      return { verdict: QUARANTINED, noted: {} };
    }
    try {
      const judged = await read(scope, status, fetchedAt);
      // A held fetch may lead to a recovery, which is found again as long as the fetch has no verdict.
      if (judged.verdict.outcome !== 'accepted') await fetchReader.leaveOut(scope.source, fetchedAt);
      if (judged.verdict.outcome !== 'held') await verdicts.write(id, fetchedAt, judged.verdict);
      return { ...judged, isNew: true };
    } catch (error) {
      await verdicts.endReading(id).catch(() => undefined);
      throw error;
    }
  }

  async function judge(scope: FetchScope, status: SourceStatus, fetchedAt: Instant): Promise<JudgedFetch> {
    const archived = await verdicts.of(scope.source.declaration.id, fetchedAt);
    // A parser that has been corrected may read what it refused.
    if (archived === undefined || archived.by === 'parser') return readUnjudged(scope, status, fetchedAt);
    if (archived.outcome === 'accepted') return read(scope, status, fetchedAt, archived);
    return { verdict: archived, noted: {} };
  }

  /**
   * Applies one fetch as its archived verdict says, and judges it where there is none. An unusable or implausible fetch is
   * `notAccepted` as a whole: the checkpoint moves past it and the freshness does not change.
   */
  async function apply(
    scope: FetchScope,
    before: AppliedFetches,
    fetchedAt: Instant,
  ): Promise<AppliedFetches & { readonly notAccepted?: NotAccepted }> {
    const { status } = before;
    const fetches = before.fetches + 1;
    const refused = new Refusals().add(before.refusals);
    const { verdict, noted, isNew, read: fetched } = await judge(scope, status, fetchedAt);
    if (verdict.outcome === 'revoked')
      return { ...before, status: { ...status, checkpointAt: fetchedAt }, fetches };
    if (fetched === undefined || verdict.outcome !== 'accepted') {
      const notAccepted = verdict as NotAccepted;
      const { reason = notAccepted.outcome, detail = '' } = notAccepted;
      const doubted = afterDoubt(status, fetchedAt, notAccepted);
      const isNewlyHeld = isNew && notAccepted.outcome === 'held';
      const found = isNewlyHeld ? await recovery.find(scope.source, doubted, fetchedAt) : undefined;
      const marked = { ...doubted, recovery: found };
      if (found !== undefined) await scope.lease.save(marked);
      if (isNewlyHeld) await verdicts.write(scope.source.declaration.id, fetchedAt, notAccepted);
      if (found !== undefined) return goBack(scope, { ...before, status: marked }, fetchedAt);
      return {
        ...before,
        status: doubted,
        fetches,
        refusals: refused.add(new Refusals({ reason, detail })),
        notices: [...before.notices, ...(noted.notices ?? [])],
        counts: sumCounts([before.counts, noted.counts]),
        notAccepted,
      };
    }
    const { parsed, plan } = fetched;
    const kept = keptFor(scope, fetchedAt);
    if (kept !== undefined) {
      await scope.lease.renewIfDue();
      await fetchImages.begin(kept.source, fetchedAt, acceptedStatus(status), kept.untilAt);
    }
    const { changed, refusals, notices } = await plan.write();
    return {
      status: afterGoodFetch(status, fetchedAt, parsed, scope.source.declaration),
      fetches,
      changedRecords: before.changedRecords + changed,
      refusals: refused.add(parsed.refusals).add(new Refusals(...refusals)),
      notices: [...before.notices, ...(parsed.notices ?? []), ...notices],
      counts: sumCounts([before.counts, parsed.counts, unknownTypes(parsed.observations)]),
    };
  }

  /** Undoes what was written since the first fetch that a recovery revokes, then applies the later ones by their verdicts. */
  async function goBack(
    scope: FetchScope,
    before: AppliedFetches,
    untilAt: Instant,
  ): Promise<AppliedFetches> {
    const { source, lease } = scope;
    const { id } = source.declaration;
    let { status } = before;
    const { recovery: begun } = status;
    if (begun === undefined) return before;
    if (begun.unfinished === true) {
      status = await recovery.restore(source, status, lease.renewIfDue);
      writer.forgetStates();
      await lease.save(status);
    }
    // Images that stay would be taken for those of the fetches that are applied now.
    const { revoked, accepted, by } = begun;
    await fetchImages.remove(id, revoked[0] ?? untilAt);
    const { unfinished: _, ...done } = begun;
    status = { ...status, recovery: done };
    await lease.save(status);
    const times = (fetches: readonly Instant[]): string => fetches.map(formatInstant).join(', ');
    const detail = `revoked ${times(revoked)} by ${by}${accepted.length > 0 ? `, accepted ${times(accepted)}` : ''}`;
    let applied: AppliedFetches = {
      ...before,
      status,
      notices: [...before.notices, { reason: 'revoked', detail }],
    };
    for (const fetchedAt of await archive.fetches(id, status.checkpointAt, untilAt)) {
      const { notAccepted: _, ...result } = await apply(scope, applied, fetchedAt);
      applied = result;
      await lease.save(applied.status);
    }
    return applied;
  }

  return {
    register: writer.register,
    canRestore: recovery.canRestore,
    goBack,

    /** Nothing applied, or what a pass that revoked accepted fetches and died had left to do. */
    async begin(scope: FetchScope): Promise<AppliedFetches> {
      const { status } = scope.lease;
      const begun = nothingApplied(status);
      return status.recovery?.unfinished ? goBack(scope, begun, status.checkpointAt ?? 0) : begun;
    },

    /** What a fetch would change whatever its verdict, one line a port; the verdict where it cannot be read. Writes nothing. */
    async plan(
      scope: FetchScope,
      status: SourceStatus,
      fetchedAt: Instant,
    ): Promise<readonly string[] | Verdict> {
      const lines: string[] = [];
      const show = ({ port, changes: { written, removed } }: PortPlan): void => {
        const gone = removed.length === 0 ? '' : `, ${removed.length} withdrawn`;
        lines.push(`${port}: ${written.length} port calls written${gone}`);
      };
      const { verdict, read: fetched } = await read(scope, status, fetchedAt, ACCEPTED, show);
      return fetched === undefined ? verdict : lines.sort();
    },

    apply,

    /** Applies fetches in the given order and saves the checkpoint after each. Throws `LeaseLost`. */
    async applyAll(
      scope: FetchScope,
      before: AppliedFetches,
      fetches: readonly Instant[],
      { outOfTime, onProgress }: FetchLimits,
    ): Promise<AppliedFetches & { readonly unfinished: boolean }> {
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
function unknownTypes(observations: readonly Observation[]): Counts | undefined {
  const traffic = observations.flatMap((observation) => {
    if (observation.kind === 'trade') return [];
    const vessels = observation.kind === 'poll' ? (observation.inPort ?? []) : observation.records;
    return vessels.map((vessel) => vessel.traffic);
  });
  const count = traffic.filter((type) => type === 'unknown').length;
  return count === 0 ? undefined : { unknownTypes: count };
}

// The status of a source after a fetch: applied, or not accepted.

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
  const eventAt = latestOf(
    [newestEventAt(parsed.observations, fetchedAt), status.newestEventAt].filter((at) => at !== undefined),
  );
  return {
    ...rest,
    failures: 0,
    checkpointAt: fetchedAt,
    lastFetchAt: fetchedAt,
    asOfAt: parsed.asOfAt,
    ...(Number.isFinite(eventAt) && { newestEventAt: eventAt }),
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
