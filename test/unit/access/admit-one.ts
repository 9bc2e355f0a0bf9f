/** The decision of a token bucket on one request. */
import {
  admitSome,
  admittedAgainAt,
  type BucketLimits,
  type Micros,
} from '../../../core/access/token-bucket.ts';

/** `tat` is the state before, undefined for a bucket that was never used; `retryAt` is when the next request is admitted. */
export function admitOne(tat: Micros | undefined, now: Micros, limits: BucketLimits) {
  const share = admitSome(tat, now, limits, 1);
  return { admitted: share.admitted === 1, tat: share.tat, retryAt: admittedAgainAt(share.tat, limits) };
}
