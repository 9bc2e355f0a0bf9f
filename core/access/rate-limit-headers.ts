/** What a caller is told of its bucket: the RateLimit-* headers. */
import { HEADERS } from '../contracts/headers.ts';
import {
  type BucketLimits,
  intervalOf,
  MICROS_PER_SECOND,
  type Micros,
  minuteAllotment,
} from './token-bucket.ts';

export type RateLimitHeaders = Readonly<Record<string, string>>;

export interface RateLimitFigures {
  /** The minute's allotment. */
  readonly limit: number;
  /** What is left of it, 0 or more. */
  readonly remaining: number;
  /** UTC epoch second at which the whole allotment is back. */
  readonly resetSecond: number;
}

/** Headers that state `figures`. */
export const rateLimitHeaders = ({ limit, remaining, resetSecond }: RateLimitFigures): RateLimitHeaders => ({
  [HEADERS.rateLimitLimit]: String(limit),
  [HEADERS.rateLimitRemaining]: String(remaining),
  [HEADERS.rateLimitReset]: String(resetSecond),
});

/**
 * The figures of a bucket whose state is `tat`. Remaining = the minute's allotment less the requests not yet
 * drained; the burst beyond the allotment is tolerance and not promised. A burst below it cannot promise more than itself.
 */
export function figuresOf(tat: Micros, now: Micros, limits: BucketLimits): RateLimitFigures {
  const limit = minuteAllotment(limits);
  const undrained = Math.max(0, Math.ceil((tat - now) / intervalOf(limits)));
  return {
    limit,
    remaining: Math.max(0, Math.min(limit, limits.burst) - undrained),
    resetSecond: Math.ceil(Math.max(tat, now) / MICROS_PER_SECOND),
  };
}
