/** Reconciliation: after any change of keys and plans, the key table equals them. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  createKeyStore,
  type KeyRow,
  type KeyStore,
  keyDigest,
  LOCAL_TIERS,
  PUBLISHED_TIERS,
} from '../../../../core/access/keys.ts';
import { createKeySync, type ExpectedKey } from '../../../../lambdas/key-sync/key-sync.ts';
import { ListedKeys } from '../../../builders/listed-keys.ts';
import { memoryTables } from '../../../builders/memory-table.ts';

let gateway: ListedKeys;
let stored: KeyStore;
let ignored: string[][];
let unknownTiers: string[][];
let copies: (readonly KeyRow[])[];
let heldLosses: string[][];
let now: number;
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
    onHeldLoss: (rows) => heldLosses.push(rows.map(({ name }) => name)),
    now: () => now,
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
const newStore = (): KeyStore => createKeyStore(memoryTables(['apiKeys']).apiKeys);
const rowOf = (name: string) => stored.find(keyDigest(name));

beforeEach(() => {
  gateway = new ListedKeys();
  gateway.planList.push(
    { id: 'lite', name: 'Lite', tier: 'lite', throttle: { ratePerSecond: 1, burst: 300 } },
    { id: 'pro', name: 'Pro', tier: 'pro', throttle: { ratePerSecond: 1, burst: 300 } },
    { id: 'untagged', name: 'Made by hand', throttle: { ratePerSecond: 1, burst: 300 } },
  );
  stored = newStore();
  ignored = [];
  copies = [];
  unknownTiers = [];
  heldLosses = [];
  now = Date.UTC(2026, 10, 20, 12);
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
  expect((await rowOf('gold'))?.tier).toBeUndefined();
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
    expect(await synchronize()).toEqual({ written: 1, removed: 0, unchanged: 0, ignored: 0, held: 0 });
    expect(await rowOf('acme')).toEqual({
      digest: keyDigest('acme'),
      keyId: id,
      name: 'acme',
      enabled: true,
      planId: 'lite',
      tier: 'lite',
      limits: { ratePerSecond: 1, burst: 300 },
    });
    expect(await synchronize()).toEqual({ written: 0, removed: 0, unchanged: 1, ignored: 0, held: 0 });
  });

  it('disabled, enabled, moved, renamed, taken off its plan, deleted: each is carried over', async () => {
    const id = await create('acme', 'lite');
    await synchronize();
    await gateway.setEnabled(id, false);
    await synchronize();
    expect(await rowOf('acme')).toMatchObject({ enabled: false, tier: 'lite' });
    await gateway.setEnabled(id, true);
    await gateway.removeFromPlan(id, 'lite');
    await gateway.addToPlan(id, 'pro');
    await gateway.rename(id, 'acme, inc.');
    await synchronize();
    expect(await rowOf('acme')).toMatchObject({
      enabled: true,
      tier: 'pro',
      planId: 'pro',
      name: 'acme, inc.',
    });
    await gateway.removeFromPlan(id, 'pro');
    await synchronize();
    expect((await rowOf('acme'))?.tier).toBeUndefined();
    expect((await rowOf('acme'))?.limits).toBeUndefined();
    await gateway.delete(id);
    expect(await synchronize()).toMatchObject({ removed: 1 });
    expect((await stored.all()).length).toBe(0);
  });

  it('S8.13 an edit of a plan changes the limits of its keys, and of no others', async () => {
    await create('edited', 'pro');
    await create('other', 'lite');
    await synchronize();
    const pro = gateway.planList.find(({ id }) => id === 'pro');
    if (pro) pro.throttle = { ratePerSecond: 2, burst: 600 };
    expect(await synchronize()).toMatchObject({ written: 1, unchanged: 1 });
    expect((await rowOf('edited'))?.limits).toEqual({ ratePerSecond: 2, burst: 600 });
    expect((await rowOf('other'))?.limits).toEqual({ ratePerSecond: 1, burst: 300 });
    if (pro) pro.throttle = { ratePerSecond: 2, burst: 900 };
    await synchronize();
    expect((await rowOf('edited'))?.limits).toEqual({ ratePerSecond: 2, burst: 900 });
  });

  it.each([
    ['switched off', undefined],
    ['set to nothing', { ratePerSecond: 0, burst: 0 }],
  ])('a throttle that is %s leaves the published limits', async (_, throttle) => {
    gateway.planList.push({ id: 'odd', name: 'Odd', tier: 'starter', ...(throttle && { throttle }) });
    await create('acme', 'odd');
    await synchronize();
    expect((await rowOf('acme'))?.limits).toEqual({ ratePerSecond: 1, burst: 300 });
  });

  it('ignores a plan without the tag, or with a tier that is not published', async () => {
    gateway.planList.push({ id: 'measuring', name: 'Bench', tier: 'bench' });
    gateway.planList.push({ id: 'golden', name: 'Gold', tier: 'gold' });
    for (const plan of ['untagged', 'measuring', 'golden']) await create(plan, plan);
    await synchronize();
    for (const plan of ['untagged', 'measuring', 'golden']) expect((await rowOf(plan))?.tier).toBeUndefined();
    await synchronize(LOCAL_TIERS);
    expect(await rowOf('measuring')).toMatchObject({ tier: 'bench' });
    expect((await rowOf('measuring'))?.limits).toBeUndefined();
    expect((await rowOf('golden'))?.tier).toBeUndefined();
  });
});

describe('keys that are not ours', () => {
  it('ignores and reports a key whose value cannot be sent, and never lets it in', async () => {
    const unusable = ['AbCdEf0123456789AbCd', `pcd_live_${GENERATED}`, `${GENERATED} `, 'x'.repeat(65)];
    for (const [index, value] of unusable.entries()) byHand(`hand-${index}`, value);
    await create('acme', 'pro');
    expect(await synchronize()).toMatchObject({ written: 1, ignored: unusable.length });
    expect(ignored).toEqual([unusable.map((_, index) => `hand-${index}`)]);
    expect((await stored.all()).map(({ digest }) => digest)).toEqual([keyDigest('acme')]);
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
    byHand('untagged', GENERATED);
    expect(await synchronize()).toMatchObject({ written: 1 });
    expect(await stored.find(keyDigest(`pcd_dev_${GENERATED}`))).toMatchObject({ tier: 'pro' });
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
      expect(await synchronize()).toEqual({ written: 1, removed: 0, unchanged: 0, ignored: 0, held: 0 });
      const row = await stored.find(keyDigest(`pcd_dev_${GENERATED}`));
      expect(row).toMatchObject({ keyId: 'hand', heldAs, tier: 'pro', enabled: true });
      expect(JSON.stringify(await stored.all())).not.toContain(GENERATED);
      expect(await synchronize()).toMatchObject({ written: 0, unchanged: 1 });
      gateway.planIdOf.delete('hand');
      expect(await synchronize()).toMatchObject({ removed: 1 });
    },
  );

  it('with 64 hex digits as its value is a secret, not a digest', async () => {
    const value = keyDigest('openssl rand -hex 32');
    byHand('hand', value);
    expect(await synchronize()).toMatchObject({ written: 1, ignored: 0 });
    expect(await stored.find(value)).toBeUndefined();
    expect(await stored.find(keyDigest(`pcd_dev_${value}`))).toMatchObject({
      heldAs: 'remainder',
      tier: 'pro',
    });
    expect(await synchronize()).toMatchObject({ written: 0, unchanged: 1 });
  });

  it('with the secret of another key is ignored and reported: one key has a secret', async () => {
    const secret = `pcd_dev_${GENERATED}`;
    byHand('a', secret);
    byHand('b', GENERATED);
    expect(await synchronize()).toMatchObject({ written: 1, ignored: 1 });
    expect(await stored.find(keyDigest(secret))).toMatchObject({ keyId: 'a', heldAs: 'secret' });
    const minted = await create(secret, 'lite');
    expect(await synchronize()).toMatchObject({ written: 1, ignored: 2 });
    expect((await stored.find(keyDigest(secret)))?.keyId).toBe(minted);
    expect((await stored.find(keyDigest(secret)))?.heldAs).toBeUndefined();
  });
});

it.each([
  ['lost its tag', undefined],
  ['was deleted and made again without its tag', 'restored'],
])('a key of the key command that %s is still known by its digest', async (_, id) => {
  await create('acme', 'pro');
  await synchronize();
  const [key] = gateway.keyList;
  if (key === undefined) throw new Error('there is no key');
  delete key.stage;
  if (id !== undefined) {
    key.id = id;
    gateway.planIdOf.set(id, 'pro');
  }
  await synchronize();
  expect(await stored.all()).toMatchObject([{ digest: keyDigest('acme'), tier: 'pro', keyId: key.id }]);
});

describe('a loss of the plan that many enabled keys have', () => {
  const MINUTE = 60_000;
  const names = (count: number) => Array.from({ length: count }, (_, index) => `client ${index + 1}`);
  const plan = (id: string) => {
    const found = gateway.planList.find((listed) => listed.id === id);
    if (found === undefined) throw new Error(`there is no plan ${id}`);
    return found;
  };
  const served = async (): Promise<number> =>
    (await stored.all()).filter(({ enabled, tier }) => enabled && tier !== undefined).length;
  /** `count` keys on Pro, and one on another plan of that tier. */
  async function stageWith(count: number): Promise<string[]> {
    gateway.planList.push({ id: 'large', name: 'Large', tier: 'pro' });
    await create('other', 'large');
    const ids: string[] = [];
    for (const name of names(count)) ids.push(await create(name, 'pro'));
    await synchronize();
    expect(await served()).toBe(count + 1);
    return ids;
  }

  const losses: [string, () => void][] = [
    ['the tag of the plan is lost', () => delete plan('pro').tier],
    ['the plan is deleted', () => gateway.planList.splice(gateway.planList.indexOf(plan('pro')), 1)],
    ['the tag names no tier', () => Object.assign(plan('pro'), { tier: 'Pro' })],
  ];
  it.each(losses)('is held for 15 minutes by the clock and reported, then applied: %s', async (_, lose) => {
    await stageWith(10);
    lose();
    // Events start runs as often as the console is used; the number of runs must not matter.
    for (const minutes of [0, 0, 1, 1, 1, 1, 5, 5.9]) {
      now += minutes * MINUTE;
      expect(await synchronize()).toMatchObject({ held: 10 });
      expect(await served()).toBe(11);
    }
    expect(heldLosses).toEqual(Array(8).fill(expect.arrayContaining(names(10))));
    now += 0.1 * MINUTE;
    expect(await synchronize()).toMatchObject({ held: 0, written: 10 });
    expect(await served()).toBe(1);
    expect(await synchronize()).toMatchObject({ held: 0, written: 0, removed: 0 });
    expect(heldLosses).toHaveLength(8);
  });

  it('leaves no trace when the console is put right in time, and the next one has 15 minutes again', async () => {
    await stageWith(10);
    const before = await stored.all();
    delete plan('pro').tier;
    await synchronize();
    now += 14 * MINUTE;
    plan('pro').tier = 'pro';
    expect(await synchronize()).toMatchObject({ held: 0 });
    expect(await stored.all()).toEqual(before);
    delete plan('pro').tier;
    now += 14 * MINUTE;
    expect(await synchronize()).toMatchObject({ held: 10 });
    now += 14 * MINUTE;
    expect(await synchronize()).toMatchObject({ held: 10 });
  });

  it('is held for keys of the console too, whose rows go with their plan', async () => {
    gateway.planList.push({ id: 'large', name: 'Large', tier: 'pro' });
    for (let index = 0; index < 5; index += 1) byHand(`hand-${index}`, `${GENERATED}${index}`);
    await synchronize();
    gateway.planIdOf.clear();
    expect(await synchronize()).toMatchObject({ held: 5, removed: 0 });
    now += 15 * MINUTE;
    expect(await synchronize()).toMatchObject({ held: 0, removed: 5 });
  });

  it.each([
    ['three of ten keys', 10, 3, 0],
    ['four of ten keys', 10, 4, 4],
    // With the other key 101 are enabled; 5 % of them are 5.05, rounded up 6.
    ['six of a hundred keys', 100, 6, 0],
    ['seven of a hundred keys', 100, 7, 7],
  ])(
    'is held above the larger of three keys and 5 %% of the enabled ones: %s',
    async (_, all, lost, held) => {
      const ids = await stageWith(all);
      for (const id of ids.slice(0, lost)) await gateway.removeFromPlan(id, 'pro');
      expect(await synchronize()).toMatchObject({ held });
      expect(await served()).toBe(all + 1 - (lost - held));
    },
  );

  it('is held whatever the number where no plan has the tier any more', async () => {
    await stageWith(10);
    await create('only', 'lite');
    await synchronize();
    delete plan('lite').tier;
    expect(await synchronize()).toMatchObject({ held: 1 });
    expect(await rowOf('only')).toMatchObject({ tier: 'lite' });
    now += 15 * MINUTE;
    await synchronize();
    expect((await rowOf('only'))?.tier).toBeUndefined();
  });

  it('holds no key that is disabled or deleted, before the loss or while it is held', async () => {
    const ids = await stageWith(12);
    for (const id of ids.slice(0, 4)) await gateway.setEnabled(id, false);
    for (const id of ids.slice(4, 8)) await gateway.delete(id);
    expect(await synchronize()).toMatchObject({ held: 0, removed: 4 });
    expect(await served()).toBe(5);
    delete plan('pro').tier;
    expect(await synchronize()).toMatchObject({ held: 4 });
    await gateway.setEnabled(String(ids[8]), false);
    await gateway.delete(String(ids[9]));
    await synchronize();
    expect(await rowOf('client 9')).toMatchObject({ enabled: false });
    expect(await rowOf('client 10')).toBeUndefined();
  });

  it('counts a move to a plan of another tier as none', async () => {
    const ids = await stageWith(10);
    for (const id of ids) gateway.planIdOf.set(id, 'lite');
    expect(await synchronize()).toMatchObject({ held: 0, written: 10 });
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
    const before = await stored.all();
    await gateway.delete('key-1');
    await create('three', 'lite');
    gateway.onListing = (what, index) => {
      if (what === where && index === 1) throw new Error('the control plane broke off');
    };
    await expect(synchronize()).rejects.toThrow('broke off');
    expect(await stored.all()).toEqual(before);
    gateway.onListing = () => {};
    await synchronize();
    expect(await rowOf('three')).toBeDefined();
    expect(await rowOf('one')).toBeUndefined();
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
    expect(await rowOf('acme')).toMatchObject({ tier: 'lite' });
  });

  it('is put right by the next run if anything is edited while it runs', async () => {
    type Edit = (id: string) => Promise<unknown>;
    let made = 0;
    const edits: Edit[] = [
      (id) => gateway.setEnabled(id, false),
      (id) => gateway.delete(id),
      (id) => gateway.rename(id, 'renamed'),
      async (id) => gateway.planIdOf.set(id, 'pro'),
      async (id) => gateway.planIdOf.delete(id),
      () => {
        made += 1;
        return create(`new ${made}`, 'pro');
      },
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
        stored = newStore();
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
        const fresh = newStore();
        const settled = stored;
        stored = fresh;
        await synchronize();
        const byDigest = (a: KeyRow, b: KeyRow) => (a.digest < b.digest ? -1 : 1);
        expect((await settled.all()).sort(byDigest)).toEqual((await fresh.all()).sort(byDigest));
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
