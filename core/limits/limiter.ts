/** The limiter: the token bucket in the table, and a cap per process while the table does not respond. */

import type { Clock } from '../reference/time.ts';
import type { TokenBuckets } from './bucket-table.ts';
import { OutageCap } from './outage-cap.ts';
import {
  type Admission,
  figuresOf,
  type Limiter,
  type LimiterFailure,
  rateLimitHeaders,
} from './rate-limit.ts';
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
