/** Reconciliation: after any change of keys and plans, the key table equals them. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type KeyRow, LOCAL_TIERS, PUBLISHED_TIERS } from '../../../../core/keys/entitlements.ts';
import { keyDigest } from '../../../../core/keys/key.ts';
import type { KeyStore } from '../../../../core/keys/key-table.ts';
import { createKeySync, type ExpectedKey } from '../../../../lambdas/key-sync/key-sync.ts';
import { ListedKeys } from '../../../builders/listed-keys.ts';

class StoredKeys implements KeyStore {
  rows = new Map<string, KeyRow>();
  writes = 0;
  async find(digest: string) {
    return this.rows.get(digest);
  }
  async all() {
    return [...this.rows.values()];
  }
  async change(rows: readonly KeyRow[], removedDigests: readonly string[]) {
    this.writes += rows.length + removedDigests.length;
    for (const row of rows) this.rows.set(row.digest, row);
    for (const digest of removedDigests) this.rows.delete(digest);
  }
}

let gateway: ListedKeys;
let stored: StoredKeys;
let ignored: string[][];
let unknownTiers: string[][];
let copies: (readonly KeyRow[])[];
const synchronize = (tiers = PUBLISHED_TIERS, expected?: ExpectedKey) =>
  createKeySync({
    listing: gateway,
    keys: stored,
    scope: { stage: 'dev', prefix: 'pcd_dev', tiers },
    copy: async (rows) => {
      copies.push(rows);
    },
    onIgnored: (keyIds) => ignored.push([...keyIds]),
    onUnknownTier: (plans) => unknownTiers.push(plans.map(({ id }) => id)),
  })(expected);

const create = async (name: string, planId?: string): Promise<string> => {
  const id = await gateway.create({ name, digest: keyDigest(name), stage: 'dev' });
  if (planId !== undefined) await gateway.addToPlan(id, planId);
  return id;
};
/** What the console generates. */
const GENERATED = 'AbCdEf0123456789AbCdEf0123456789AbCdEf01';
const byHand = (id: string, value: string): void => {
  gateway.keyList.push({ id, name: 'console', value, enabled: true });
  gateway.planIdOf.set(id, 'pro');
};
const rowOf = (name: string): KeyRow | undefined => stored.rows.get(keyDigest(name));

beforeEach(() => {
  gateway = new ListedKeys();
  gateway.planList.push(
    { id: 'lite', name: 'Lite', tier: 'lite', throttle: { ratePerSecond: 1, burst: 300 } },
    { id: 'pro', name: 'Pro', tier: 'pro', throttle: { ratePerSecond: 1, burst: 300 } },
    { id: 'untagged', name: 'Made by hand', throttle: { ratePerSecond: 1, burst: 300 } },
  );
  stored = new StoredKeys();
  ignored = [];
  copies = [];
  unknownTiers = [];
});

it('names the plans with keys whose tag names no tier, and no plan without a key', async () => {
  gateway.planList.push(
    { id: 'misspelt', name: 'Gold', tier: 'gold' },
    { id: 'empty', name: 'Empty', tier: 'x' },
  );
  await create('good', 'pro');
  await synchronize();
  expect(unknownTiers).toEqual([]);
  await create('gold', 'misspelt');
  await create('by hand', 'untagged');
  await synchronize();
  expect(unknownTiers).toEqual([['untagged', 'misspelt']]);
  expect(rowOf('gold')?.tier).toBeUndefined();
});

