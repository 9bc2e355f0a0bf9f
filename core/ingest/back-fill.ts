/**
 * The back-fill of one source, in three steps that any process may run: `open` fetches the history and returns the
 * partitions, `walk` applies one partition, in parallel with the others, and `close` moves the source to the point
 * that all of its partitions have reached. The back-fill has the source's lease from the first step to the last.
 */

import {
  addDays,
  type Day,
  dayOf,
  formatInstant,
  type Instant,
  MINUTE_MS,
  parseInstant,
  startOfDay,
} from '../reference/time.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import { type Lease, LeaseLost, partitionKey, type SourceStatus } from '../store/source-status.ts';
import { Refusals } from '../upstream/refusals.ts';
import type { PastFetches, Source } from '../upstream/source.ts';
import { createFetchApplier, type FetchLimits, nothingApplied } from './archived-fetches.ts';
import type { IngestDependencies } from './dependencies.ts';
import { issueFromTables } from './forecasts.ts';
import { listPorts, type Partition, partitions, partsOf, WHOLE } from './partitions.ts';
import type { PassOutcome } from './pass.ts';
import { StepConflict } from './position-steps.ts';

// The first step loads past fetches that the upstream still serves into the archive, day by day.

interface HistoryDays {
  readonly fromDay: Day;
  /** Included. */
  readonly toDay: Day;
}

interface HistoryOptions {
  /** Called before each day, and within a day by histories whose days take long; true stops there. */
  readonly outOfTime?: (() => boolean) | undefined;
  readonly onDay?: ((day: Day) => void) | undefined;
}

/** The history cannot be fetched; the message says why and what to do. */
class HistoryRefused extends Error {
  override readonly name = 'HistoryRefused';
}

const pastFetchesIn = (archive: RawArchive, source: string): PastFetches => ({
  has: async (at) => (await archive.fetches(source, at - 1, at)).length > 0,
  read: async (at) =>
    (await archive.fetches(source, at - 1, at)).length > 0 ? archive.read(source, at) : undefined,
  write: ({ fetchedAt, files }) => archive.write(source, fetchedAt, files),
});

/**
 * Writes the fetches of the days to the archive, under the given lease.
 * @returns the day to continue from when time ran out, undefined when all days are done
 * @throws HistoryRefused when the source has no history, or when the tables are ahead of the first day: fetches older
 *   than the checkpoint are never applied
 */
async function fetchHistory(
  { archive, httpFor, now }: Pick<IngestDependencies, 'archive' | 'httpFor' | 'now'>,
  { declaration, history }: Source,
  lease: Lease,
  { fromDay, toDay, outOfTime, onDay }: HistoryDays & HistoryOptions,
): Promise<Day | undefined> {
  const { id } = declaration;
  if (history === undefined) throw new HistoryRefused(`${id} serves no past fetches`);
  const { checkpointAt } = lease.status;
  if (checkpointAt !== undefined && checkpointAt > startOfDay(fromDay))
    throw new HistoryRefused(
      `the tables have applied ${id} up to ${formatInstant(checkpointAt)}, and older fetches are not applied: ` +
        'back-fill into empty tables, or start after that time',
    );
  const http = httpFor({ ...declaration, hosts: history.hosts });
  const past = pastFetchesIn(archive, id);
  let day = fromDay;
  const limits = { now, outOfTime: () => outOfTime?.() ?? false };
  while (day <= toDay && !limits.outOfTime()) {
    const isDone = await history.fetchDay(http, past, day, limits);
    await lease.renewIfDue();
    if (isDone === false) break;
    onDay?.(day);
    day = addDays(day, 1);
  }
  return day > toDay ? undefined : day;
}

export interface BackFillRequest extends HistoryOptions {
  /** Days whose past fetches are fetched from the upstream into the archive first. */
  readonly history?: HistoryDays | undefined;
  /** Fetches before this time are skipped. */
  readonly sinceAt?: Instant | undefined;
  /** Fetches after this time are skipped; by default now, plus an allowance for clocks that differ. */
  readonly untilAt?: Instant | undefined;
}

export interface OpenedBackFill {
  /** The day from which another `open` has to continue the history; absent when it is complete. */
  readonly nextDay?: string;
  /** Partitions to walk in any order; none while the history is not complete. */
  readonly partitions: readonly Partition[];
}

export interface BackFill {
  open(source: Source, request: BackFillRequest): Promise<OpenedBackFill>;
  /** Applies one partition from its checkpoint on. Throws `SourceBusy` when another process works on it. */
  walk(source: Source, partition: Partition, limits?: FetchLimits): Promise<PassOutcome>;
  /** Moves the source to the point of its least advanced partition and releases the lease. */
  close(source: Source): Promise<SourceStatus>;
}

/** Another process works on the source or on one of its partitions. Retry when it is done. */
class SourceBusy extends Error {
  override readonly name = 'SourceBusy';
}

/** The steps of one back-fill run in different processes and share one owner of the source's lease. */
const OWNER = 'back-fill';
/** Longer than a step may take, and than the pause before a retry of one. */
const SOURCE_LEASE_MS = 30 * MINUTE_MS;
const PARTITION_LEASE_MS = 15 * MINUTE_MS;
/** Clocks differ: the last fetch may be ahead of this clock by this much. */
const CLOCK_ALLOWANCE_MS = 10 * MINUTE_MS;

const checkpoint = ({ checkpointAt }: SourceStatus): Instant => checkpointAt ?? Number.NEGATIVE_INFINITY;

const toInstant = (text: string | undefined): Instant | undefined =>
  text === undefined ? undefined : parseInstant(text);

