/** The limiter: the token bucket in the table, and a cap per process while the table does not respond. */

import type { Clock } from '../reference/time.ts';
import type { TokenBuckets } from './bucket-table.ts';
import { OutageCap } from './outage-cap.ts';
import { figuresOf, type Limiter, type LimiterFailure, rateLimitHeaders } from './rate-limit.ts';
import { admittedAgainAt, secondsUntilAdmitted, toMicros } from './token-bucket.ts';

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

const SLOW = Symbol('slow');
/** Timer ticks per deadline. */
const STEPS = 10;

/** SLOW after the deadline, in ticks: time in which this process itself was too busy does not count. */
async function within<T>(deadlineMs: number, work: Promise<T>): Promise<T | typeof SLOW> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<typeof SLOW>((resolve) => {
    const step = (left: number): void => {
      timer = setTimeout(() => (left === 1 ? resolve(SLOW) : step(left - 1)), deadlineMs / STEPS);
    };
    step(STEPS);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

export function createLimiter(dependencies: LimiterDependencies): Limiter {
  const { buckets, now, onFailure, deadlineMs = LIMITER_DEADLINE_MS } = dependencies;
  const cap = new OutageCap();

  return {
    async admit({ digest, limits }) {
      if (limits === undefined) return { admitted: true, headers: {} };
      const micros = () => toMicros(now());
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
