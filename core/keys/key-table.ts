/** The key table: one row per API key, keyed by the digest of its secret. */

import type { Row, Table } from '../store/table.ts';
import { isAccessTier, type KeyRow, keyLimits } from './entitlements.ts';
import { PLAIN_VALUES } from './key.ts';

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
