/** The circuit of a source: after repeated failures it is fetched less and less often, until a fetch succeeds. */
import { HOUR_MS, type Instant, MINUTE_MS } from '../../reference/time.ts';

/** Failures in a row that count as transient; the next one pauses the source. */
export const FAILURES_BEFORE_PAUSE = 4;
const FIRST_PAUSE_MS = 10 * MINUTE_MS;
const MAX_PAUSE_MS = 6 * HOUR_MS;

/**
 * Until when a source is paused after `failures` failures in a row, the last time at `failedAt`;
 * undefined while it may be fetched on its schedule. The pause doubles from ten minutes to six hours, and is never
 * shorter than the upstream's `Retry-After`.
 */
export function pausedUntil(
  failures: number,
  failedAt: Instant,
  retryAfterSeconds: number | undefined,
): Instant | undefined {
  const asked = failedAt + (retryAfterSeconds ?? 0) * 1000;
  const doublings = failures - FAILURES_BEFORE_PAUSE - 1;
  const own = doublings < 0 ? failedAt : failedAt + Math.min(FIRST_PAUSE_MS * 2 ** doublings, MAX_PAUSE_MS);
  const until = Math.max(asked, own);
  return until > failedAt ? until : undefined;
}