describe('S5.11 what is done to a key', () => {
  it('a run that must take over a key fails where the listing lacks it, or lacks its plan', async () => {
    const id = await create('acme', 'lite');
    // The first run writes the row, and the second finds it.
    for (let run = 1; run <= 2; run += 1) await synchronize(PUBLISHED_TIERS, { keyId: id, planId: 'lite' });
    for (const expected of [{ keyId: id, planId: 'pro' }, { keyId: 'key-9' }])
      await expect(synchronize(PUBLISHED_TIERS, expected)).rejects.toThrow('the listing lacks the new key');
  });

  it('a new key gets a row with its plan, and the same again changes nothing', async () => {
    const id = await create('acme', 'lite');
    expect(await synchronize()).toEqual({ written: 1, removed: 0, unchanged: 0, ignored: 0 });
    expect(rowOf('acme')).toEqual({
      digest: keyDigest('acme'),
      keyId: id,
      name: 'acme',
      enabled: true,
      planId: 'lite',
      tier: 'lite',
      limits: { ratePerSecond: 1, burst: 300 },
    });
    expect(await synchronize()).toEqual({ written: 0, removed: 0, unchanged: 1, ignored: 0 });
    expect(stored.writes).toBe(1);
  });

  it('disabled, enabled, moved, renamed, taken off its plan, deleted: each is carried over', async () => {
    const id = await create('acme', 'lite');
    await synchronize();
    await gateway.setEnabled(id, false);
    await synchronize();
    expect(rowOf('acme')).toMatchObject({ enabled: false, tier: 'lite' });
    await gateway.setEnabled(id, true);
    await gateway.removeFromPlan(id, 'lite');
    await gateway.addToPlan(id, 'pro');
    await gateway.rename(id, 'acme, inc.');
    await synchronize();
    expect(rowOf('acme')).toMatchObject({ enabled: true, tier: 'pro', planId: 'pro', name: 'acme, inc.' });
    await gateway.removeFromPlan(id, 'pro');
    await synchronize();
    expect(rowOf('acme')?.tier).toBeUndefined();
    expect(rowOf('acme')?.limits).toBeUndefined();
    await gateway.delete(id);
    expect(await synchronize()).toMatchObject({ removed: 1 });
    expect(stored.rows.size).toBe(0);
  });

  it('S8.13 an edit of a plan changes the limits of its keys, and of no others', async () => {
    await create('edited', 'pro');
    await create('other', 'lite');
    await synchronize();
    const pro = gateway.planList.find(({ id }) => id === 'pro');
    if (pro) pro.throttle = { ratePerSecond: 2, burst: 600 };
    expect(await synchronize()).toMatchObject({ written: 1, unchanged: 1 });
    expect(rowOf('edited')?.limits).toEqual({ ratePerSecond: 2, burst: 600 });
    expect(rowOf('other')?.limits).toEqual({ ratePerSecond: 1, burst: 300 });
    if (pro) pro.throttle = { ratePerSecond: 2, burst: 900 };
    await synchronize();
    expect(rowOf('edited')?.limits).toEqual({ ratePerSecond: 2, burst: 900 });
  });

  it.each([
    ['switched off', undefined],
    ['set to nothing', { ratePerSecond: 0, burst: 0 }],
  ])('a throttle that is %s leaves the published limits', async (_, throttle) => {
    gateway.planList.push({ id: 'odd', name: 'Odd', tier: 'starter', ...(throttle && { throttle }) });
    await create('acme', 'odd');
    await synchronize();
    expect(rowOf('acme')?.limits).toEqual({ ratePerSecond: 1, burst: 300 });
  });

  it('a plan without the tag, or with a tier that is not published, is no plan', async () => {
    gateway.planList.push({ id: 'measuring', name: 'Bench', tier: 'bench' });
    gateway.planList.push({ id: 'golden', name: 'Gold', tier: 'gold' });
    for (const plan of ['untagged', 'measuring', 'golden']) await create(plan, plan);
    await synchronize();
    for (const plan of ['untagged', 'measuring', 'golden']) expect(rowOf(plan)?.tier).toBeUndefined();
    await synchronize(LOCAL_TIERS);
    expect(rowOf('measuring')).toMatchObject({ tier: 'bench' });
    expect(rowOf('measuring')?.limits).toBeUndefined();
    expect(rowOf('golden')?.tier).toBeUndefined();
  });
});

