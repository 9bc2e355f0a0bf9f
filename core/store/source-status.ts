/** Status of each source: freshness as served, and the ingest's lease, checkpoint and circuit. */
import type { Locode } from '../reference/codes.ts';
import type { Clock, Day, Instant } from '../reference/time.ts';
import type { ShownLists } from '../upstream/judgement.ts';
import type { Row, Table } from './table.ts';

/** A time without a good fetch, from when the next fetch was due until the next good one. */
export interface Outage {
  readonly fromAt: Instant;
  readonly toAt: Instant;
}

/** Replies that were not accepted, since the last one that was. */
interface SourceDoubt {
  /** The first of them, and the newest. */
  readonly sinceAt: Instant;
  readonly fetchedAt: Instant;
  /** Verdict on the newest fetch; `reason` says why in a word, `detail` in a sentence. */
  readonly outcome: 'refused' | 'held';
  readonly reason: string;
  readonly detail: string;
}

/** The last time that accepted fetches were revoked. */
interface Recovery {
  /** The fetch that led to it. */
  readonly at: Instant;
  readonly by: 'recovery' | 'operator';
  /** The accepted fetches that were revoked, oldest first, and the held ones that were accepted in their place. */
  readonly revoked: readonly Instant[];
  readonly accepted: readonly Instant[];
  /**
   * What the next pass has to finish. True: the tables do not have the state before the first revoked fetch yet. `images`: they have it, and
   * what the revoked fetches had replaced is not deleted yet.
   */
  readonly unfinished?: true | 'images';
}

/** What the tables began with: a release of another service. */
interface ImportedRelease {
  /** UTC day that names it. */
  readonly release: Day;
  /** When it was written; absent where it does not say so. */
  readonly madeAt?: Instant;
  /** Its figures were made afterwards, from an archive. */
  readonly replayed?: true;
}

/** A table of calls that counts, as a person gave it. What is absent was not stated. */
export interface GivenTable {
  readonly name: string;
  readonly publisher?: string;
  readonly licence?: string;
  readonly attribution?: string;
  /** Its single calls may be passed on. */
  readonly passesOnCalls: boolean;
  readonly ports: readonly Locode[];
}

/** The table in the form of the API and of the manifest, null where it does not state something. */
export const statedTable = ({ name, publisher, licence, attribution, passesOnCalls, ports }: GivenTable) => ({
  name,
  publisher: publisher ?? null,
  licence: licence ?? null,
  attribution: attribution ?? null,
  calls: passesOnCalls,
  ports: [...ports],
});

export interface SourceStatus {
  readonly source: string;
  /** Newest fetch with a good reply. Absent before the first one. */
  readonly lastFetchAt?: Instant;
  /** Newest fetch that was applied or refused; the next pass reads the archive from here. */
  readonly checkpointAt?: Instant;
  /** The time that the newest good reply stated for itself. */
  readonly asOfAt?: Instant;
  /** The newest event of the accepted replies, none after its fetch. */
  readonly newestEventAt?: Instant;
  /** Fetches in a row that failed. */
  readonly failures: number;
  /** The upstream is not fetched before this time. */
  readonly pausedUntilAt?: Instant;
  /** The first good fetch since when outages are recorded. */
  readonly knownSinceAt?: Instant;
  /** Outages in the last days, oldest first. */
  readonly outages?: readonly Outage[];
  /** Absent while the newest reply is an accepted one. */
  readonly doubt?: SourceDoubt;
  /** Absent before the first. */
  readonly recovery?: Recovery;
  /** Its accepted replies so far. */
  readonly shown?: ShownLists;
  /** The release that its first figures come from; absent where there is none. */
  readonly imported?: ImportedRelease;
  /** Only for tables of calls: those that count, in the order in which they were accepted. */
  readonly tables?: readonly GivenTable[];
}

/** The exclusive right of one process to one source. */
export interface Lease {
  readonly status: SourceStatus;
  /** Call it before each write: renews the lease once a third of it has passed. Throws `LeaseLost`. */
  renewIfDue(): Promise<void>;
  /** Writes `status` and renews the lease. Throws `LeaseLost`. */
  save(status: SourceStatus): Promise<void>;
  /** Writes `status` and releases the lease. Throws `LeaseLost`. */
  release(status: SourceStatus): Promise<void>;
  /** Writes `status` and gives the lease to `owner` for `durationMs`: work in steps, between two of them. Throws `LeaseLost`. */
  handOver(status: SourceStatus, owner: string, durationMs: number): Promise<void>;
}

