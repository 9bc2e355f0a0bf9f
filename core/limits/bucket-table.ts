/** Token buckets in the table, exact for any number of processes. Requests of one key that wait in a process share one write. */

import { StoreFailure, type Table } from '../store/table.ts';
import {
  admitSome,
  type BucketLimits,
  CLOCK_ALLOWANCE,
  emissionInterval,
  MICROS_PER_SECOND,
  type Micros,
  tolerance,
} from './token-bucket.ts';

/** `count` requests of one key at one instant. */
interface Spending {
  readonly digest: string;
  readonly limits: BucketLimits;
  readonly now: Micros;
  readonly count: number;
}

/** Seconds that a row stays after its bucket is full again. */
const KEPT_SECONDS = 3600;

interface BucketState {
  readonly tat: Micros;
  /** When the state was written, by the clock of its writer; absent in rows of earlier versions. */
  readonly writtenAt?: Micros | undefined;
}

/**
 * The conditional writes and the read of one bucket: one row per key, with its state in `tat`. A state that was written more than
 * `clockAllowance` after now was written before the clock was set back.
 */
export function createTokenWrites(table: Table, clockAllowance: Micros) {
  /** The new state; undefined where the condition does not hold. */
  async function write(
    { digest, limits, now }: Spending,
    state: string,
    condition: string,
    values: Readonly<Record<string, number>>,
  ): Promise<Micros | undefined> {
    const fullSeconds = (now + limits.burst * emissionInterval(limits)) / MICROS_PER_SECOND;
    const row = await table.update(
      { digest },
      {
        UpdateExpression: `SET tat = ${state}, writtenAt = :now, expiresAt = :expires`,
        ConditionExpression: condition,
        ExpressionAttributeValues: {
          ...values,
          ':now': now,
          ':expires': Math.ceil(fullSeconds) + KEPT_SECONDS,
        },
        ReturnValues: 'UPDATED_NEW',
      },
    );
    return row === undefined ? undefined : Number(row.tat);
  }

  return {
    /** Starts a bucket from now, if it is full. */
    begin: (spending: Spending) =>
      write(spending, ':next', 'attribute_not_exists(tat) OR tat <= :now', {
        ':next': spending.now + spending.count * emissionInterval(spending.limits),
      }),
    /** Starts a bucket that was written before the clock was set back, unless it has changed since it was read. */
    restart: (spending: Spending, { tat, writtenAt = 0 }: BucketState) =>
      write(spending, ':next', 'tat = :stored AND writtenAt = :writtenAt', {
        ':next': spending.now + spending.count * emissionInterval(spending.limits),
        ':stored': tat,
        ':writtenAt': writtenAt,
      }),
    /** Takes tokens from a bucket that is not full, if it has that many. */
    advance(spending: Spending) {
      const { limits, now, count } = spending;
      const interval = emissionInterval(limits);
      // A comparison with an attribute that is missing is false.
      return write(spending, 'tat + :interval', 'tat > :now AND tat <= :latest AND NOT writtenAt > :future', {
        ':interval': count * interval,
        ':latest': now + tolerance(limits) - (count - 1) * interval,
        ':future': now + clockAllowance,
      });
    },
    /** Replaces a state that no correct clock could have written, unless another process has done so already. */
    async repair(spending: Spending, stored: Micros, tat: Micros): Promise<void> {
      await write(spending, ':tat', 'tat = :stored', { ':tat': tat, ':stored': stored });
    },
    async read(digest: string): Promise<BucketState | undefined> {
      const row = await table.get({ digest }, true);
      if (typeof row?.tat !== 'number') return undefined;
      return { tat: row.tat, writtenAt: typeof row.writtenAt === 'number' ? row.writtenAt : undefined };
    },
  };
}

/** The decision on one request, made at `at`; `tat` is the state of the bucket after it. */
interface Spent {
  readonly admitted: boolean;
  readonly tat: Micros;
  readonly at: Micros;
}

export type TokenBuckets = ReturnType<typeof createTokenBuckets>;

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Rounds of write and read before a bucket counts as contended. */
const ROUNDS = 8;
/** Keys whose state one process remembers. */
const REMEMBERED = 10_000;

interface Waiting {
  readonly resolve: (spent: Spent) => void;
  readonly reject: (error: unknown) => void;
}

/** The decision on each request, in order; the first `admitted` of them have a token. */
function decide({ limits, now, count }: Omit<Spending, 'digest'>, admitted: number, tat: Micros): Spent[] {
  const interval = emissionInterval(limits);
  return Array.from({ length: count }, (_, place) => {
    const later = Math.max(0, admitted - 1 - place);
    return { admitted: place < admitted, tat: tat - later * interval, at: now };
  });
}

/**
 * The state of a bucket only grows until the clock is set back, so the newest state seen here is a lower bound of the stored one. It
 * selects the form of the write that most likely succeeds, and a bucket known to be empty is refused without asking the table.
 *
 * A bucket whose state was written more than `clockAllowance` in the future counts as full from now. Limits are exact while the clocks
 * of all processes on the table differ by less.
 */
