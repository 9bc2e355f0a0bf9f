/** When to retry: after Retry-After if the service sends it, else with exponential backoff and jitter. */
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;
const JITTER = 0.2;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Statuses that a retry may fix. Any other 4xx would come again, because the request itself is wrong. */
export const isRetryable = (status: number): boolean => status === 429 || status >= 500;

/**
 * Wait before retry number `retry` (0 is the first): 1, 2, 4, 8 s and so on, each up to 20 % shorter or longer,
 * never above 30 s. `chance` is uniform in 0..1.
 */
export const backoffMs = (retry: number, chance: number): number =>
  Math.min(MAX_WAIT_MS, Math.round(FIRST_WAIT_MS * 2 ** retry * (1 - JITTER + 2 * JITTER * chance)));

/** Seconds that a Retry-After value asks for, as a number or as an HTTP date; undefined when it is neither. */
export function retryAfterSeconds(value: string | null, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1_000));
}
