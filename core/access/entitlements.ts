/** What a tier includes, and the tier that is not a published plan. */
import { PLANS, TIERS, type Tier } from '../contracts/plans.ts';
import type { Route } from '../contracts/route.ts';
import { type BucketLimits, isLimits } from './token-bucket.ts';

/** The plan of measurements, on one machine only: all endpoints, no limit of any kind. */
export const BENCH_TIER = 'bench';
export type AccessTier = Tier | typeof BENCH_TIER;
/** The tiers of a deployed stage. */
export const PUBLISHED_TIERS: readonly AccessTier[] = TIERS;
/** The tiers of the service on one machine. */
export const LOCAL_TIERS: readonly AccessTier[] = [...TIERS, BENCH_TIER];

export const isAccessTier = (text: string): text is AccessTier =>
  text === BENCH_TIER || (TIERS as readonly string[]).includes(text);

export const planIncludes = (tier: AccessTier, { excludedPlans }: Route): boolean =>
  !(excludedPlans as readonly AccessTier[] | undefined)?.includes(tier);

/**
 * Limits of a key on a plan: the plan's own throttle, else the tier's published figures, because a plan whose
 * throttle was switched off still promises them. Undefined for the tier that has none.
 */
export function limitsOf(tier: AccessTier, throttle: BucketLimits | undefined): BucketLimits | undefined {
  if (tier === BENCH_TIER) return undefined;
  if (throttle && isLimits(throttle)) return throttle;
  const { ratePerSecond, burst } = PLANS[tier];
  return { ratePerSecond, burst };
}
