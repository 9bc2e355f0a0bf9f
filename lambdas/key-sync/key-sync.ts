/**
 * Makes the key table equal to the gateway's keys, plans and memberships: created, disabled, moved and deleted keys,
 * edited limits. Everything is listed before anything is written, so a failed listing changes nothing. Running it again
 * changes nothing either.
 */

import {
  type AdministeredPlan,
  KeyAdministrationFailure,
  type KeyListing,
} from '../../core/keys/administration.ts';
import type { KeyRow } from '../../core/keys/entitlements.ts';
import type { KeyStore } from '../../core/keys/key-table.ts';
import {
  type KeyListingResult,
  type KeyScope,
  type Reconciliation,
  reconcile,
} from '../../core/keys/reconciliation.ts';

export interface KeySyncDependencies {
  readonly listing: KeyListing;
  readonly keys: Pick<KeyStore, 'all' | 'change'>;
  readonly scope: KeyScope;
  /** Writes all rows to where they outlive the region; absent where nothing does. */
  readonly copy?: ((rows: readonly KeyRow[]) => Promise<void>) | undefined;
  /** Called with the keys that admit no request, whatever is sent. */
  readonly onIgnored: (keyIds: readonly string[]) => void;
  /** Called with the plans whose tag names no tier: every key on them is refused. */
  readonly onUnknownTier: (plans: readonly AdministeredPlan[]) => void;
}

/** How many rows a run wrote, removed and left as they were, and how many keys it ignored. */
export interface KeySyncReport {
  readonly written: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly ignored: number;
}

/** A key that the table must have after a run, on its plan. */
export interface ExpectedKey {
  readonly keyId: string;
  readonly planId?: string | undefined;
}

async function memberships(
  listing: KeyListing,
  plans: readonly { readonly id: string }[],
): Promise<Map<string, string>> {
  const planIdOf = new Map<string, string>();
  for (const { id } of plans) {
    for (const keyId of await listing.keyIdsOf(id)) planIdOf.set(keyId, id);
  }
  return planIdOf;
}

async function listAll(
  listing: KeyListing,
  stored: readonly { keyId: string; planId?: string }[],
): Promise<KeyListingResult> {
  const keys = await listing.keys();
  const plans = await listing.plans();
  const first = await memberships(listing, plans);
  const there = new Set(keys.map(({ id }) => id));
  const lost = stored.some(
    ({ keyId, planId }) => planId !== undefined && there.has(keyId) && !first.has(keyId),
  );
  // A key that is moved while the plans are listed can be missing from both: list again before locking it out.
  const planIdOf = lost ? new Map([...first, ...(await memberships(listing, plans))]) : first;
  return { keys, plans, planIdOf };
}

/**
 * Throws KeyAdministrationFailure when the listing fails or lacks the expected key, StoreFailure when the table fails.
 */
export const createKeySync =
  ({ listing, keys, scope, copy, onIgnored, onUnknownTier }: KeySyncDependencies) =>
  async (expected?: ExpectedKey): Promise<KeySyncReport> => {
    const stored = await keys.all();
    const listed = await listAll(listing, stored);
    const { rows, removedDigests, unchanged, ignoredKeyIds }: Reconciliation = reconcile(
      listed,
      stored,
      scope,
    );
    await keys.change(rows, removedDigests);
    if (expected !== undefined) {
      const row = [...rows, ...stored].find(({ keyId }) => keyId === expected.keyId);
      if (row === undefined || row.planId !== expected.planId)
        throw new KeyAdministrationFailure('unavailable', `the listing lacks the new key ${expected.keyId}`);
    }
    await copy?.(await keys.all());
    if (ignoredKeyIds.length > 0) onIgnored(ignoredKeyIds);
    const used = new Set(listed.planIdOf.values());
    const unknown = listed.plans.filter(
      ({ id, tier }) => used.has(id) && !scope.tiers.some((known) => known === tier),
    );
    if (unknown.length > 0) onUnknownTier(unknown);
    return {
      written: rows.length,
      removed: removedDigests.length,
      unchanged,
      ignored: ignoredKeyIds.length,
    };
  };
