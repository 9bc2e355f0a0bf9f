/**
 * API Gateway's administration of keys and plans on one machine: what the console and the key command change on
 * a deployed stage. Its state is on disk. It stores the given value of a key, which can be a digest.
 */
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { readJsonFile, writeJsonFile } from '../json-file.ts';
import type { PlanModel } from '../template/model.ts';

const tags = z.record(z.string(), z.string());
const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  value: z.string(),
  description: z.string().optional(),
  enabled: z.boolean(),
  /** Epoch seconds. */
  createdDate: z.number(),
  lastUpdatedDate: z.number(),
  tags,
  planIds: z.array(z.string()),
});
const usagePlan = z.object({
  id: z.string(),
  name: z.string(),
  throttle: z.object({ ratePerSecond: z.number(), burst: z.number() }).optional(),
  monthlyQuota: z.number().optional(),
  stages: z.array(z.object({ apiId: z.string(), stage: z.string() })),
  tags,
  /** The plan as the template last declared it; an edit lasts until the template changes. */
  declared: z.string(),
});
const state = z.object({ keys: z.array(apiKey), plans: z.array(usagePlan) });

export type ApiKey = Readonly<z.output<typeof apiKey>>;
export type UsagePlan = Readonly<z.output<typeof usagePlan>>;

interface NewApiKey {
  readonly name: string;
  readonly value: string;
  readonly enabled?: boolean | undefined;
  readonly description?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

export type KeyChange = Partial<Pick<ApiKey, 'name' | 'description' | 'enabled'>>;
export type PlanChange = Partial<Pick<UsagePlan, 'name' | 'throttle' | 'monthlyQuota'>>;

/** Named as API Gateway names them. */
export class ControlPlaneFault extends Error {
  constructor(
    override readonly name: 'NotFoundException' | 'ConflictException' | 'BadRequestException',
    message: string,
  ) {
    super(message);
  }
}

export interface ControlPlane {
  listKeys(): readonly ApiKey[];
  getKey(keyId: string): ApiKey;
  findKey(value: string): ApiKey | undefined;
  createKey(key: NewApiKey): ApiKey;
  updateKey(keyId: string, change: KeyChange): ApiKey;
  deleteKey(keyId: string): void;
  listPlans(): readonly UsagePlan[];
  getPlan(planId: string): UsagePlan;
  updatePlan(planId: string, change: PlanChange): UsagePlan;
  listPlanKeys(planId: string): readonly ApiKey[];
  addToPlan(planId: string, keyId: string): ApiKey;
  removeFromPlan(planId: string, keyId: string): void;
  /** The plan of the key on this stage; undefined when it is on none. */
  planOf(key: ApiKey, apiId: string, stage: string): UsagePlan | undefined;
}

export interface ControlPlaneOptions {
  /** The file of the state; in memory only when undefined. */
  readonly file: string | undefined;
  readonly plans: readonly PlanModel[];
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Without the file every key would be gone. */
const REMEDY = 'put a copy of it back: every key is in it';

const newId = (): string => randomBytes(8).toString('hex').slice(0, 10);
const notFound = (what: string): ControlPlaneFault =>
  new ControlPlaneFault('NotFoundException', `Invalid ${what} identifier specified`);

/** The template's plans; an edited plan keeps its edits unless the template changed it too. */
function mergePlans(declared: readonly PlanModel[], saved: readonly UsagePlan[]): UsagePlan[] {
  return declared.map((plan) => {
    const text = JSON.stringify(plan);
    const known = saved.find(({ id }) => id === plan.id);
    return known?.declared === text ? known : usagePlan.parse({ ...plan, declared: text });
  });
}

/** Opens the state in `file`; throws `StartError` when it is damaged. */
export function openControlPlane({ file, plans: declared, now }: ControlPlaneOptions): ControlPlane {
  const saved = file === undefined ? undefined : readJsonFile(file, state, REMEDY);
  const plans = new Map(mergePlans(declared, saved?.plans ?? []).map((plan) => [plan.id, plan]));
  const keys = new Map((saved?.keys ?? []).map((key) => [key.id, key as ApiKey]));
  const idsByValue = new Map([...keys.values()].map((key) => [key.value, key.id]));
  for (const key of keys.values())
    keys.set(key.id, { ...key, planIds: key.planIds.filter((planId) => plans.has(planId)) });

  const save = (): void => {
    if (file !== undefined) writeJsonFile(file, { keys: [...keys.values()], plans: [...plans.values()] });
  };
  const getKey = (keyId: string): ApiKey => {
    const key = keys.get(keyId);
    if (!key) throw notFound('API Key');
    return key;
  };
  const getPlan = (planId: string): UsagePlan => {
    const plan = plans.get(planId);
    if (!plan) throw notFound('Usage Plan');
    return plan;
  };
  const replaceKey = (key: ApiKey): ApiKey => {
    const stamped = { ...key, lastUpdatedDate: Math.floor(now() / 1000) };
    keys.set(key.id, stamped);
    save();
    return stamped;
  };
  save();

  return {
    listKeys: () => [...keys.values()],
    getKey,
    findKey: (value) => keys.get(idsByValue.get(value) ?? ''),
    createKey({ name, value, enabled = true, description, tags: given = {} }) {
      if (!/^[A-Za-z0-9]{20,128}$/.test(value))
        throw new ControlPlaneFault(
          'BadRequestException',
          'API Key value should be 20 to 128 alphanumeric characters',
        );
      if (idsByValue.has(value)) throw new ControlPlaneFault('ConflictException', 'API Key already exists');
      const createdDate = Math.floor(now() / 1000);
      const key = { id: newId(), name, value, enabled, createdDate, tags: { ...given }, planIds: [] };
      idsByValue.set(value, key.id);
      return replaceKey({
        ...key,
        lastUpdatedDate: createdDate,
        description,
      });
    },
    updateKey: (keyId, change) => replaceKey({ ...getKey(keyId), ...change }),
    deleteKey(keyId) {
      idsByValue.delete(getKey(keyId).value);
      keys.delete(keyId);
      save();
    },
    listPlans: () => [...plans.values()],
    getPlan,
    updatePlan(planId, change) {
      const plan = { ...getPlan(planId), ...change };
      plans.set(planId, plan);
      save();
      return plan;
    },
    listPlanKeys: (planId) => {
      getPlan(planId);
      return [...keys.values()].filter(({ planIds }) => planIds.includes(planId));
    },
    addToPlan(planId, keyId) {
      const { stages } = getPlan(planId);
      const key = getKey(keyId);
      const rival = key.planIds.some((id) =>
        getPlan(id).stages.some((one) =>
          stages.some((other) => one.apiId === other.apiId && one.stage === other.stage),
        ),
      );
      if (rival)
        throw new ControlPlaneFault('ConflictException', 'API Key is on a plan of the same stage already');
      return replaceKey({ ...key, planIds: [...key.planIds, planId] });
    },
    removeFromPlan(planId, keyId) {
      getPlan(planId);
      const key = getKey(keyId);
      if (!key.planIds.includes(planId)) throw notFound('API Key');
      replaceKey({ ...key, planIds: key.planIds.filter((id) => id !== planId) });
    },
    planOf: (key, apiId, stage) =>
      key.planIds
        .map((planId) => plans.get(planId))
        .find((plan) => plan?.stages.some((one) => one.apiId === apiId && one.stage === stage)),
  };
}