describe('keys that are not ours', () => {
  it('a key whose value nobody can send is ignored and reported, never let in', async () => {
    const unusable = ['AbCdEf0123456789AbCd', `pcd_live_${GENERATED}`, `${GENERATED} `, 'x'.repeat(65)];
    for (const [index, value] of unusable.entries()) byHand(`hand-${index}`, value);
    await create('acme', 'pro');
    expect(await synchronize()).toMatchObject({ written: 1, ignored: unusable.length });
    expect(ignored).toEqual([unusable.map((_, index) => `hand-${index}`)]);
    expect([...stored.rows.keys()]).toEqual([keyDigest('acme')]);
  });

  it("another API's key in the account, on no plan of this stage, is ignored and raises no alarm", async () => {
    gateway.keyList.push(
      { id: 'theirs', name: 'billing', value: 'AbCdEf0123456789AbCd', enabled: true },
      { id: 'like ours', name: 'theirs', value: keyDigest('theirs'), enabled: true },
    );
    gateway.planIdOf.set('like ours', 'plan-of-another-api');
    expect(await synchronize()).toMatchObject({ written: 0, ignored: 0 });
    expect(ignored).toEqual([]);
    gateway.keyList.push({ id: 'tagged', name: 'x', value: 'no digest', enabled: true, stage: 'dev' });
    expect(await synchronize()).toMatchObject({ written: 0, ignored: 1 });
    expect(ignored).toEqual([['tagged']]);
  });

  it('a key without a tag that the console put on a plan of ours gets a row', async () => {
    gateway.keyList.push({ id: 'untagged', name: 'untagged', value: keyDigest('untagged'), enabled: true });
    gateway.planIdOf.set('untagged', 'pro');
    expect(await synchronize()).toMatchObject({ written: 1 });
    expect(rowOf('untagged')).toMatchObject({ tier: 'pro' });
  });

  it('a key of another stage does not exist here, even when it once had a row', async () => {
    await create('acme', 'pro');
    await synchronize();
    const [key] = gateway.keyList;
    if (key) key.stage = 'prod';
    expect(await synchronize()).toMatchObject({ removed: 1 });
    expect(ignored).toEqual([]);
  });
});

describe('a key made in the console', () => {
  it.each([
    ['generated value', GENERATED, 'remainder'],
    ['value that is a whole key', `pcd_dev_${GENERATED}`, 'secret'],
  ])(
    'with a %s is taken over by the digest of the secret, which is stored nowhere',
    async (_, value, heldAs) => {
      byHand('hand', value);
      expect(await synchronize()).toEqual({ written: 1, removed: 0, unchanged: 0, ignored: 0 });
      const row = stored.rows.get(keyDigest(`pcd_dev_${GENERATED}`));
      expect(row).toMatchObject({ keyId: 'hand', heldAs, tier: 'pro', enabled: true });
      expect(JSON.stringify([...stored.rows.values()])).not.toContain(GENERATED);
      expect(await synchronize()).toMatchObject({ written: 0, unchanged: 1 });
      gateway.planIdOf.delete('hand');
      expect(await synchronize()).toMatchObject({ removed: 1 });
    },
  );

  it('with the secret of another key is ignored and reported: one key has a secret', async () => {
    const secret = `pcd_dev_${GENERATED}`;
    byHand('a', secret);
    byHand('b', GENERATED);
    expect(await synchronize()).toMatchObject({ written: 1, ignored: 1 });
    expect(stored.rows.get(keyDigest(secret))).toMatchObject({ keyId: 'a', heldAs: 'secret' });
    const minted = await create(secret, 'lite');
    expect(await synchronize()).toMatchObject({ written: 1, ignored: 2 });
    expect(stored.rows.get(keyDigest(secret))?.keyId).toBe(minted);
    expect(stored.rows.get(keyDigest(secret))?.heldAs).toBeUndefined();
  });
});

