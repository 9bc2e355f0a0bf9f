/** API keys: their form, their digest, how the gateway holds them, and how a new one is made. Only the digest of a key is ever stored. */
import { createHash } from 'node:crypto';
import { PLANS, TIERS, type Tier } from '../contracts/plans.ts';
import type { Route } from '../contracts/route.ts';
import { type Instant, SECOND_MS } from '../reference/time.ts';
import type { Row, Table } from '../store/table.ts';
import {
  type BucketLimits,
  emissionInterval,
  isLimits,
  MICROS_PER_SECOND,
  minuteAllotment,
} from './token-bucket.ts';

/** Development keys and production keys, by the first two parts of their form; a stage takes one kind. */
export const KEY_PREFIXES = { dev: 'pcd_dev', live: 'pcd_live' } as const;
export type KeyKind = keyof typeof KEY_PREFIXES;
export type KeyPrefix = (typeof KEY_PREFIXES)[KeyKind];

const FORM = /^pcd_(dev|live)_[A-Za-z0-9]{24,64}$/;
const DIGEST = /^[0-9a-f]{64}$/;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 30;
const CHECKSUM_CHARACTERS = 6;
/** Bytes from this value on are rejected, because they would make some characters more likely than others. */
const EVEN_BYTES = 256 - (256 % ALPHABET.length);

/** Whether the text has the form of a key. Does not check that the key exists. */
export const isKeyForm = (text: string): boolean => FORM.test(text);

/** Whether the text has the form of a key that a stage with this prefix takes. */
export const isKeyOf = (prefix: KeyPrefix, text: string): boolean =>
  isKeyForm(text) && text.startsWith(`${prefix}_`);

/** SHA-256 of the key, 64 lower-case hex digits, which identifies the key in tables, the gateway and logs. */
export const keyDigest = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const isDigest = (text: unknown): text is string => typeof text === 'string' && DIGEST.test(text);

/** Values of keys made in the console, where no digest can be made: the whole secret, or what follows the prefix. */
const PLAIN_VALUES = ['secret', 'remainder'] as const;
export type PlainValue = (typeof PLAIN_VALUES)[number];

/** What the value of a gateway key reveals. */
export interface HeldKey {
  /** Digest of the secret that a caller sends. */
  readonly digest: string;
  /** Absent where the value is the digest. */
  readonly heldAs?: PlainValue;
}

/**
 * The key behind the value of a gateway key; undefined where no secret of the stage matches the value. 64 hex digits are a
 * digest only where `isOurs` says that this service made the value: `openssl rand -hex 32` prints a secret that looks the same.
 */
export function readGatewayValue(
  value: string | undefined,
  prefix: KeyPrefix,
  isOurs: boolean,
): HeldKey | undefined {
  if (value === undefined) return undefined;
  if (isOurs && isDigest(value)) return { digest: value };
  if (isKeyOf(prefix, value)) return { digest: keyDigest(value), heldAs: 'secret' };
  const secret = `${prefix}_${value}`;
  return isKeyOf(prefix, secret) ? { digest: keyDigest(secret), heldAs: 'remainder' } : undefined;
}

/** The value of the gateway key of `secret`, by which the gateway counts requests against its plan. */
export function gatewayValue(secret: string, heldAs: PlainValue | undefined): string {
  if (heldAs === undefined) return keyDigest(secret);
  return heldAs === 'secret' ? secret : secret.slice(secret.lastIndexOf('_') + 1);
}

/** The part of a digest that is shown in lists and logs. */
export const digestPrefix = (digest: string): string => digest.slice(0, 8);

/** Six characters of the SHA-256 of the text before them, so that scanners can distinguish a leaked key from a chance match. */
function checksum(body: string): string {
  let rest = Number.parseInt(keyDigest(body).slice(0, 12), 16);
  let text = '';
  for (let place = 0; place < CHECKSUM_CHARACTERS; place += 1) {
    text += ALPHABET.charAt(rest % ALPHABET.length);
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

/** Whether the key ends in its checksum, as minted keys do. Access never depends on it. */
export const checksumHolds = (secret: string): boolean =>
  isKeyForm(secret) && secret.slice(-CHECKSUM_CHARACTERS) === checksum(secret.slice(0, -CHECKSUM_CHARACTERS));

/** A new key: prefix, 30 characters of base 62 (178 bits), 6 of checksum; `randomBytes` must be cryptographically strong. */
export function mintKey(kind: KeyKind, randomBytes: (count: number) => Uint8Array): string {
  let text = '';
  while (text.length < RANDOM_CHARACTERS) {
    for (const byte of randomBytes(RANDOM_CHARACTERS)) {
      if (byte < EVEN_BYTES && text.length < RANDOM_CHARACTERS)
        text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  const body = `${KEY_PREFIXES[kind]}_${text}`;
  return body + checksum(body);
}

// What a key is entitled to: its tier, its limits, and the endpoints of its plan.

/** The tier for benchmarks, on one machine only: all endpoints, no limits. */
export const BENCH_TIER = 'bench';
export type AccessTier = Tier | typeof BENCH_TIER;
/** The tiers of a deployed stage. */
export const PUBLISHED_TIERS: readonly AccessTier[] = TIERS;
/** The tiers of the service on one machine. */
export const LOCAL_TIERS: readonly AccessTier[] = [...TIERS, BENCH_TIER];

const isAccessTier = (text: unknown): text is AccessTier =>
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

/** One API key: a row of the key table, found by the digest of its secret. */
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

// The key table: one row per API key, keyed by the digest of its secret.

export type KeyStore = ReturnType<typeof createKeyStore>;

/** A row with an unreadable plan is treated as a key without a plan, which is refused. */
function keyRow(row: Row): KeyRow {
  const { digest, heldAs, keyId, name, enabled, created, planId, tier, ratePerSecond, burst, lossSince } =
    row;
  const plain = PLAIN_VALUES.find((value) => value === heldAs);
  const base = {
    digest: String(digest),
    ...(plain && { heldAs: plain }),
    keyId: String(keyId),
    name: String(name),
    enabled: enabled === true,
    ...(typeof created === 'string' && { created }),
  };
  if (typeof planId !== 'string' || !isAccessTier(tier)) return base;
  const limits = keyLimits(tier, { ratePerSecond: Number(ratePerSecond), burst: Number(burst) });
  return { ...base, planId, tier, limits, ...(typeof lossSince === 'number' && { lossSince }) };
}

const tableRow = ({ limits, ...key }: KeyRow): Row => ({ ...key, ...limits });

export function createKeyStore(table: Table) {
  /** Lookups in flight; requests for the same digest share one. */
  const asked = new Map<string, Promise<KeyRow | undefined>>();

  return {
    /** Undefined when no key has the digest. Throws StoreFailure when the table does not respond. */
    find(digest: string): Promise<KeyRow | undefined> {
      const underWay = asked.get(digest);
      if (underWay !== undefined) return underWay;
      // Consistent: the gateway caches the refusal that a copy without a key just made would cause.
      const lookup = table
        .get({ digest }, true)
        .then((row) => row && keyRow(row))
        .finally(() => asked.delete(digest));
      asked.set(digest, lookup);
      return lookup;
    },
    all: async (): Promise<KeyRow[]> => (await table.scan()).map(keyRow),
    /** Writes and removes rows. Not atomic, and idempotent. */
    async change(rows: readonly KeyRow[], removedDigests: readonly string[]): Promise<void> {
      const removed = removedDigests.map((digest) => ({ digest }));
      if (rows.length + removed.length > 0) await table.writeMany(rows.map(tableRow), removed);
    },
  };
}
