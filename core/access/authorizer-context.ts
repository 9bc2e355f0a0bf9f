/** The strings that the authorizer passes, through the gateway, to the functions and to the gateway's own responses. */
import { type Instant, SECOND_MS } from '../reference/time.ts';
import {
  BENCH_TIER,
  isAccessTier,
  KEY_STATES,
  type KeyContext,
  type KeyRow,
  type KeyState,
  keyStateOf,
  limitsOf,
} from './entitlements.ts';
import { isDigest } from './key.ts';
import {
  type BucketLimits,
  intervalOf,
  isLimits,
  MICROS_PER_SECOND,
  minuteAllotment,
} from './token-bucket.ts';

/** How long the gateway caches an authorizer's decision, in seconds. */
export const AUTHORIZER_TTL_SECONDS = 60;

/** The names that gateway responses refer to as `context.authorizer.<name>`. */
export const CONTEXT_RATE_LIMIT = 'rateLimitLimit';
export const CONTEXT_RATE_RESET = 'rateLimitReset';

/** Values are strings: the gateway takes neither objects nor lists. */
export type AuthorizerContext = Readonly<Record<string, string>>;

const UNLIMITED = 'none';

/** Instant by which any bucket of these limits is full, for as long as the gateway caches the decision. */
const latestReset = (limits: BucketLimits, now: Instant): number =>
  Math.ceil(now / SECOND_MS) +
  AUTHORIZER_TTL_SECONDS +
  Math.ceil((limits.burst * intervalOf(limits)) / MICROS_PER_SECOND);

/** What the service needs to know about the key in `row`. */
export function keyContextOf(row: KeyRow): KeyContext {
  const state = keyStateOf(row);
  if (state !== 'active' || row.tier === undefined) return { digest: row.digest, state };
  const { digest, tier } = row;
  return { digest, state, tier, limits: limitsOf(tier, row.limits) };
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
  if (typeof tier !== 'string' || !isAccessTier(tier)) return undefined;
  const known: KeyContext = { digest: keyDigest, state: keyState, tier };
  if (tier === BENCH_TIER) return rate === UNLIMITED && burst === UNLIMITED ? known : undefined;
  const limits = { ratePerSecond: Number(rate), burst: Number(burst) };
  return isLimits(limits) ? { ...known, limits } : undefined;
}
