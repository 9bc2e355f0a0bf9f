/** What a key is entitled to: its tier, its limits, and the endpoints of its plan. */
import { PLANS, TIERS, type Tier } from '../contracts/plans.ts';
import type { Route } from '../contracts/route.ts';
import {
  type BucketLimits,
  emissionInterval,
  isLimits,
  MICROS_PER_SECOND,
  minuteAllotment,
} from '../limits/token-bucket.ts';
import { type Instant, SECOND_MS } from '../reference/time.ts';
import { isDigest, type PlainValue } from './key.ts';

/** The tier for benchmarks, on one machine only: all endpoints, no limits. */
export const BENCH_TIER = 'bench';
export type AccessTier = Tier | typeof BENCH_TIER;
/** The tiers of a deployed stage. */
export const PUBLISHED_TIERS: readonly AccessTier[] = TIERS;
/** The tiers of the service on one machine. */
export const LOCAL_TIERS: readonly AccessTier[] = [...TIERS, BENCH_TIER];

export const isAccessTier = (text: unknown): text is AccessTier =>
  (LOCAL_TIERS as readonly unknown[]).includes(text);

export const planIncludes = (tier: AccessTier, { excludedPlans }: Route): boolean =>
  !(excludedPlans as readonly AccessTier[] | undefined)?.includes(tier);

/** The plan's own throttle, else the published limits, which a plan promises even without one; none for the bench tier. */
export function keyLimits(tier: AccessTier, throttle: BucketLimits | undefined): BucketLimits | undefined {
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
  /** When it was made, ISO 8601; only on one machine, elsewhere the gateway knows it. */
  readonly created?: string;
  /** The plan's id and tier; absent for a key on no plan of this stage, or on one without a tier. */
  readonly planId?: string;
  readonly tier?: AccessTier;
  /** Absent without a plan, and on the tier without limits. */
  readonly limits?: BucketLimits;
  /** Instant at which the gateway was first seen without this plan, while the reconciliation holds the loss. */
  readonly lossSince?: Instant;
}

const KEY_STATES = ['active', 'disabled', 'unplanned'] as const;
type KeyState = (typeof KEY_STATES)[number];

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
export function findDenial({ state, tier }: KeyContext, route: Route): Denial | undefined {
  if (state === 'disabled') return 'key_disabled';
  if (tier === undefined) return 'key_unplanned';
  return planIncludes(tier, route) ? undefined : 'endpoint_not_in_plan';
}

// The strings that the authorizer passes, through the gateway, to the functions and to the gateway's own responses.

/** How long the gateway caches an authorizer's decision, in seconds. */
export const AUTHORIZER_TTL_SECONDS = 60;

/** The names that gateway responses refer to as `context.authorizer.<name>`. */
export const CONTEXT_RATE_LIMIT = 'rateLimitLimit';
export const CONTEXT_RATE_RESET = 'rateLimitReset';

/** Values are strings: the gateway takes neither objects nor lists. */
type AuthorizerContext = Readonly<Record<string, string>>;

const UNLIMITED = 'none';

/** Instant by which any bucket of these limits is full, for as long as the gateway caches the decision. */
const latestReset = (limits: BucketLimits, now: Instant): number =>
  Math.ceil(now / SECOND_MS) +
  AUTHORIZER_TTL_SECONDS +
  Math.ceil((limits.burst * emissionInterval(limits)) / MICROS_PER_SECOND);

/** What the service needs to know about the key in `row`. */
export function keyContext({ digest, enabled, tier, limits }: KeyRow): KeyContext {
  if (!enabled) return { digest, state: 'disabled' };
  if (tier === undefined) return { digest, state: 'unplanned' };
  return { digest, state: 'active', tier, limits: keyLimits(tier, limits) };
}

/** The context as strings. `now` is the wall clock. */
export function encodeContext(key: KeyContext, now: Instant): AuthorizerContext {
  const base = { keyDigest: key.digest, keyState: key.state };
  if (key.tier === undefined) return base;
  const { tier, limits } = key;
  return {
    ...base,
    tier,
    rate: limits ? String(limits.ratePerSecond) : UNLIMITED,
    burst: limits ? String(limits.burst) : UNLIMITED,
    ...(limits && {
      [CONTEXT_RATE_LIMIT]: String(minuteAllotment(limits)),
      [CONTEXT_RATE_RESET]: String(latestReset(limits, now)),
    }),
  };
}

const isKeyState = (text: unknown): text is KeyState => (KEY_STATES as readonly unknown[]).includes(text);

/** Reads back what `encodeContext` wrote; undefined for anything else, which must not admit a request. */
export function parseContext(
  context: Readonly<Record<string, unknown>> | null | undefined,
): KeyContext | undefined {
  const { keyDigest, keyState, tier, rate, burst } = context ?? {};
  if (!isDigest(keyDigest) || !isKeyState(keyState)) return undefined;
  if (keyState !== 'active') return { digest: keyDigest, state: keyState };
  if (!isAccessTier(tier)) return undefined;
  const known: KeyContext = { digest: keyDigest, state: keyState, tier };
  if (tier === BENCH_TIER) return rate === UNLIMITED && burst === UNLIMITED ? known : undefined;
  const limits = { ratePerSecond: Number(rate), burst: Number(burst) };
  return isLimits(limits) ? { ...known, limits } : undefined;
}