it('a run copies all rows, those that it left as they were among them', async () => {
  await create('acme', 'pro');
  await synchronize();
  await create('beta', 'lite');
  await synchronize();
  expect(copies.map((rows) => rows.map(({ name }) => name))).toEqual([['acme'], ['acme', 'beta']]);
});

describe('a listing', () => {
  it.each(['keys', 'plans', 'lite'])('that breaks off in the %s changes nothing', async (where) => {
    await create('one', 'lite');
    await create('two', 'lite');
    await synchronize();
    const before = [...stored.rows.values()];
    await gateway.delete('key-1');
    await create('three', 'lite');
    gateway.onListing = (what, index) => {
      if (what === where && index === 1) throw new Error('the control plane broke off');
    };
    await expect(synchronize()).rejects.toThrow('broke off');
    expect([...stored.rows.values()]).toEqual(before);
    gateway.onListing = () => {};
    await synchronize();
    expect(rowOf('three')).toBeDefined();
    expect(rowOf('one')).toBeUndefined();
  });

  it('does not lock out a key that is moved in the middle of it', async () => {
    const id = await create('acme', 'pro');
    await create('other', 'lite');
    await synchronize();
    // Listed plan by plan: Lite is over when the key moves there, and Pro, listed next, has lost it.
    gateway.onListing = (what) => {
      if (what !== 'lite') return;
      gateway.onListing = () => {};
      gateway.planIdOf.set(id, 'lite');
    };
    await synchronize();
    expect(rowOf('acme')).toMatchObject({ tier: 'lite' });
  });

  it('in the middle of which anything is edited is put right by the next run', async () => {
    type Edit = (id: string) => Promise<unknown>;
    const edits: Edit[] = [
      (id) => gateway.setEnabled(id, false),
      (id) => gateway.delete(id),
      (id) => gateway.rename(id, 'renamed'),
      async (id) => gateway.planIdOf.set(id, 'pro'),
      async (id) => gateway.planIdOf.delete(id),
      () => create(`new ${gateway.keyList.length} ${stored.writes}`, 'pro'),
    ];
    const when = fc.record({
      what: fc.constantFrom('keys', 'plans', 'lite', 'pro'),
      edit: fc.integer({ min: 0, max: edits.length - 1 }),
      victim: fc.integer({ min: 1, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(when, { maxLength: 4 }), async (changes) => {
        gateway = new ListedKeys();
        gateway.planList.push(
          { id: 'lite', name: 'Lite', tier: 'lite' },
          { id: 'pro', name: 'Pro', tier: 'pro' },
        );
        stored = new StoredKeys();
        for (let number = 1; number <= 5; number += 1)
          await create(`client ${number}`, number % 2 ? 'lite' : 'pro');
        await synchronize();
        for (const { what, edit, victim } of changes) {
          gateway.onListing = (listed) => {
            if (listed !== what) return;
            gateway.onListing = () => {};
            void edits[edit]?.(`key-${victim}`).catch(() => {});
          };
          await synchronize();
          gateway.onListing = () => {};
        }
        await synchronize();
        const fresh = new StoredKeys();
        const settled = stored;
        stored = fresh;
        await synchronize();
        const byDigest = (a: KeyRow, b: KeyRow) => (a.digest < b.digest ? -1 : 1);
        expect([...settled.rows.values()].sort(byDigest)).toEqual([...fresh.rows.values()].sort(byDigest));
      }),
      { numRuns: 200 },
    );
  });

  it('that cannot read the key table asks nothing of the control plane', async () => {
    stored.all = async () => {
      throw new Error('keys failed: TimeoutError');
    };
    let listed = 0;
    gateway.onListing = () => {
      listed += 1;
    };
    await create('acme', 'pro');
    await expect(synchronize()).rejects.toThrow('keys failed');
    expect(listed).toBe(0);
  });
});
