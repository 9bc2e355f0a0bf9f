/**
 * Token buckets in the table: exact however many processes share it, at most one conditional write a request as a
 * rule. Requests of one key that wait in one process at the same time go into one write together.
 */
import {
  admitSome,
  type BucketDecision,
  type BucketLimits,
  intervalOf,
  type Micros,
  retryAtOf,
} from '../access/token-bucket.ts';
import { StoreFailure, type Table } from './table.ts';
import { createTokenWrites, type Spending } from './token-writes.ts';

/** A decision, and the instant at which it was made. */
export type Spent = BucketDecision & { readonly at: Micros };

export interface TokenBuckets {
  /** Spends one token of the key's bucket, or refuses. Throws StoreFailure when the table does not answer. */
  spend(digest: string, limits: BucketLimits, now: () => Micros): Promise<Spent>;
}

/** Rounds of write and read until somebody else's writes are to blame. */
const ROUNDS = 8;
/** Keys whose state is remembered in one process. */
const REMEMBERED = 10_000;

interface Waiting {
  readonly resolve: (spent: Spent) => void;
  readonly reject: (error: unknown) => void;
}

/** The decision on each of the requests, in order, from what the first of them were given. */
function decisionsOf({ limits, now, count }: Spending, admitted: number, tat: Micros): Spent[] {
  const interval = intervalOf(limits);
  return Array.from({ length: count }, (_, place) =>
    place < admitted
      ? { admitted: true, tat: tat - (admitted - 1 - place) * interval, at: now }
      : { admitted: false, tat, retryAt: retryAtOf(tat, limits), at: now },
  );
}

/**
 * The state of a bucket only grows, so the newest state seen here is a lower bound of what the table holds: it
 * picks the form of the write that most likely holds, and a bucket known to be empty is refused unasked.
 */
export function createTokenBuckets(table: Table): TokenBuckets {
  const writes = createTokenWrites(table);
  const seenTat = new Map<string, Micros>();
  const queues = new Map<string, Waiting[]>();

  function remember(digest: string, tat: Micros | undefined): void {
    if (tat === undefined) return void seenTat.delete(digest);
    if (seenTat.size >= REMEMBERED && !seenTat.has(digest)) seenTat.clear();
    seenTat.set(digest, tat);
  }

  /** Refuses where even the oldest state that is possible has no token left; undefined where the table must say. */
  function refuseUnasked(spending: Spending): Spent[] | undefined {
    const seen = seenTat.get(spending.digest);
    if (seen === undefined) return undefined;
    const share = admitSome(seen, spending.now, spending.limits, spending.count);
    if (share.admitted > 0) return undefined;
    // A state further ahead than any clock in step could have put it says nothing of the table's.
    if (share.tat !== seen) return void seenTat.delete(spending.digest);
    return decisionsOf(spending, 0, seen);
  }

  /** One round of writing; undefined where the table holds another state than was thought. */
  async function tryWriting(spending: Spending): Promise<Spent[] | undefined> {
    const { digest, limits, now, count } = spending;
    const seen = seenTat.get(digest);
    const { admitted } = admitSome(seen, now, limits, count);
    if (admitted === 0) return undefined;
    const share = { ...spending, count: admitted };
    const drained = seen === undefined || seen <= now;
    const tat = (drained ? await writes.begin(share) : undefined) ?? (await writes.advance(share));
    if (tat === undefined) return undefined;
    remember(digest, Math.max(tat, seenTat.get(digest) ?? 0));
    return decisionsOf(spending, admitted, tat);
  }

  async function take(spending: Spending): Promise<Spent[]> {
    const { digest, limits, now, count } = spending;
    const unasked = refuseUnasked(spending);
    if (unasked !== undefined) return unasked;
    for (let round = 0; round < ROUNDS; round += 1) {
      const spent = await tryWriting(spending);
      if (spent !== undefined) return spent;
      const held = await writes.read(digest);
      const share = admitSome(held, now, limits, count);
      remember(digest, held);
      if (share.admitted > 0) continue;
      if (held !== undefined && share.tat !== held) await writes.repair(spending, held, share.tat);
      remember(digest, share.tat);
      return decisionsOf(spending, 0, share.tat);
    }
    throw new StoreFailure(`${table.name} failed: contended`);
  }

  /** Works a queue off, everybody who waits at a time, and leaves none behind. */
  async function workOff(name: string, queue: Waiting[], next: (count: number) => Spending): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0);
      try {
        const spent = await take(next(batch.length));
        for (const [place, decision] of spent.entries()) batch[place]?.resolve(decision);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    queues.delete(name);
  }

  return {
    spend(digest, limits, now) {
      return new Promise((resolve, reject) => {
        // After an edit of the plan a key comes with its old and its new limits for a while: never in one write.
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
