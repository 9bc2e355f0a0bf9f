/**
 * API keys on one machine: plans, demo keys, and the administration of keys, whose state is the key table alone. There is no control plane
 * that it would have to be made equal to.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import * as z from 'zod';
import {
  type AdministeredPlan,
  type KeyAdministration,
  KeyAdministrationFailure,
} from '../core/access/administration.ts';
import {
  type AccessTier,
  BENCH_TIER,
  isDigest,
  type KeyRow,
  type KeyStore,
  keyDigest,
  keyLimits,
} from '../core/access/keys.ts';
import { PLANS, TIERS, type Tier } from '../core/contracts/plans.ts';
import { type Clock, formatInstant, type Instant, SECOND_MS, wholeSecond } from '../core/reference/time.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

/** The stage whose names tables, plans and keys have. */
export const LOCAL_STAGE = 'dev';

interface LocalPlan extends AdministeredPlan {
  readonly tier: AccessTier;
}

/** The id of a plan, by which the requests of the month are counted. */
const planId = (tier: Tier): string => `pcd-${LOCAL_STAGE}-api-${PLANS[tier].title}Plan`;

/** The plans that are sold, and one for measurements: no rate limit and no quota. */
export const LOCAL_PLANS: readonly LocalPlan[] = [
  ...TIERS.map((tier) => ({
    id: planId(tier),
    name: `Port Congestion ${LOCAL_STAGE} ${PLANS[tier].title}`,
    tier,
    throttle: { ratePerSecond: PLANS[tier].ratePerSecond, burst: PLANS[tier].burst },
  })),
  { id: 'local-bench', name: 'Bench', tier: BENCH_TIER },
];

/** What a row has of a plan; throws where there is none of that id. */
function membership(id: string): Pick<KeyRow, 'planId' | 'tier' | 'limits'> {
  const plan = LOCAL_PLANS.find((known) => known.id === id);
  if (plan === undefined) throw new KeyAdministrationFailure('unknown', `there is no plan ${id}`);
  const { tier, throttle } = plan;
  return { planId: id, tier, limits: keyLimits(tier, throttle) };
}

const newId = (): string => randomBytes(8).toString('hex').slice(0, 10);
const stamp = (now: Clock): string => formatInstant(wholeSecond(now()));

/** The administration of keys in the key table. */
export function localKeyAdministration(keys: KeyStore, now: Clock): KeyAdministration {
  async function change(keyId: string, to: (row: KeyRow) => KeyRow): Promise<void> {
    const row = (await keys.all()).find((known) => known.keyId === keyId);
    if (row === undefined) throw new KeyAdministrationFailure('unknown', `there is no key ${keyId}`);
    await keys.change([to(row)], []);
  }
  return {
    async keys() {
      const rows = await keys.all();
      return rows.map(({ digest, keyId: id, name, enabled, created }) => ({
        id,
        name,
        value: digest,
        enabled,
        created,
        stage: LOCAL_STAGE,
      }));
    },
    plans: async () => LOCAL_PLANS,
    keyIdsOf: async (id) => (await keys.all()).filter((row) => row.planId === id).map(({ keyId }) => keyId),
    async create({ name, digest }) {
      const keyId = newId();
      await keys.change([{ digest, keyId, name, enabled: true, created: stamp(now) }], []);
      return keyId;
    },
    rename: (keyId, name) => change(keyId, (row) => ({ ...row, name })),
    setEnabled: (keyId, enabled) => change(keyId, (row) => ({ ...row, enabled })),
    addToPlan: (keyId, id) => change(keyId, (row) => ({ ...row, ...membership(id) })),
    removeFromPlan: (keyId) => change(keyId, ({ planId: _, tier: __, limits: ___, ...row }) => row),
    async delete(keyId) {
      const row = (await keys.all()).find((known) => known.keyId === keyId);
      if (row === undefined) throw new KeyAdministrationFailure('unknown', `there is no key ${keyId}`);
      await keys.change([], [row.digest]);
    },
  };
}

interface DemoKey {
  /** The tier of the plan that the key is put on; absent for a key on no plan. */
  readonly tier?: AccessTier;
  readonly note: string;
}

/** The demo keys by the case that each demonstrates. */
export const DEMO_KEYS = {
  demo: { tier: 'starter', note: 'the shared demo key, on Starter' },
  lite: { tier: 'lite', note: 'on Lite: no waits, forecast or imports' },
  starter: { tier: 'starter', note: 'on Starter' },
  pro: { tier: 'pro', note: 'on Pro' },
  disabled: { tier: 'starter', note: 'disabled: returns 403' },
  unplanned: { note: 'not assigned to a plan: returns 403' },
  bench: { tier: BENCH_TIER, note: 'for measurements: no limits' },
} as const satisfies Record<string, DemoKey>;

export type DemoKeys = Readonly<Record<keyof typeof DEMO_KEYS, string>>;

export const readDemoKeys = (): DemoKeys =>
  JSON.parse(readFileSync(new URL('demo-keys.json', import.meta.url), 'utf8'));

