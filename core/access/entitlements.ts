/** What a key is entitled to: its tier, its limits, and the endpoints of its plan. */
import { PLANS, TIERS, type Tier } from '../contracts/plans.ts';
import type { Route } from '../contracts/route.ts';
import type { PlainValue } from './key.ts';
import { type BucketLimits, isLimits } from './token-bucket.ts';

/** The tier for benchmarks, on one machine only: all endpoints, no limits. */
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
 * Limits of a key on a plan: the plan's own throttle, else the tier's published limits, which a plan promises even when
 * its throttle is switched off. Undefined for the tier without limits.
 */
export function limitsOf(tier: AccessTier, throttle: BucketLimits | undefined): BucketLimits | undefined {
  if (tier === BENCH_TIER) return undefined;
  if (throttle && isLimits(throttle)) return throttle;
  const { ratePerSecond, burst } = PLANS[tier];
  return { ratePerSecond, burst };
}

/** One API key as a row of the key table, whose key is the digest of the secret. */
export interface KeyRow {
  readonly digest: string;
  /** How the gateway holds a key that was made in the console; absent where its value is the digest. */
  readonly heldAs?: PlainValue;
  /** The gateway's id of the key. */
  readonly keyId: string;
  readonly name: string;
  readonly enabled: boolean;
  /** The plan's id and tier; absent for a key on no plan of this stage, or on one without a tier. */
  readonly planId?: string;
  readonly tier?: AccessTier;
  /** Absent without a plan, and on the tier without limits. */
  readonly limits?: BucketLimits;
}

export const KEY_STATES = ['active', 'disabled', 'unplanned'] as const;
export type KeyState = (typeof KEY_STATES)[number];

export const keyStateOf = (row: KeyRow): KeyState => {
  if (!row.enabled) return 'disabled';
  return row.tier === undefined ? 'unplanned' : 'active';
};

/** What the authorizer passes on about a key. */
export interface KeyContext {
  readonly digest: string;
  readonly state: KeyState;
  /** Absent unless the key is active. */
  readonly tier?: AccessTier;
  /** Absent for a key without limits, and for one that is denied. */
  readonly limits?: BucketLimits;
}

/** Why a known key is denied access. */
export type Denial = 'key_disabled' | 'key_unplanned' | 'endpoint_not_in_plan';

/** Why `key` may not use the endpoint; undefined when it may. */
export function denialOf({ state, tier }: KeyContext, route: Route): Denial | undefined {
  if (state === 'disabled') return 'key_disabled';
  if (state === 'unplanned' || tier === undefined) return 'key_unplanned';
  return planIncludes(tier, route) ? undefined : 'endpoint_not_in_plan';
}
