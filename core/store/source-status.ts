/** Status of each source: freshness as served, and the ingest's lease, checkpoint and circuit. */
import type { Clock, Instant } from '../reference/time.ts';
import type { Row, Table } from './table.ts';

export interface SourceStatus {
  readonly source: string;
  /** Newest fetch whose reply was good. Absent until there has been one. */
  readonly lastFetchAt?: Instant;
  /** Newest fetch that was dealt with, good or refused; the archive is read on from here. */
  readonly checkpointAt?: Instant;
  /** The time that the newest good reply stated for itself. */
  readonly asOfAt?: Instant;
  /** Fetches in a row that failed. */
  readonly failures: number;
  /** Not to be asked before. */
  readonly pausedUntilAt?: Instant;
}

/** A pass's exclusive right to one source, or to one partition of it. */
export interface Lease {
  readonly status: SourceStatus;
  /**
   * Sees before each write that the lease still has most of its time to run: renews it once a third of it is over,
   * whatever has happened since. Throws `LeaseLost` when another has taken it meanwhile.
   */
  keep(): Promise<void>;
  /** Writes `status` and renews the lease; false when the lease was lost to another pass. */
  save(status: SourceStatus): Promise<boolean>;
  /** The same, and gives the lease back. */
  finish(status: SourceStatus): Promise<boolean>;
}

/** This pass was away for so long that another took its place: it must not write any more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export interface SourceStatusStore {
  /** Undefined when another pass holds the source (or the partition). */
  lease(source: string, owner: string, durationMs: number): Promise<Lease | undefined>;
  /** Of every source; partitions under way are left out. */
  all(): Promise<SourceStatus[]>;
  /** Of the named partitions, those that have a row. */
  ofPartitions(keys: readonly string[]): Promise<SourceStatus[]>;
  forget(keys: readonly string[]): Promise<void>;
}

/** Stands between a source and a partition of it; no id of a source holds it. */
const PARTITION_MARK = '#';

/** The key under which a partition has a status of its own while a back-fill is under way. */
export const partitionKey = (source: string, part: string): string => `${source}${PARTITION_MARK}${part}`;

const statusOf = (row: Row): SourceStatus => {
  const { source, lastFetchAt, checkpointAt, asOfAt, failures, pausedUntilAt } = row as Row & SourceStatus;
  const defined = Object.entries({ lastFetchAt, checkpointAt, asOfAt, pausedUntilAt }).filter(
    ([, at]) => at !== undefined,
  );
  return { source, failures: failures ?? 0, ...Object.fromEntries(defined) };
};

export function createSourceStatusStore(table: Table, now: Clock): SourceStatusStore {
  /** Gives the lease back when it is not renewed. */
  async function write(owner: string, status: SourceStatus, untilAt?: Instant): Promise<boolean> {
    const { source, ...fields } = status;
    const names = ['lastFetchAt', 'checkpointAt', 'asOfAt', 'failures', 'pausedUntilAt'] as const;
    const kept = names.filter((name) => fields[name] !== undefined);
    const unset: string[] = names.filter((name) => fields[name] === undefined);
    const removed = untilAt === undefined ? [...unset, 'leaseOwner', 'leaseUntilAt'] : unset;
    const set = kept.map((name) => `${name} = :${name}`);
    if (untilAt !== undefined) set.push('leaseUntilAt = :until');
    const row = await table.update(
      { source },
      {
        UpdateExpression: `SET ${set.join(', ')}${
          removed.length === 0 ? '' : ` REMOVE ${removed.join(', ')}`
        }`,
        ConditionExpression: 'leaseOwner = :owner',
        ExpressionAttributeValues: {
          ':owner': owner,
          ':until': untilAt,
          ...Object.fromEntries(kept.map((name) => [`:${name}`, fields[name]])),
        },
      },
    );
    return row !== undefined;
  }

  return {
    async lease(source, owner, durationMs) {
      let renewedAt = now();
      const row = await table.update(
        { source },
        {
          UpdateExpression: 'SET leaseOwner = :owner, leaseUntilAt = :until',
          ConditionExpression:
            'attribute_not_exists(leaseOwner) OR leaseOwner = :owner OR leaseUntilAt < :now',
          ExpressionAttributeValues: { ':owner': owner, ':until': renewedAt + durationMs, ':now': renewedAt },
        },
      );
      if (row === undefined) return undefined;
      return {
        status: statusOf({ ...row, source }),
        async keep() {
          const at = now();
          if (at - renewedAt < durationMs / 3) return;
          const kept = await table.update(
            { source },
            {
              UpdateExpression: 'SET leaseUntilAt = :until',
              ConditionExpression: 'leaseOwner = :owner',
              ExpressionAttributeValues: { ':owner': owner, ':until': at + durationMs },
            },
          );
          if (kept === undefined) throw new LeaseLost(`another pass has taken ${source}`);
          renewedAt = at;
        },
        async save(status) {
          const at = now();
          const isHeld = await write(owner, status, at + durationMs);
          if (isHeld) renewedAt = at;
          return isHeld;
        },
        finish: (status) => write(owner, status),
      };
    },
    async all() {
      const rows = (await table.scan()).map(statusOf);
      return rows
        .filter(({ source }) => !source.includes(PARTITION_MARK))
        .sort((a, b) => (a.source < b.source ? -1 : 1));
    },
    async ofPartitions(keys) {
      return (await table.getMany(keys.map((source) => ({ source })))).map(statusOf);
    },
    async forget(keys) {
      await table.writeMany(
        [],
        keys.map((source) => ({ source })),
      );
    },
  };
}