/** A row of the key table for a secret. */
export function keyRow(
  name: string,
  secret: string,
  tier: AccessTier | undefined,
  now: Clock,
): KeyRow & { readonly created: string } {
  const plan = LOCAL_PLANS.find((known) => known.tier === tier);
  return {
    digest: keyDigest(secret),
    keyId: newId(),
    name,
    enabled: true,
    created: stamp(now),
    ...(plan && membership(plan.id)),
  };
}

/** Keys as versions before the key table was their only place kept them, in a control plane of their own. */
const formerState = z.object({
  keys: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      value: z.string(),
      enabled: z.boolean(),
      /** Epoch seconds. */
      createdDate: z.number(),
      planIds: z.array(z.string()),
    }),
  ),
  plans: z.array(
    z.object({
      id: z.string(),
      throttle: z.object({ ratePerSecond: z.number(), burst: z.number() }).optional(),
    }),
  ),
});
const REMEDY = 'put a copy of it back: every key is in it';

/** The rows of the keys in such a state. A plan that was edited keeps its limits for the keys that are on it. */
function formerRows({ keys, plans }: z.output<typeof formerState>): KeyRow[] {
  return keys.flatMap(({ id: keyId, name, value: digest, enabled, createdDate, planIds }) => {
    if (!isDigest(digest)) return [];
    const known = LOCAL_PLANS.find(({ id }) => planIds.includes(id));
    const throttle = plans.find(({ id }) => id === known?.id)?.throttle;
    const plan = known && { ...membership(known.id), limits: keyLimits(known.tier, throttle) };
    return [{ digest, keyId, name, enabled, created: formatInstant(createdDate * SECOND_MS), ...plan }];
  });
}

/**
 * Takes over the keys of `formerFile`, once, and makes the demo keys that are missing. Keys that exist are left as they are. Throws
 * `StartError` where that file is damaged.
 */
export async function prepareKeys(
  keys: KeyStore,
  demo: DemoKeys,
  formerFile: string | undefined,
  now: Clock,
): Promise<void> {
  if (formerFile !== undefined && existsSync(formerFile)) {
    const state = readJsonFile(formerFile, formerState, REMEDY);
    await keys.change(state === undefined ? [] : formerRows(state), []);
    renameSync(formerFile, `${formerFile}.taken-over`);
  }
  const present = new Set((await keys.all()).map(({ digest }) => digest));
  const rows = Object.entries(demo).map(([name, secret]): KeyRow => {
    const { tier }: DemoKey = DEMO_KEYS[name as keyof DemoKeys];
    return { ...keyRow(name, secret, tier, now), enabled: name !== 'disabled' };
  });
  await keys.change(
    rows.filter(({ digest }) => !present.has(digest)),
    [],
  );
}

// The requests of the month by plan and key, as usage plans count them, with their state on disk.

export type Usage = ReturnType<typeof openUsage>;

/** Counts of one calendar month, by plan and key. */
const counts = z.object({ month: z.string(), used: z.record(z.string(), z.number()) });
const monthOf = (at: Instant): string => new Date(at).toISOString().slice(0, 7);
const nameOf = ({ planId, keyId }: Pick<KeyRow, 'planId' | 'keyId'>): string => `${planId}/${keyId}`;
const USAGE_REMEDY =
  'put a copy of it back, or remove this file alone: the counts of the month then begin at zero';

/** Opens the counts in `file` (in memory only when undefined); throws `StartError` when they are damaged. */
export function openUsage(file: string | undefined) {
  const saved = file === undefined ? undefined : readJsonFile(file, counts, USAGE_REMEDY);
  let month = saved?.month ?? '';
  let used = new Map(Object.entries(saved?.used ?? {}));
  let isChanged = false;
  /** The month of the newest request, from its first instant to its end. */
  let [monthAt, monthEndAt] = [0, 0];

  /** A new month (UTC) starts at zero. */
  const turnTo = (at: Instant): void => {
    if (at >= monthAt && at < monthEndAt) return;
    const date = new Date(at);
    monthAt = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    monthEndAt = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
    const current = monthOf(at);
    if (current === month) return;
    month = current;
    used = new Map();
  };

  return {
    /** Counts a request of a key with a quota. False: the quota is used up. `at` is of the wall clock. */
    count(key: KeyRow, quota: number | undefined, at: Instant): boolean {
      if (quota === undefined) return true;
      turnTo(at);
      const name = nameOf(key);
      const count = used.get(name) ?? 0;
      if (count >= quota) return false;
      used.set(name, count + 1);
      isChanged = true;
      return true;
    },
    usedOf(key: KeyRow, at: Instant): number {
      turnTo(at);
      return used.get(nameOf(key)) ?? 0;
    },
    /** Sets the requests of the month so far. */
    setUsed(key: KeyRow, at: Instant, count: number): void {
      turnTo(at);
      used.set(nameOf(key), count);
      isChanged = true;
    },
    /** Writes the counts to disk. Throws `StartError` when it cannot: the next call writes them. */
    save(): void {
      if (file === undefined || !isChanged) return;
      writeJsonFile(file, { month, used: Object.fromEntries(used) });
      isChanged = false;
    },
  };
}
