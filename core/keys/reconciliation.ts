/** The changes that make the key table equal to the gateway's control plane. */

import { type AdministeredKey, type AdministeredPlan, belongsTo } from './administration.ts';
import { type AccessTier, type KeyRow, keyLimits } from './entitlements.ts';
import { type HeldKey, isDigest, type KeyPrefix, readGatewayValue } from './key.ts';

/** One complete listing of the control plane. */
export interface KeyListingResult {
  readonly keys: readonly AdministeredKey[];
  readonly plans: readonly AdministeredPlan[];
  /** Plan id by key id, for the keys that are on a plan of this stage. */
  readonly planIdOf: ReadonlyMap<string, string>;
}

export interface KeyScope {
  readonly stage: string;
  /** Prefix of the keys of the stage. */
  readonly prefix: KeyPrefix;
  /** The tiers that a plan's tag may name here. */
  readonly tiers: readonly AccessTier[];
}

export interface Reconciliation {
  /** Rows to write: new ones and those that differ. */
  readonly rows: readonly KeyRow[];
  /** Digests of deleted keys. */
  readonly removedDigests: readonly string[];
  readonly unchanged: number;
  /**
   * Ids of keys of this stage that admit no request: no secret matches their value, or another key has the same secret.
   */
  readonly ignoredKeyIds: readonly string[];
}

function desiredRow(
  key: AdministeredKey,
  held: HeldKey,
  plan: AdministeredPlan | undefined,
  scope: KeyScope,
): KeyRow {
  const base = { ...held, keyId: key.id, name: key.name, enabled: key.enabled };
  if (plan === undefined) return base;
  const tier = scope.tiers.find((known) => known === plan.tier);
  if (tier === undefined) return base;
  const limits = keyLimits(tier, plan.throttle);
  return { ...base, planId: plan.id, tier, limits };
}

const same = (a: KeyRow, b: KeyRow): boolean =>
  a.heldAs === b.heldAs &&
  a.keyId === b.keyId &&
  a.name === b.name &&
  a.enabled === b.enabled &&
  a.planId === b.planId &&
  a.tier === b.tier &&
  a.limits?.ratePerSecond === b.limits?.ratePerSecond &&
  a.limits?.burst === b.limits?.burst;

interface UsableKey {
  readonly key: AdministeredKey;
  readonly held: HeldKey;
}

/** One key for each secret: a key of the key command before any made in the console, then the first by id. */
function usableKeys(keys: readonly AdministeredKey[], prefix: KeyPrefix): Map<string, UsableKey> {
  const usable = new Map<string, UsableKey>();
  const rank = ({ value }: AdministeredKey): number => (isDigest(value) ? 0 : 1);
  for (const key of keys.toSorted((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1))) {
    const held = readGatewayValue(key.value, prefix);
    if (held !== undefined && !usable.has(held.digest)) usable.set(held.digest, { key, held });
  }
  return usable;
}

/** Compares the keys of this stage of this API with `stored`, the rows of the key table. */
export function reconcile(
  listing: KeyListingResult,
  stored: readonly KeyRow[],
  scope: KeyScope,
): Reconciliation {
  const plans = new Map<string | undefined, AdministeredPlan>(listing.plans.map((plan) => [plan.id, plan]));
  const ours = listing.keys.filter((key) => belongsTo(scope.stage, key, listing.planIdOf));
  const usable = usableKeys(ours, scope.prefix);
  const usableIds = new Set([...usable.values()].map(({ key }) => key.id));
  const wanted = [...usable.values()].map(({ key, held }) =>
    desiredRow(key, held, plans.get(listing.planIdOf.get(key.id)), scope),
  );
  const storedByDigest = new Map(stored.map((row) => [row.digest, row]));
  const rows = wanted.filter((row) => {
    const before = storedByDigest.get(row.digest);
    return before === undefined || !same(before, row);
  });
  return {
    rows,
    removedDigests: stored.map(({ digest }) => digest).filter((digest) => !usable.has(digest)),
    unchanged: wanted.length - rows.length,
    ignoredKeyIds: ours.map(({ id }) => id).filter((id) => !usableIds.has(id)),
  };
}
