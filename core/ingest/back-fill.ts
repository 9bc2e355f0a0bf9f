/**
 * A back-fill of one source, in three steps that any process may take: it is opened, which brings the past in and says
 * which partitions there are; each partition is walked, side by side with the others; and it is closed, which moves the
 * source to where all of its partitions are. The source's lease is the back-fill's from the first step to the last.
 */
import { type Day, formatInstant, type Instant, MINUTE_MS, parseInstant } from '../reference/time.ts';
import type { Source } from '../sources/source.ts';
import { type Lease, partitionKey, type SourceStatus } from '../store/source-status.ts';
import { beginWalk, type WalkLimits } from './archive-walk.ts';
import { bringHistory, HistoryRefused } from './history.ts';
import { createParsedReplies } from './parsed-replies.ts';
import { type Partition, partitionsOf, partsOf } from './partitions.ts';
import type { IngestDependencies, PassOutcome } from './pass.ts';
import { createReportWriter } from './report-writer.ts';

export interface BackFillRequest {
  /** Past fetches of these days, both included, are brought into the archive first. */
  readonly history?: { readonly fromDay: Day; readonly toDay: Day };
  /** Fetches before this time are left out. */
  readonly sinceAt?: Instant;
  /** Fetches after this time are left alone; all up to the present when absent, as far as clocks differ. */
  readonly untilAt?: Instant;
  /** When it is time to stop between two days and to leave the rest to another step. */
  readonly outOfTime?: () => boolean;
  readonly onDay?: (day: Day) => void;
}

export interface OpenedBackFill {
  /** The day that the past has to be brought in from by another step; absent when it is all there. */
  readonly nextDay?: Day;
  /** To be walked, in any order and side by side; none while the past is not all there. */
  readonly partitions: readonly Partition[];
}

export interface BackFill {
  open(source: Source, request: BackFillRequest): Promise<OpenedBackFill>;
  /** Walks one partition from its checkpoint; `busy` when another process is at it. */
  walk(source: Source, partition: Partition, limits?: WalkLimits): Promise<PassOutcome>;
  /** Moves the source up to its last partition and gives the lease back. Does no harm where some are behind. */
  close(source: Source): Promise<SourceStatus>;
}

/** Another holds the source or a partition of it: to be tried again when it is over. */
export class BusySource extends Error {
  override readonly name = 'BusySource';
}

/** Steps of one back-fill follow one another from different processes, and are one owner to the source's lease. */
const OWNER = 'back-fill';
/** Longer than a step may take, and than the pause before one is tried again. */
const SOURCE_LEASE_MS = 30 * MINUTE_MS;
const PARTITION_LEASE_MS = 15 * MINUTE_MS;
/** Clocks differ: the last fetch may be ahead of this one by this much. */
const CLOCK_ALLOWANCE_MS = 10 * MINUTE_MS;

const checkpointOf = ({ checkpointAt }: SourceStatus): Instant => checkpointAt ?? Number.NEGATIVE_INFINITY;

/** Both leases as one: of the partition, whose status it is, and of the source, which keeps passes away. */
const under = (ofSource: Lease, ofPartition: Lease, status: SourceStatus): Lease => {
  const keep = async (): Promise<void> => {
    await ofSource.keep();
    await ofPartition.keep();
  };
  return {
    status,
    keep,
    async save(reached) {
      await ofSource.keep();
      return ofPartition.save(reached);
    },
    finish: ofPartition.finish,
  };
};

