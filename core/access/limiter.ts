/** The limiter: the token bucket in the table, and a cap per process while the table does not respond. */

import { withContact } from '../contracts/contact.ts';
import { ApiError } from '../contracts/errors.ts';
import type { Route } from '../contracts/route.ts';
import { HEADERS } from '../contracts/wire.ts';
import type { Clock } from '../reference/time.ts';
import { StoreFailure, type Table } from '../store/table.ts';
import { type Denial, digestPrefix, findDenial, type KeyContext, parseContext } from './keys.ts';
import { REFUSALS, type Refusal } from './refusals.ts';
import {
  admitSome,
  admittedAgainAt,
  type BucketLimits,
  CLOCK_ALLOWANCE,
  CLOCK_JUMP,
  emissionInterval,
  MICROS_PER_SECOND,
  type Micros,
  minuteAllotment,
  secondsUntilAdmitted,
  tolerance,
  toMicros,
} from './token-bucket.ts';

// Token buckets in the table, exact for any number of processes. Requests of one key that wait in a process share one
// write.

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

type TokenBuckets = ReturnType<typeof createTokenBuckets>;

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

// The rate limit as the chain sees it: the decision and its RateLimit-* headers.

export interface Admission {
  readonly admitted: boolean;
  /** The RateLimit-* headers of the response; none for a key without limits. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whole seconds; set when not admitted. */
  readonly retryAfterSeconds?: number;
  /** What refused the request; set when not admitted. */
  readonly refusal?: 'key_bucket' | 'outage_cap';
}

export interface Limiter {
  /** Spends one token of an active key. Never throws: a limiter that fails admits up to a cap of its own. */
  admit(key: KeyContext): Promise<Admission>;
}

/** Why the limiter decided without its table. */
export type LimiterFailure = 'slow' | 'failed';

interface RateLimitFigures {
  /** The minute's allotment. */
  readonly limit: number;
  /** Requests left of it, 0 or more. */
  readonly remaining: number;
  /** UTC epoch second at which the full allotment is available again. */
  readonly resetSecond: number;
}

const rateLimitHeaders = ({ limit, remaining, resetSecond }: RateLimitFigures) => ({
  [HEADERS.rateLimitLimit]: String(limit),
  [HEADERS.rateLimitRemaining]: String(remaining),
  [HEADERS.rateLimitReset]: String(resetSecond),
});

/** The burst beyond the minute's allotment is tolerance and not promised; a burst below it caps `remaining`. */
export function figuresOf(tat: Micros, now: Micros, limits: BucketLimits): RateLimitFigures {
  const limit = minuteAllotment(limits);
  const undrained = Math.max(0, Math.ceil((tat - now) / emissionInterval(limits)));
  return {
    limit,
    remaining: Math.max(0, Math.min(limit, limits.burst) - undrained),
    resetSecond: Math.ceil(Math.max(tat, now) / MICROS_PER_SECOND),
  };
}

// The limit while the table does not respond: a key's minute allotment in any 60 seconds, counted in this process
// alone. Looser than the bucket over many processes, but never open.

const WINDOW: Micros = 60 * MICROS_PER_SECOND;
/** Keys remembered before those whose window has passed are dropped. */
const SWEEP_SIZE = 1000;

export class OutageCap {
  /** Instants of the admissions of the last window, oldest first, by key digest. */
  readonly #admitted = new Map<string, Micros[]>();

  admit(digest: string, limits: BucketLimits, now: Micros): Admission {
    if (this.#admitted.size > SWEEP_SIZE) this.#sweep(now);
    const limit = minuteAllotment(limits);
    // An admission in the future was made before the clock was set back.
    const recent = (this.#admitted.get(digest) ?? []).filter(
      (at) => at + WINDOW > now && at <= now + CLOCK_JUMP,
    );
    const admitted = recent.length < limit;
    if (admitted) recent.push(now);
    this.#admitted.set(digest, recent);
    const newest = recent.at(-1) ?? now;
    const headers = rateLimitHeaders({
      limit,
      remaining: limit - recent.length,
      resetSecond: Math.ceil((newest + WINDOW) / MICROS_PER_SECOND),
    });
    if (admitted) return { admitted, headers };
    return {
      admitted,
      headers,
      retryAfterSeconds: secondsUntilAdmitted((recent[0] ?? now) + WINDOW, now),
      refusal: 'outage_cap',
    };
  }

  #sweep(now: Micros): void {
    for (const [digest, instants] of this.#admitted) {
      if ((instants.at(-1) ?? 0) + WINDOW <= now) this.#admitted.delete(digest);
    }
  }
}

