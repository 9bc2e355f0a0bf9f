/** The key table. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKeyStore, type KeyRow, keyDigest } from '../../core/access/keys.ts';
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
    const names = (await keys.all()).map(({ name }) => name);
    expect(names.sort()).toEqual(['acme', 'bench', 'console', 'lonely']);
    const digests = rows.map(({ digest }) => digest);
    await keys.change([], digests);
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

  const BARE = { keyId: 'k', name: 'n', enabled: true };
  it.each<[string, object, Partial<KeyRow>]>([
    [
      'an unknown tier as one of a key on no plan',
      { planId: 'p', tier: 'gold', ratePerSecond: 1, burst: 300 },
      {},
    ],
    ['a tier without a plan as one of a key on no plan', { tier: 'pro', ratePerSecond: 1, burst: 300 }, {}],
    [
      'no usable limits as one with the limits of its tier',
      { planId: 'p', tier: 'lite', burst: 0 },
      { planId: 'p', tier: 'lite', limits: { ratePerSecond: 1, burst: 300 } },
    ],
    ['anything but true as disabled', { enabled: 'true' }, { enabled: false }],
  ])('reads a row with %s', async (what, fields, read) => {
    const digest = keyDigest(what);
    await store.tables.apiKeys.put({ digest, ...BARE, ...fields });
    expect(await createKeyStore(store.tables.apiKeys).find(digest)).toEqual({ digest, ...BARE, ...read });
  });
});
