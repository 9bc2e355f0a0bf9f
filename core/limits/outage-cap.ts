/**
 * The limit while the table does not respond: a key's minute allotment in any 60 seconds, counted in this process alone. Looser than
 * the bucket over many processes, but never open.
 */
import { type Admission, rateLimitHeaders } from './rate-limit.ts';
import {
  type BucketLimits,
  CLOCK_JUMP,
  MICROS_PER_SECOND,
  type Micros,
  minuteAllotment,
  secondsUntilAdmitted,
} from './token-bucket.ts';

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
