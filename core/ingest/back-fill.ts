/**
 * The back-fill of one source, in two steps that any process may run, and repeat until they are done: `load` fetches the past into the
 * archive, and `apply` applies the archive in order of time. The back-fill has the source's lease from the first step to the last, so
 * that no live fetch moves the checkpoint past the history.
 */

import {
  addDays,
  type Day,
  dayOf,
  formatInstant,
  type Instant,
  MINUTE_MS,
  startOfDay,
} from '../reference/time.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import { type Lease, LeaseLost, type SourceStatus } from '../store/source-status.ts';
import type { PastFetches, Source } from '../upstream/source.ts';
import type { IngestDependencies } from './dependencies.ts';
import { createFetchApplier, type FetchLimits } from './fetches.ts';
import { CLOCK_ALLOWANCE_MS, LEASE_MS, type PassOutcome } from './pass.ts';
import { issueFromTables } from './port-writes.ts';
import { StepConflict } from './positions.ts';

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

interface LoadRequest extends HistoryOptions {
  /** Days whose past fetches are fetched from the upstream into the archive first. */
  readonly history?: HistoryDays | undefined;
}

interface ApplyRequest extends FetchLimits {
  /** Fetches before this time are skipped. */
  readonly sinceAt?: Instant | undefined;
  /** Fetches after this time are skipped; by default now, plus an allowance for clocks that differ. */
  readonly untilAt?: Instant | undefined;
}

export interface BackFill {
  /**
   * @returns the day from which another `load` has to continue; undefined when the past is in the archive
   * @throws SourceBusy, HistoryRefused
   */
  load(source: Source, request: LoadRequest): Promise<Day | undefined>;
  /**
   * Applies the archive from the checkpoint on. Has to be repeated while the result is `unfinished`; then the source is given back to
   * passes.
   * @throws SourceBusy
   */
  apply(source: Source, request?: ApplyRequest): Promise<PassOutcome>;
  /** Gives the source back to passes before the end. */
  giveUp(source: Source): Promise<void>;
}

/** Another process works on the source. Retry when it is done. */
class SourceBusy extends Error {
  override readonly name = 'SourceBusy';
}

/** Has the lease between two steps. */
const BETWEEN_STEPS = 'back-fill';
/** Longer than the pause before a step is retried. */
const BETWEEN_STEPS_MS = 30 * MINUTE_MS;

export function createBackFill(dependencies: IngestDependencies): BackFill {
  const { statuses, archive, now, owner, replays = false } = dependencies;
  const fetches = createFetchApplier(dependencies);
  const latestAt = (): Instant => now() + CLOCK_ALLOWANCE_MS;

  /** Runs a step under the lease, which it gives away itself at its end; after a failure the next step gets it. */
  async function step<Result>(
    { declaration: { id } }: Source,
    run: (lease: Lease) => Promise<Result>,
  ): Promise<Result> {
    const lease = await statuses.lease(id, owner, LEASE_MS, BETWEEN_STEPS);
    if (lease === undefined)
      throw new SourceBusy(`another pass has the lease of ${id}: try again when it is done`);
    let reached = lease.status;
    const save = async (status: SourceStatus): Promise<void> => {
      await lease.save(status);
      reached = status;
    };
    try {
      return await run({ ...lease, save });
    } catch (error) {
      if (error instanceof LeaseLost || error instanceof StepConflict)
        throw new SourceBusy(`another process works on ${id}`, { cause: error });
      // No live fetch in between: the step is retried, and the history must not be behind the checkpoint.
      if (error instanceof HistoryRefused) await lease.release(reached);
      else await lease.handOver(reached, BETWEEN_STEPS, BETWEEN_STEPS_MS).catch(() => undefined);
      throw error;
    }
  }

  return {
    load: (source, { history, ...options }) =>
      step(source, async (lease) => {
        const { declaration } = source;
        const nextDay =
          history && (await fetchHistory(dependencies, source, lease, { ...history, ...options }));
        if (nextDay === undefined) {
          const pending = await archive.fetches(declaration.id, lease.status.checkpointAt, latestAt());
          await fetches.register(declaration, dayOf(pending[0] ?? now()), lease.renewIfDue);
        }
        await lease.handOver(lease.status, BETWEEN_STEPS, BETWEEN_STEPS_MS);
        return nextDay;
      }),

    apply: (source, { sinceAt = Number.NEGATIVE_INFINITY, untilAt = latestAt(), ...limits } = {}) =>
      step(source, async (lease) => {
        const { id, ports } = source.declaration;
        const scope = { source, lease, backfilled: true };
        const begun = await fetches.begin(scope);
        const afterAt = Math.max(begun.status.checkpointAt ?? Number.NEGATIVE_INFINITY, sinceAt - 1);
        const pending = await archive.fetches(id, Number.isFinite(afterAt) ? afterAt : undefined, untilAt);
        const applied = await fetches.applyAll(scope, begun, pending, limits);
        if (applied.unfinished) await lease.handOver(applied.status, BETWEEN_STEPS, BETWEEN_STEPS_MS);
        else {
          for (const port of ports)
            await issueFromTables(dependencies, port, { nowAt: now(), replays }, lease.renewIfDue);
          await lease.release(applied.status);
        }
        return { ...applied, source: id, state: 'ok' };
      }),

    giveUp: (source) => step(source, (lease) => lease.release(lease.status)),
  };
}