/** The longest time that a request waits for its token. */
const LIMITER_DEADLINE_MS = 250;

/** Milliseconds of a setting such as `250`, the default when it is absent. Throws when it is not a positive number. */
export function deadlineOf(setting: string | undefined): number {
  const deadlineMs = Number(setting ?? LIMITER_DEADLINE_MS);
  if (!(deadlineMs > 0)) throw new Error(`a limiter's deadline is a number of milliseconds, not ${setting}`);
  return deadlineMs;
}

export interface LimiterDependencies {
  readonly buckets: TokenBuckets;
  /** The wall clock, in milliseconds, independent of the clock of the data. */
  readonly now: Clock;
  /** Called for every decision that is made without the table. */
  readonly onFailure: (failure: LimiterFailure, cause?: unknown) => void;
  readonly deadlineMs?: number;
}

/** The admission of a key without limits. */
const UNLIMITED: Admission = { admitted: true, headers: {} };

const SLOW = Symbol('slow');
/** Timer ticks per deadline. */
const STEPS = 10;

/** SLOW after the deadline, in ticks: time in which this process itself was too busy does not count. */
const within = <T>(deadlineMs: number, work: Promise<T>): Promise<T | typeof SLOW> =>
  new Promise((resolve, reject) => {
    let left = STEPS;
    const timer = setInterval(() => {
      left -= 1;
      if (left > 0) return;
      clearInterval(timer);
      resolve(SLOW);
    }, deadlineMs / STEPS);
    work.then(
      (done) => {
        clearInterval(timer);
        resolve(done);
      },
      (error) => {
        clearInterval(timer);
        reject(error);
      },
    );
  });

export function createLimiter(dependencies: LimiterDependencies): Limiter {
  const { buckets, now, onFailure, deadlineMs = LIMITER_DEADLINE_MS } = dependencies;
  const cap = new OutageCap();
  const micros = () => toMicros(now());

  return {
    async admit({ digest, limits }) {
      if (limits === undefined) return UNLIMITED;
      try {
        const spent = await within(deadlineMs, buckets.spend(digest, limits, micros));
        if (spent !== SLOW) {
          const headers = rateLimitHeaders(figuresOf(spent.tat, spent.at, limits));
          if (spent.admitted) return { admitted: true, headers };
          return {
            admitted: false,
            headers,
            retryAfterSeconds: secondsUntilAdmitted(admittedAgainAt(spent.tat, limits), spent.at),
            refusal: 'key_bucket',
          };
        }
        onFailure('slow');
      } catch (error) {
        onFailure('failed', error);
      }
      return cap.admit(digest, limits, micros());
    },
  };
}

// Admits a caller: the state of the key first, then one token, which is taken while the data are read.

/** A caller whose key was accepted. */
export interface Caller {
  readonly keyPrefix: string;
  /** Whether a token was granted; never rejects. */
  readonly admission: Promise<Admission>;
  /** The 403 of a key whose plan does not include the endpoint. */
  readonly denial: ApiError | undefined;
}

const REFUSAL_OF = {
  key_disabled: REFUSALS.key_disabled,
  key_unplanned: REFUSALS.key_disabled,
  endpoint_not_in_plan: REFUSALS.not_in_plan,
} as const satisfies Record<Denial, Refusal>;

function forbidden(denial: Denial, contact: string | undefined): ApiError {
  const { code, message, hint } = REFUSAL_OF[denial];
  return new ApiError(code, message, { hint: withContact(hint, contact) });
}

/**
 * The caller whom the authorizer describes in `context`. A key that is disabled or on no plan throws `auth_forbidden` and
 * spends no token; a key whose plan lacks the endpoint spends its token. The hints name `contact`, if there is one.
 */
export function readCaller(
  context: Parameters<typeof parseContext>[0],
  route: Route,
  limiter: Limiter,
  contact?: string,
): Caller {
  const key = parseContext(context);
  if (key === undefined) throw new Error('the gateway let a request through without a key context');
  const reason = findDenial(key, route);
  const denial = reason && forbidden(reason, contact);
  if (denial !== undefined && reason !== 'endpoint_not_in_plan') throw denial;
  return { keyPrefix: digestPrefix(key.digest), admission: limiter.admit(key), denial };
}

/** The 429 of a caller who was not admitted. */
export function rateLimited({ retryAfterSeconds = 1, refusal = 'key_bucket' }: Admission): ApiError {
  const { code, message, hint } = REFUSALS[refusal];
  return new ApiError(code, message, { hint, retryAfterSeconds });
}
