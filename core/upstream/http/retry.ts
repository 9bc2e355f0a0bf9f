/** When to retry an upstream: the delay before a retry, and the circuit of a source. */
import { HOUR_MS, type Instant, MINUTE_MS } from '../../reference/time.ts';
import { HTTP_TIME, WHOLE_NUMBER } from '../fields.ts';

/** First and longest step of the exponential back-off, in milliseconds. */
const FIRST_STEP_MS = 500;
const MAX_STEP_MS = 20_000;

/** Statuses of transient failures. */
const RETRIED_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

export const mayRetry = (status: number): boolean => RETRIED_STATUSES.has(status);

/** Full jitter: uniform between 0 and the doubled step of `attempt` (0 = the first retry). `random` is in [0, 1). */
export const jitteredDelayMs = (attempt: number, random: () => number): number =>
  Math.round(random() * Math.min(MAX_STEP_MS, FIRST_STEP_MS * 2 ** attempt));

/** Seconds of a `Retry-After` header (RFC 9110, 10.2.3), rounded up, not below 0; undefined when missing or invalid. */
export function parseRetryAfter(header: string | undefined, nowAt: Instant): number | undefined {
  const text = header?.trim() ?? '';
  const seconds = text.length > 9 ? undefined : WHOLE_NUMBER.read(text);
  if (seconds !== undefined) return seconds;
  const at = HTTP_TIME.read(text);
  return at === undefined ? undefined : Math.max(0, Math.ceil((at - nowAt) / 1000));
}

// The circuit of a source: after repeated failures it is fetched less and less often, until a fetch succeeds.

/** Failures in a row that count as transient; the next one pauses the source. */
export const FAILURES_BEFORE_PAUSE = 4;
const FIRST_PAUSE_MS = 10 * MINUTE_MS;
const MAX_PAUSE_MS = 6 * HOUR_MS;

/**
 * Until when a source is paused after `failures` failures in a row, the last time at `failedAt`;
 * undefined while it may be fetched on its schedule. The pause doubles from ten minutes to six hours, and is not shorter than
 * the upstream's `Retry-After`, which counts up to six hours too.
 */
export function pausedUntil(
  failures: number,
  failedAt: Instant,
  retryAfterSeconds: number | undefined,
): Instant | undefined {
  const asked = failedAt + Math.min((retryAfterSeconds ?? 0) * 1000, MAX_PAUSE_MS);
  const doublings = failures - FAILURES_BEFORE_PAUSE - 1;
  const own = doublings < 0 ? failedAt : failedAt + Math.min(FIRST_PAUSE_MS * 2 ** doublings, MAX_PAUSE_MS);
  const until = Math.max(asked, own);
  return until > failedAt ? until : undefined;
}
