/**
 * Makes the key table equal to the gateway's keys, plans and memberships. Everything is listed before anything is written, so
 * a failed listing changes nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  type AdministeredKey,
  type AdministeredPlan,
  belongsTo,
  KeyAdministrationFailure,
  type KeyListing,
} from '../../core/keys/administration.ts';
import { type AccessTier, type KeyRow, keyLimits } from '../../core/keys/entitlements.ts';
import { isDigest, type KeyPrefix, readGatewayValue } from '../../core/keys/key.ts';
import type { KeyStore } from '../../core/keys/key-table.ts';

interface KeyScope {
  readonly stage: string;
  /** Prefix of the keys of the stage. */
  readonly prefix: KeyPrefix;
  /** The tiers that a plan's tag may name here. */
  readonly tiers: readonly AccessTier[];
}

interface KeySyncDependencies {
  readonly listing: KeyListing;
  readonly keys: Pick<KeyStore, 'all' | 'change'>;
  readonly scope: KeyScope;
  /** Writes all rows to where they outlive the region; absent where nothing does. */
  readonly copy?: ((rows: readonly KeyRow[]) => Promise<void>) | undefined;
  /** Keys of this stage that admit no request: no secret matches their value, or another key has the same secret. */
  readonly onIgnored: (keyIds: readonly string[]) => void;
  /** Called with the plans whose tag names no tier: every key on them is refused. */
  readonly onUnknownTier: (plans: readonly AdministeredPlan[]) => void;
}

/** A key that the table must have after a run, on its plan. */
export interface ExpectedKey {
  readonly keyId: string;
  readonly planId?: string | undefined;
}

/** Plan by key id. */
async function memberships(
  listing: KeyListing,
  plans: readonly AdministeredPlan[],
): Promise<Map<string, AdministeredPlan>> {
  const planOf = new Map<string, AdministeredPlan>();
  for (const plan of plans) {
    for (const keyId of await listing.keyIdsOf(plan.id)) planOf.set(keyId, plan);
  }
  return planOf;
}

/** One complete listing of the control plane. */
async function listAll(listing: KeyListing, stored: readonly KeyRow[]) {
  const keys = await listing.keys();
  const plans = await listing.plans();
  const first = await memberships(listing, plans);
  const there = new Set(keys.map(({ id }) => id));
  const lost = stored.some(
    ({ keyId, planId }) => planId !== undefined && there.has(keyId) && !first.has(keyId),
  );
  // A key that is moved while the plans are listed can be missing from both: list again before locking it out.
  const planOf = lost ? new Map([...first, ...(await memberships(listing, plans))]) : first;
  return { keys, planOf };
}

const tierOf = ({ tier }: AdministeredPlan, { tiers }: KeyScope): AccessTier | undefined =>
  tiers.find((known) => known === tier);

/** By digest. Of several keys with one secret: a key of the key command before any made in the console, then the first by id. */
function wantedRows(
  keys: readonly AdministeredKey[],
  planOf: ReadonlyMap<string, AdministeredPlan>,
  scope: KeyScope,
): Map<string, KeyRow> {
  const wanted = new Map<string, KeyRow>();
  const rank = ({ value }: AdministeredKey): number => (isDigest(value) ? 0 : 1);
  for (const key of keys.toSorted((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1))) {
    const held = readGatewayValue(key.value, scope.prefix);
    if (held === undefined || wanted.has(held.digest)) continue;
    const { id: keyId, name, enabled } = key;
    const plan = planOf.get(keyId);
    const tier = plan && tierOf(plan, scope);
    wanted.set(held.digest, {
      ...held,
      keyId,
      name,
      enabled,
      ...(tier && { planId: plan.id, tier, limits: keyLimits(tier, plan.throttle) }),
    });
  }
  return wanted;
}

/** Throws KeyAdministrationFailure when the listing fails or lacks the expected key, StoreFailure when the table fails. */
export const createKeySync =
  ({ listing, keys, scope, copy, onIgnored, onUnknownTier }: KeySyncDependencies) =>
  async (expected?: ExpectedKey) => {
    const stored = await keys.all();
    const listed = await listAll(listing, stored);
    const ours = listed.keys.filter((key) => belongsTo(scope.stage, key, listed.planOf));
    const wanted = wantedRows(ours, listed.planOf, scope);
    const before = new Map(stored.map((row) => [row.digest, row]));
    const rows = [...wanted.values()].filter((row) => !isDeepStrictEqual(row, before.get(row.digest)));
    const removed = [...before.keys()].filter((digest) => !wanted.has(digest));
    await keys.change(rows, removed);
    if (expected !== undefined) {
      const row = [...rows, ...stored].find(({ keyId }) => keyId === expected.keyId);
      if (row === undefined || row.planId !== expected.planId)
        throw new KeyAdministrationFailure('unavailable', `the listing lacks the new key ${expected.keyId}`);
    }
    await copy?.(await keys.all());
    const used = new Set([...wanted.values()].map(({ keyId }) => keyId));
    const ignored = ours.map(({ id }) => id).filter((id) => !used.has(id));
    if (ignored.length > 0) onIgnored(ignored);
    const unknown = [...new Set(listed.planOf.values())].filter((plan) => tierOf(plan, scope) === undefined);
    if (unknown.length > 0) onUnknownTier(unknown);
    return {
      written: rows.length,
      removed: removed.length,
      unchanged: wanted.size - rows.length,
      ignored: ignored.length,
    };
  };
