/** The rate limit as the chain sees it: the decision (made by `limiter.ts`) and its RateLimit-* headers. */
import { HEADERS } from '../contracts/headers.ts';
import type { KeyContext } from '../keys/entitlements.ts';
import {
  type BucketLimits,
  emissionInterval,
  MICROS_PER_SECOND,
  type Micros,
  minuteAllotment,
} from './token-bucket.ts';

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

export const rateLimitHeaders = ({ limit, remaining, resetSecond }: RateLimitFigures) => ({
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