export function createTokenBuckets(table: Table, clockAllowance = CLOCK_ALLOWANCE) {
  const writes = createTokenWrites(table, clockAllowance);
  const isOfFuture = ({ writtenAt = 0 }: BucketState, now: Micros): boolean =>
    writtenAt > now + clockAllowance;
  const seen = new Map<string, BucketState>();
  const queues = new Map<string, Waiting[]>();

  function remember(digest: string, state: BucketState | undefined): void {
    if (state === undefined) return void seen.delete(digest);
    if (seen.size >= REMEMBERED && !seen.has(digest)) seen.clear();
    seen.set(digest, state);
  }

  /** Refuses when even the lower bound has no token left; undefined when the table has to decide. */
  function refuseFromMemory({ digest, limits, now, count }: Spending): Spent[] | undefined {
    const known = seen.get(digest);
    if (known === undefined || isOfFuture(known, now)) return undefined;
    const share = admitSome(known.tat, now, limits, count);
    if (share.admitted > 0) return undefined;
    // A state further ahead than a correct clock could have written is not a lower bound of the stored one.
    if (share.tat !== known.tat) return void seen.delete(digest);
    return decide({ limits, now, count }, 0, known.tat);
  }

  /** One round of writing; undefined when the stored state is not the expected one, or is of the future. */
  async function tryWriting(spending: Spending): Promise<Spent[] | undefined> {
    const { digest, limits, now, count } = spending;
    const known = seen.get(digest);
    if (known !== undefined && isOfFuture(known, now)) return undefined;
    const { admitted } = admitSome(known?.tat, now, limits, count);
    if (admitted === 0) return undefined;
    const share = { ...spending, count: admitted };
    const drained = known === undefined || known.tat <= now;
    const tat = (drained ? await writes.begin(share) : undefined) ?? (await writes.advance(share));
    if (tat === undefined) return undefined;
    remember(digest, { tat: Math.max(tat, seen.get(digest)?.tat ?? 0), writtenAt: now });
    return decide(spending, admitted, tat);
  }

  /** Decides by the stored state; undefined when it has a token, or was changed meanwhile. */
  async function decideByState(
    spending: Spending,
    stored: BucketState | undefined,
  ): Promise<Spent[] | undefined> {
    const { digest, limits, now, count } = spending;
    if (stored !== undefined && isOfFuture(stored, now)) {
      const { admitted } = admitSome(undefined, now, limits, count);
      const tat = await writes.restart({ ...spending, count: admitted }, stored);
      remember(digest, tat === undefined ? undefined : { tat, writtenAt: now });
      return tat === undefined ? undefined : decide(spending, admitted, tat);
    }
    const share = admitSome(stored?.tat, now, limits, count);
    remember(digest, stored);
    if (share.admitted > 0) return undefined;
    if (stored !== undefined && share.tat !== stored.tat)
      await writes.repair(spending, stored.tat, share.tat);
    remember(digest, { tat: share.tat, writtenAt: stored?.writtenAt });
    return decide(spending, 0, share.tat);
  }

  /** `next` makes the spending of now. */
  async function take(next: () => Spending): Promise<Spent[]> {
    let spending = next();
    const refused = refuseFromMemory(spending);
    if (refused !== undefined) return refused;
    for (let round = 0; round < ROUNDS; round += 1) {
      const written = await tryWriting(spending);
      if (written !== undefined) return written;
      const stored = await writes.read(spending.digest);
      // A slow request must not take a newer state for one of the future, so the clock is read after the state.
      if (stored !== undefined && isOfFuture(stored, spending.now)) spending = next();
      const decided = await decideByState(spending, stored);
      if (decided !== undefined) return decided;
    }
    throw new StoreFailure(`${table.name} failed: contended`);
  }

  /** Processes a queue: all requests that wait at the same time are decided together. */
  async function workOff(name: string, queue: Waiting[], next: (count: number) => Spending): Promise<void> {
    while (queue.length > 0) {
      // The requests that arrive in this turn of the event loop join the write.
      await endOfTurn();
      const batch = queue.splice(0);
      try {
        const spent = await take(() => next(batch.length));
        for (const [place, decision] of spent.entries()) batch[place]?.resolve(decision);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    queues.delete(name);
  }

  return {
    /** Spends one token of the key's bucket, or refuses. Throws StoreFailure when the table does not respond. */
    spend(digest: string, limits: BucketLimits, now: () => Micros): Promise<Spent> {
      return new Promise((resolve, reject) => {
        // For a while after an edit of a plan, requests of a key have old or new limits: the two never share a write.
        const name = `${digest} ${limits.ratePerSecond} ${limits.burst}`;
        const queue = queues.get(name);
        if (queue !== undefined) return void queue.push({ resolve, reject });
        const fresh = [{ resolve, reject }];
        queues.set(name, fresh);
        void workOff(name, fresh, (count) => ({ digest, limits, now: now(), count }));
      });
    },
  };
}
