/** The decision of a token bucket on one request. */
import {
  admitSome,
  admittedAgainAt,
  type BucketLimits,
  type Micros,
} from '../../../core/limits/token-bucket.ts';

type Decision =
  | { readonly admitted: true; readonly tat: Micros }
  | { readonly admitted: false; readonly tat: Micros; readonly retryAt: Micros };

/** `tat` is the state before, undefined for a bucket that was never used. */
export function admitOne(tat: Micros | undefined, now: Micros, limits: BucketLimits): Decision {
  const share = admitSome(tat, now, limits, 1);
  if (share.admitted === 1) return { admitted: true, tat: share.tat };
  return { admitted: false, tat: share.tat, retryAt: admittedAgainAt(share.tat, limits) };
}