/** The lease expired and another process took it: this process must write nothing more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

const STATUS_FIELDS = [
  'lastFetchAt',
  'checkpointAt',
  'asOfAt',
  'newestEventAt',
  'failures',
  'pausedUntilAt',
  'knownSinceAt',
  'outages',
  'doubt',
  'recovery',
  'shown',
  'imported',
  'tables',
] as const;

function toStatus(row: Row): SourceStatus {
  const stored = STATUS_FIELDS.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]);
  return { failures: 0, ...Object.fromEntries(stored), source: String(row.source) };
}

/** When each source was last fetched with a good reply, by name; sources never fetched are absent. */
export const fetchTimesOf = (statuses: readonly SourceStatus[]): ReadonlyMap<string, Instant> =>
  new Map(
    statuses.flatMap(({ source, lastFetchAt }) =>
      lastFetchAt === undefined ? [] : [[source, lastFetchAt] as const],
    ),
  );

export type SourceStatusStore = ReturnType<typeof createSourceStatusStore>;

export function createSourceStatusStore(table: Table, now: Clock) {
  /** Changes the row if `owner` still has the lease. */
  async function updateAs(
    owner: string,
    source: string,
    UpdateExpression: string,
    values: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const row = await table.update(
      { source },
      {
        UpdateExpression,
        ConditionExpression: 'leaseOwner = :owner',
        ExpressionAttributeValues: { ...values, ':owner': owner },
      },
    );
    if (row === undefined) throw new LeaseLost(`another process has taken ${source}`);
  }

  /** Writes the status; the lease is released when it is not renewed, by its owner or for the `next` one. */
  async function write(
    owner: string,
    { source, ...fields }: SourceStatus,
    untilAt?: Instant,
    next?: string,
  ): Promise<void> {
    const present = STATUS_FIELDS.filter((name) => fields[name] !== undefined);
    const set = present.map((name) => `${name} = :${name}`);
    const removed: string[] = STATUS_FIELDS.filter((name) => fields[name] === undefined);
    if (untilAt === undefined) removed.push('leaseOwner', 'leaseUntilAt');
    else set.push('leaseUntilAt = :until');
    if (next !== undefined) set.push('leaseOwner = :next');
    const remove = removed.length === 0 ? '' : ` REMOVE ${removed.join(', ')}`;
    await updateAs(owner, source, `SET ${set.join(', ')}${remove}`, {
      ':until': untilAt,
      ':next': next,
      ...Object.fromEntries(present.map((name) => [`:${name}`, fields[name]])),
    });
  }

  /** The status of every source. */
  async function all(): Promise<SourceStatus[]> {
    const rows = (await table.scan()).map(toStatus);
    // An earlier version kept rows of unfinished back-fills under a source's id, `#` and a part.
    return rows.filter(({ source }) => !source.includes('#')).sort((a, b) => (a.source < b.source ? -1 : 1));
  }

  return {
    /** Undefined when another owner has the source, other than `before`, who has handed it over. */
    async lease(
      source: string,
      owner: string,
      durationMs: number,
      before = owner,
    ): Promise<Lease | undefined> {
      let renewedAt = now();
      const row = await table.update(
        { source },
        {
          UpdateExpression: 'SET leaseOwner = :owner, leaseUntilAt = :until',
          ConditionExpression:
            'attribute_not_exists(leaseOwner) OR leaseOwner = :owner OR leaseOwner = :before OR leaseUntilAt < :now',
          ExpressionAttributeValues: {
            ':owner': owner,
            ':before': before,
            ':until': renewedAt + durationMs,
            ':now': renewedAt,
          },
        },
      );
      if (row === undefined) return undefined;
      return {
        status: toStatus({ ...row, source }),
        async renewIfDue() {
          const at = now();
          if (at - renewedAt < durationMs / 3) return;
          await updateAs(owner, source, 'SET leaseUntilAt = :until', { ':until': at + durationMs });
          renewedAt = at;
        },
        async save(status) {
          const at = now();
          await write(owner, status, at + durationMs);
          renewedAt = at;
        },
        release: (status) => write(owner, status),
        handOver: (status, next, nextMs) => write(owner, status, now() + nextMs, next),
      };
    },
    all,
    fetchTimes: async () => fetchTimesOf(await all()),
    /** When the first call for `source` was made: now, for the first one. */
    async firstSeen(source: string): Promise<Instant> {
      const row = await table.update(
        { source },
        {
          UpdateExpression: 'SET firstSeenAt = if_not_exists(firstSeenAt, :now)',
          ExpressionAttributeValues: { ':now': now() },
        },
      );
      return Number(row?.firstSeenAt);
    },
  };
}
