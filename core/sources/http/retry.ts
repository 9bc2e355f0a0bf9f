/** Delay before a retry: exponential back-off with full jitter, and at least the upstream's `Retry-After`. */
import type { Instant } from '../../reference/time.ts';

/** First and longest step of the exponential back-off, in milliseconds. */
const FIRST_STEP_MS = 500;
const MAX_STEP_MS = 20_000;

/** Statuses of transient failures. */
const RETRIED_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

export const mayRetry = (status: number): boolean => RETRIED_STATUSES.has(status);

/** Full jitter: uniform between 0 and the doubled step of `attempt` (0 = the first retry). `random` is in [0, 1). */
export const jitteredDelayMs = (attempt: number, random: () => number): number =>
  Math.round(random() * Math.min(MAX_STEP_MS, FIRST_STEP_MS * 2 ** attempt));

/**
 * Seconds of a `Retry-After` header (RFC 9110, 10.2.3: delta seconds or an HTTP date), rounded up, not below 0;
 * undefined when it is missing or invalid.
 */
export function parseRetryAfter(header: string | undefined, nowAt: Instant): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  if (!/GMT$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowAt) / 1000));
}
