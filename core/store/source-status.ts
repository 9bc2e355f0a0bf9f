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

/** A pass's exclusive right to one source. */
export interface Lease {
  readonly status: SourceStatus;
  /** Writes `status` and renews the lease; false when the lease was lost to another pass. */
  save(status: SourceStatus): Promise<boolean>;
  /** The same, and gives the lease back. */
  finish(status: SourceStatus): Promise<boolean>;
}

export interface SourceStatusStore {
  /** Undefined when another pass holds the source. */
  lease(source: string, owner: string, durationMs: number): Promise<Lease | undefined>;
  all(): Promise<SourceStatus[]>;
}

const statusOf = (row: Row): SourceStatus => {
  const { source, lastFetchAt, checkpointAt, asOfAt, failures, pausedUntilAt } = row as Row & SourceStatus;
  const defined = Object.entries({ lastFetchAt, checkpointAt, asOfAt, pausedUntilAt }).filter(
    ([, at]) => at !== undefined,
  );
  return { source, failures: failures ?? 0, ...Object.fromEntries(defined) };
};

export function createSourceStatusStore(table: Table, now: Clock): SourceStatusStore {
  /** Gives the lease back when it is not renewed. */
  async function write(owner: string, status: SourceStatus, renewedMs?: number): Promise<boolean> {
    const { source, ...fields } = status;
    const names = ['lastFetchAt', 'checkpointAt', 'asOfAt', 'failures', 'pausedUntilAt'] as const;
    const kept = names.filter((name) => fields[name] !== undefined);
    const unset: string[] = names.filter((name) => fields[name] === undefined);
    const removed = renewedMs === undefined ? [...unset, 'leaseOwner', 'leaseUntilAt'] : unset;
    const set = kept.map((name) => `${name} = :${name}`);
    if (renewedMs !== undefined) set.push('leaseUntilAt = :until');
    const row = await table.update(
      { source },
      {
        UpdateExpression: `SET ${set.join(', ')}${
          removed.length === 0 ? '' : ` REMOVE ${removed.join(', ')}`
        }`,
        ConditionExpression: 'leaseOwner = :owner',
        ExpressionAttributeValues: {
          ':owner': owner,
          ':until': renewedMs === undefined ? undefined : now() + renewedMs,
          ...Object.fromEntries(kept.map((name) => [`:${name}`, fields[name]])),
        },
      },
    );
    return row !== undefined;
  }

  return {
    async lease(source, owner, durationMs) {
      const at = now();
      const row = await table.update(
        { source },
        {
          UpdateExpression: 'SET leaseOwner = :owner, leaseUntilAt = :until',
          ConditionExpression:
            'attribute_not_exists(leaseOwner) OR leaseOwner = :owner OR leaseUntilAt < :now',
          ExpressionAttributeValues: { ':owner': owner, ':until': at + durationMs, ':now': at },
        },
      );
      if (row === undefined) return undefined;
      return {
        status: statusOf({ ...row, source }),
        save: (status) => write(owner, status, durationMs),
        finish: (status) => write(owner, status),
      };
    },
    async all() {
      const rows = await table.scan();
      return rows.map(statusOf).sort((a, b) => (a.source < b.source ? -1 : 1));
    },
  };
}
