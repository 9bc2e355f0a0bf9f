/** The changes that make the key table equal to the gateway's control plane. */
import { type AccessTier, type KeyRow, limitsOf } from './entitlements.ts';
import { isDigest } from './key.ts';
import { type AdministeredKey, type AdministeredPlan, belongsTo } from './key-administration.ts';

/** One complete listing of the control plane. */
export interface KeyListingResult {
  readonly keys: readonly AdministeredKey[];
  readonly plans: readonly AdministeredPlan[];
  /** Plan id by key id, for the keys that are on a plan of this stage. */
  readonly planIdOf: ReadonlyMap<string, string>;
}

export interface KeyScope {
  readonly stage: string;
  /** The tiers that a plan's tag may name here. */
  readonly tiers: readonly AccessTier[];
}

export interface Reconciliation {
  /** Rows to write: new ones and those that differ. */
  readonly rows: readonly KeyRow[];
  /** Digests of deleted keys. */
  readonly removedDigests: readonly string[];
  readonly unchanged: number;
  /** Ids of keys of this stage that were made by hand: their value is not a digest, so they admit no request. */
  readonly ignoredKeyIds: readonly string[];
}

function rowOf(
  key: AdministeredKey,
  digest: string,
  plan: AdministeredPlan | undefined,
  scope: KeyScope,
): KeyRow {
  const base = { digest, keyId: key.id, name: key.name, enabled: key.enabled };
  if (plan === undefined) return base;
  const tier = scope.tiers.find((one) => one === plan.tier);
  if (tier === undefined) return base;
  const limits = limitsOf(tier, plan.throttle);
  return { ...base, planId: plan.id, tier, limits };
}

const same = (a: KeyRow, b: KeyRow): boolean =>
  a.keyId === b.keyId &&
  a.name === b.name &&
  a.enabled === b.enabled &&
  a.planId === b.planId &&
  a.tier === b.tier &&
  a.limits?.ratePerSecond === b.limits?.ratePerSecond &&
  a.limits?.burst === b.limits?.burst;

/** Compares the keys of this stage of this API with `stored`, the rows of the key table. */
export function reconcile(
  listing: KeyListingResult,
  stored: readonly KeyRow[],
  scope: KeyScope,
): Reconciliation {
  const plans = new Map<string | undefined, AdministeredPlan>(listing.plans.map((plan) => [plan.id, plan]));
  const ours = listing.keys.filter((key) => belongsTo(scope.stage, key, listing.planIdOf));
  const wanted = ours.flatMap((key) => {
    const { id, value: digest } = key;
    return isDigest(digest) ? [rowOf(key, digest, plans.get(listing.planIdOf.get(id)), scope)] : [];
  });
  const storedByDigest = new Map(stored.map((row) => [row.digest, row]));
  const rows = wanted.filter((row) => {
    const before = storedByDigest.get(row.digest);
    return before === undefined || !same(before, row);
  });
  const wantedDigests = new Set(wanted.map(({ digest }) => digest));
  return {
    rows,
    removedDigests: stored.map(({ digest }) => digest).filter((digest) => !wantedDigests.has(digest)),
    unchanged: wanted.length - rows.length,
    ignoredKeyIds: ours.filter(({ value }) => !isDigest(value)).map(({ id }) => id),
  };
}