/** Two leases as one: the partition's, with its status, and the source's, which excludes passes. */
const bothLeases = (sourceLease: Lease, partitionLease: Lease, status: SourceStatus): Lease => ({
  status,
  async renewIfDue() {
    await sourceLease.renewIfDue();
    await partitionLease.renewIfDue();
  },
  async save(reached) {
    await sourceLease.renewIfDue();
    await partitionLease.save(reached);
  },
  release: partitionLease.release,
});

export function createBackFill(dependencies: IngestDependencies): BackFill {
  const { statuses, archive, now, owner, replays = false } = dependencies;
  const fetches = createFetchApplier(dependencies);

  async function leaseSource({ declaration: { id } }: Source): Promise<Lease> {
    const lease = await statuses.lease(id, OWNER, SOURCE_LEASE_MS);
    if (lease === undefined)
      throw new SourceBusy(`another pass has the lease of ${id}: try again when it is done`);
    return lease;
  }

  return {
    async open(source, { history, sinceAt, untilAt, outOfTime, onDay }) {
      const { declaration } = source;
      const lease = await leaseSource(source);
      // All partitions end at the same fetch, whatever is archived meanwhile.
      const limitAt = untilAt ?? now() + CLOCK_ALLOWANCE_MS;
      let fetchTimes: readonly Instant[];
      try {
        if (history !== undefined) {
          const nextDay = await fetchHistory(dependencies, source, lease, { ...history, outOfTime, onDay });
          if (nextDay !== undefined) return { nextDay, partitions: [] };
        }
        fetchTimes = await archive.fetches(declaration.id, lease.status.checkpointAt, limitAt);
        await fetches.register(declaration, dayOf(fetchTimes[0] ?? now()), lease.renewIfDue);
      } catch (error) {
        // After any other failure the lease stays: the step is retried, and a live fetch in between would move the
        // checkpoint past the history.
        if (error instanceof HistoryRefused) await lease.release(lease.status);
        throw error;
      }
      const newestAt = fetchTimes.at(-1);
      if (newestAt === undefined) return { partitions: [] };
      const since = sinceAt === undefined ? {} : { since: formatInstant(sinceAt) };
      const span = { ...since, until: formatInstant(newestAt) };
      const judged = new Set(await archive.judged(declaration.id, lease.status.checkpointAt, limitAt));
      const toJudge = fetchTimes.some((at) => at >= (sinceAt ?? at) && !judged.has(at));
      return { partitions: partitions(declaration, span, toJudge) };
    },

    async walk(source, { part, since, until }, limits = {}) {
      const { id } = source.declaration;
      const sourceLease = await leaseSource(source);
      const key = partitionKey(id, part);
      const partitionLease = await statuses.lease(key, owner, PARTITION_LEASE_MS);
      if (partitionLease === undefined) throw new SourceBusy(`another process walks ${key}`);
      // All partitions have reached what the source has reached; the row of an earlier back-fill may be behind that.
      const isAhead = checkpoint(partitionLease.status) > checkpoint(sourceLease.status);
      const status = { ...(isAhead ? partitionLease : sourceLease).status, source: key };
      const lease = bothLeases(sourceLease, partitionLease, status);
      const afterAt = Math.max(checkpoint(status), (toInstant(since) ?? Number.NEGATIVE_INFINITY) - 1);
      const pending = await archive.fetches(
        id,
        Number.isFinite(afterAt) ? afterAt : undefined,
        toInstant(until) ?? now(),
      );
      try {
        const scope = { source, part, lease };
        const applied = await fetches.applyAll(scope, nothingApplied(status), pending, limits);
        if (!applied.unfinished)
          for (const port of listPorts(source.declaration, part))
            await issueFromTables(dependencies, port, { nowAt: now(), replays }, lease.renewIfDue);
        await lease.release(applied.status);
        // Every partition parses whole replies and finds the same faults in them: the first partition reports them.
        if (part === WHOLE || part === partsOf(source.declaration)[0])
          return { ...applied, source: id, state: 'ok' };
        const notices = applied.notices.filter(({ reason }) => reason !== 'unknown-place');
        return { ...applied, source: id, state: 'ok', refusals: new Refusals(), notices };
      } catch (error) {
        if (error instanceof LeaseLost || error instanceof StepConflict)
          throw new SourceBusy(`another process walks ${key}`, { cause: error });
        throw error;
      }
    },

    async close(source) {
      const { id } = source.declaration;
      const lease = await leaseSource(source);
      const keys = partsOf(source.declaration).map((part) => partitionKey(id, part));
      const whole = partitionKey(id, WHOLE);
      const rows = new Map(
        (await statuses.listPartitions([...new Set([...keys, whole])])).map((row) => [row.source, row]),
      );
      const reachedBy = (key: string): SourceStatus => {
        const row = rows.get(key);
        return row !== undefined && checkpoint(row) > checkpoint(lease.status) ? row : lease.status;
      };
      // A status depends only on the fetches up to its checkpoint, so the least advanced one is right for the source.
      const least = keys.map(reachedBy).reduce((a, b) => (checkpoint(b) < checkpoint(a) ? b : a));
      const walkedWhole = reachedBy(whole);
      const last = checkpoint(walkedWhole) > checkpoint(least) ? walkedWhole : least;
      const status = { ...last, source: id };
      await lease.save(status);
      const behind = [...rows.values()].filter((row) => checkpoint(row) <= checkpoint(status));
      await statuses.remove(behind.map((row) => row.source));
      await lease.release(status);
      return status;
    },
  };
}
