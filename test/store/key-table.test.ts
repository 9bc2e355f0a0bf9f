/** The key table. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KeyRow } from '../../core/keys/entitlements.ts';
import { keyDigest } from '../../core/keys/key.ts';
import { createKeyStore } from '../../core/keys/key-table.ts';
import { StoreFailure, type Table } from '../../core/store/table.ts';
import { startTestStore, type TestStore } from '../builders/store-tables.ts';

let store: TestStore<'apiKeys'>;
beforeAll(async () => {
  store = await startTestStore(['apiKeys']);
});
afterAll(() => store.close());

const planned = (name: string): KeyRow => ({
  digest: keyDigest(name),
  keyId: `id-${name}`,
  name,
  enabled: true,
  planId: 'plan',
  tier: 'pro',
  limits: { ratePerSecond: 2.5, burst: 600 },
});

describe('the key table', () => {
  it('returns the written row, with and without a plan, and without limits', async () => {
    const keys = createKeyStore(store.tables.apiKeys);
    const { limits, ...bench } = { ...planned('bench'), tier: 'bench' as const };
    const rows: KeyRow[] = [
      planned('acme'),
      { digest: keyDigest('lonely'), keyId: 'id', name: 'lonely', enabled: false },
      bench,
      { ...planned('console'), heldAs: 'remainder' },
    ];
    await keys.change(rows, []);
    for (const row of rows) expect(await keys.find(row.digest)).toEqual(row);
    expect(new Set((await keys.all()).map(({ name }) => name))).toEqual(
      new Set(['acme', 'lonely', 'bench', 'console']),
    );
    await keys.change(
      [],
      rows.map(({ digest }) => digest),
    );
    expect(await keys.all()).toEqual([]);
    expect(await keys.find(keyDigest('acme'))).toBeUndefined();
  });

  it('takes changes by the hundred, and the same again is the same', async () => {
    const keys = createKeyStore(store.tables.apiKeys);
    const rows = Array.from({ length: 120 }, (_, number) => planned(`client ${number}`));
    await keys.change(rows, []);
    await keys.change(rows, []);
    expect(await keys.all()).toHaveLength(120);
    const gone = rows.slice(0, 60).map(({ digest }) => digest);
    await keys.change([], gone);
    await keys.change([], gone);
    expect(await keys.all()).toHaveLength(60);
  });

  it('reads once for simultaneous requests, and again for later ones', async () => {
    let reads = 0;
    const counting = Object.create(store.tables.apiKeys) as Table;
    counting.get = async (...given) => {
      reads += 1;
      return store.tables.apiKeys.get(...given);
    };
    const keys = createKeyStore(counting);
    const row = planned('popular');
    const before = await Promise.all(Array.from({ length: 50 }, () => keys.find(row.digest)));
    expect([reads, new Set(before)]).toEqual([1, new Set([undefined])]);
    await keys.change([row], []);
    expect(await keys.find(row.digest)).toEqual(row);
    expect(reads).toBe(2);
    counting.get = async () => {
      reads += 1;
      throw new StoreFailure('keys failed: TimeoutError');
    };
    const failed = await Promise.allSettled([keys.find(row.digest), keys.find(row.digest)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(keys.find(row.digest)).rejects.toThrow(StoreFailure);
    expect(reads).toBe(4);
  });

  it.each([
    ['an unknown tier', { planId: 'p', tier: 'gold', ratePerSecond: 1, burst: 300 }],
    ['a tier without a plan', { tier: 'pro', ratePerSecond: 1, burst: 300 }],
  ])('reads a row with %s as one of a key on no plan', async (_, fields) => {
    const digest = keyDigest(JSON.stringify(fields));
    await store.tables.apiKeys.put({ digest, keyId: 'k', name: 'n', enabled: true, ...fields });
    expect(await createKeyStore(store.tables.apiKeys).find(digest)).toEqual({
      digest,
      keyId: 'k',
      name: 'n',
      enabled: true,
    });
  });

  it('reads a planned row without usable limits as one with the limits of its tier', async () => {
    const digest = keyDigest('no limits');
    await store.tables.apiKeys.put({
      digest,
      keyId: 'k',
      name: 'n',
      enabled: true,
      planId: 'p',
      tier: 'lite',
      burst: 0,
    });
    const row = await createKeyStore(store.tables.apiKeys).find(digest);
    expect(row?.limits).toEqual({ ratePerSecond: 1, burst: 300 });
  });

  it('takes anything but true for disabled', async () => {
    const digest = keyDigest('not quite true');
    await store.tables.apiKeys.put({ digest, keyId: 'k', name: 'n', enabled: 'true' });
    expect((await createKeyStore(store.tables.apiKeys).find(digest))?.enabled).toBe(false);
  });
});