export function createBackFill(parts: IngestDependencies): BackFill {
  const { statuses, archive } = parts;
  const writer = createReportWriter(parts);
  const replies = createParsedReplies(parts.archive);

  async function leaseOf({ declaration: { id } }: Source): Promise<Lease> {
    const lease = await statuses.lease(id, OWNER, SOURCE_LEASE_MS);
    if (lease === undefined) throw new BusySource(`another pass holds ${id}: try again when it is over`);
    return lease;
  }

  return {
    async open(source, { history, sinceAt, untilAt, outOfTime, onDay }) {
      const { declaration } = source;
      const lease = await leaseOf(source);
      try {
        if (history !== undefined) {
          const limits = { ...(outOfTime && { outOfTime }), ...(onDay && { onDay }) };
          const nextDay = await bringHistory(parts, source, lease, { ...history, ...limits });
          if (nextDay !== undefined) return { nextDay, partitions: [] };
        }
        await writer.register(declaration, lease.keep);
      } catch (error) {
        // Kept otherwise: it is tried again, and a fetch of the present in between would shut the past out.
        if (error instanceof HistoryRefused) await lease.finish(lease.status);
        throw error;
      }
      // One end for all partitions, whatever comes into the archive meanwhile.
      const limitAt = untilAt ?? parts.now() + CLOCK_ALLOWANCE_MS;
      const newestAt = (await archive.fetches(declaration.id, lease.status.checkpointAt, limitAt)).at(-1);
      if (newestAt === undefined) return { partitions: [] };
      const since = sinceAt === undefined ? {} : { since: formatInstant(sinceAt) };
      return { partitions: partitionsOf(declaration, { ...since, until: formatInstant(newestAt) }) };
    },

    async walk(source, { part, since, until }, limits = {}) {
      const { id } = source.declaration;
      const ofSource = await leaseOf(source);
      const key = partitionKey(id, part);
      const ofPartition = await statuses.lease(key, parts.owner, PARTITION_LEASE_MS);
      if (ofPartition === undefined) throw new BusySource(`another process walks ${key}`);
      // What the source has reached as a whole, its partitions have; a row of an earlier back-fill may be behind that.
      const isAhead = checkpointOf(ofPartition.status) > checkpointOf(ofSource.status);
      const status = { ...(isAhead ? ofPartition : ofSource).status, source: key };
      const lease = under(ofSource, ofPartition, status);
      const walk = beginWalk({ replies, writer }, { source, part, lease });
      const sinceAt = since === undefined ? undefined : parseInstant(since);
      const afterAt = Math.max(checkpointOf(status), (sinceAt ?? Number.NEGATIVE_INFINITY) - 1);
      const untilAt = (until === undefined ? undefined : parseInstant(until)) ?? parts.now();
      try {
        const fetches = await archive.fetches(id, Number.isFinite(afterAt) ? afterAt : undefined, untilAt);
        const ended = await walk.through(fetches, limits);
        const { walked } = walk;
        const isHeld = ended !== 'lost' && (await lease.finish(walked.status));
        if (!isHeld) throw new BusySource(`another process walks ${key}`);
        // Every partition reads whole replies and finds the same faults in them: the first one tells.
        const refusals = part === partsOf(source.declaration)[0] ? walked.refusals : [];
        const unfinished = ended === 'out-of-time';
        return { ...walked, source: id, state: 'ok', refusals, unfinished };
      } catch (error) {
        // What is in memory may be ahead of the tables now.
        writer.forget();
        throw error;
      }
    },

    async close(source) {
      const { id } = source.declaration;
      const lease = await leaseOf(source);
      const keys = partsOf(source.declaration).map((part) => partitionKey(id, part));
      const rows = new Map((await statuses.ofPartitions(keys)).map((row) => [row.source, row]));
      const reached = keys.map((key) => {
        const row = rows.get(key);
        return row !== undefined && checkpointOf(row) > checkpointOf(lease.status) ? row : lease.status;
      });
      // A walk depends on nothing but the fetches behind it, so the last partition's status is the source's own then.
      const last = reached.reduce((least, row) => (checkpointOf(row) < checkpointOf(least) ? row : least));
      const status = { ...last, source: id };
      if (!(await lease.save(status))) throw new BusySource(`another pass has taken ${id}`);
      const behind = [...rows.values()].filter((row) => checkpointOf(row) <= checkpointOf(status));
      await statuses.forget(behind.map((row) => row.source));
      await lease.finish(status);
      return status;
    },
  };
}
