/** Creates the demo keys on their plans in the local control plane. Existing keys are left as they are. */
import { readFileSync } from 'node:fs';
import { TIER_TAG } from '../../core/contracts/plans.ts';
import { STAGE_TAG } from '../../core/keys/administration.ts';
import { BENCH_TIER } from '../../core/keys/entitlements.ts';
import { keyDigest } from '../../core/keys/key.ts';
import type { ControlPlane } from '../keys/control-plane.ts';
import { StartError } from '../start-error.ts';
import type { PlanModel } from '../template/service-model.ts';

interface DemoKey {
  /** The tier of the plan that the key is put on; absent for a key on no plan. */
  readonly tier?: string;
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

/** The plan for measurements, on this machine only: no rate limit and no quota. */
export const benchPlan = (apiId: string, stage: string): PlanModel => ({
  id: 'local-bench',
  name: 'Bench',
  throttle: undefined,
  monthlyQuota: undefined,
  stages: [{ apiId, stage }],
  tags: { [TIER_TAG]: BENCH_TIER },
});

/** Creates the missing keys. Throws `StartError` when the template lacks a tier's plan. */
export function seedKeys(controlPlane: ControlPlane, keys: DemoKeys, stage: string): void {
  const missing = Object.entries(keys).filter(([, key]) => !controlPlane.findKey(keyDigest(key)));
  for (const [name, key] of missing) {
    const { tier }: DemoKey = DEMO_KEYS[name as keyof DemoKeys];
    const plan = controlPlane.listPlans().find(({ tags }) => tags[TIER_TAG] === tier);
    if (tier !== undefined && !plan)
      throw new StartError(`the template has no usage plan tagged ${TIER_TAG}=${tier}`);
    const created = controlPlane.createKey({
      name,
      value: keyDigest(key),
      enabled: name !== 'disabled',
      tags: { [STAGE_TAG]: stage },
    });
    if (tier !== undefined && plan) controlPlane.addToPlan(plan.id, created.id);
  }
}
