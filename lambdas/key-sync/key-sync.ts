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
} from '../../core/access/administration.ts';
import {
  type AccessTier,
  type KeyPrefix,
  type KeyRow,
  type KeyStore,
  keyLimits,
  readGatewayValue,
} from '../../core/access/keys.ts';
import { type Instant, MINUTE_MS } from '../../core/reference/time.ts';

/** A loss of at most this many keys is applied at once, or of this share of the enabled keys, rounded up. */
const SMALL_LOSS = { keys: 3, share: 0.05 } as const;
/** How long a larger loss is held. By the clock, because events and the key command start runs at any time. */
const HOLD_MS = 15 * MINUTE_MS;

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
  /** Called with the rows that keep for now a plan that the gateway no longer has for them. */
  readonly onHeldLoss: (rows: readonly KeyRow[]) => void;
  /** The wall clock. */
  readonly now: () => Instant;
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
  return { keys, plans, planOf };
}

const tierOf = ({ tier }: AdministeredPlan, { tiers }: KeyScope): AccessTier | undefined =>
  tiers.find((known) => known === tier);

/** By digest. If several keys share a secret, a key of the key command wins over one made in the console, then the first by id. */
function wantedRows(
  keys: readonly AdministeredKey[],
  planOf: ReadonlyMap<string, AdministeredPlan>,
  scope: KeyScope,
  stored: readonly KeyRow[],
): Map<string, KeyRow> {
  const wanted = new Map<string, KeyRow>();
  // A key that lost its tag, or was restored without it, must not be locked out.
  const digests = new Set(stored.filter(({ heldAs }) => heldAs === undefined).map(({ digest }) => digest));
  const read = ({ value, stage }: AdministeredKey) =>
    readGatewayValue(value, scope.prefix, stage === scope.stage || digests.has(value ?? ''));
  const usable = keys.flatMap((key) => {
    const held = read(key);
    return held === undefined ? [] : [{ key, held, rank: held.heldAs === undefined ? 0 : 1 }];
  });
  for (const { key, held } of usable.toSorted((a, b) => a.rank - b.rank || (a.key.id < b.key.id ? -1 : 1))) {
    if (wanted.has(held.digest)) continue;
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

/**
 * Rows of keys that the gateway still has enabled but on no plan with a tier, where there are enough of them that a slip in the
 * console is likelier than an intention, or where no plan has their tier any more. Each is held from when its loss was first seen.
 */
function heldLosses(
  stored: readonly KeyRow[],
  wanted: ReadonlyMap<string, KeyRow>,
  { keys, plans }: { keys: readonly AdministeredKey[]; plans: readonly AdministeredPlan[] },
  now: Instant,
): KeyRow[] {
  const enabledIds = new Set(keys.filter(({ enabled }) => enabled).map(({ id }) => id));
  const enabled = stored.filter((row) => row.enabled);
  const losses = enabled.filter(
    ({ digest, keyId, tier }) =>
      tier !== undefined && enabledIds.has(keyId) && wanted.get(digest)?.tier === undefined,
  );
  const allowed = Math.max(SMALL_LOSS.keys, Math.ceil(SMALL_LOSS.share * enabled.length));
  const isTierGone = losses.some((row) => !plans.some(({ tier }) => tier === row.tier));
  if (losses.length <= allowed && !isTierGone) return [];
  return losses
    .map((row) => ({ ...row, lossSince: row.lossSince ?? now }))
    .filter(({ lossSince }) => now - lossSince < HOLD_MS);
}

/** Throws KeyAdministrationFailure when the listing fails or lacks the expected key, StoreFailure when the table fails. */
export const createKeySync =
  ({ listing, keys, scope, copy, onIgnored, onUnknownTier, onHeldLoss, now }: KeySyncDependencies) =>
  async (expected?: ExpectedKey) => {
    const stored = await keys.all();
    const listed = await listAll(listing, stored);
    const ours = listed.keys.filter((key) => belongsTo(scope.stage, key, listed.planOf));
    const wanted = wantedRows(ours, listed.planOf, scope, stored);
    const held = heldLosses(stored, wanted, listed, now());
    for (const row of held) wanted.set(row.digest, row);
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
    if (held.length > 0) onHeldLoss(held);
    return {
      written: rows.length,
      removed: removed.length,
      unchanged: wanted.size - rows.length,
      ignored: ignored.length,
      held: held.length,
    };
  };
