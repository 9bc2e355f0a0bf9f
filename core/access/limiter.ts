/** The limiter as the request chain sees it. */
import type { KeyContext } from './decision.ts';
import type { RateLimitHeaders } from './rate-limit-headers.ts';

export interface Admission {
  readonly admitted: boolean;
  /** The RateLimit-* headers of the answer; none for a key without limits. */
  readonly headers: RateLimitHeaders;
  /** Whole seconds, when refused. */
  readonly retryAfterSeconds?: number;
}

export interface Limiter {
  /** Spends one token of an active key. Never throws: a limiter that fails serves under a cap of its own. */
  admit(key: KeyContext): Promise<Admission>;
}

/** Why a decision was made without the table. */
export type LimiterFailure = 'slow' | 'failed';
