/** API Gateway's keys and plans on one machine, with their state on disk. It stores the given value of a key, which can be a digest. */
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { readJsonFile, writeJsonFile } from '../json-file.ts';
import type { PlanModel } from '../template/service-model.ts';

const tags = z.record(z.string(), z.string());
const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  value: z.string(),
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

export const newApiKey = z.object({
  name: z.string().min(1),
  value: z.string(),
  enabled: z.boolean().default(true),
  tags: tags.default({}),
});

/** Named as API Gateway names them. */
export class ControlPlaneFault extends Error {
  constructor(
    override readonly name: 'NotFoundException' | 'ConflictException' | 'BadRequestException',
    message: string,
  ) {
    super(message);
  }
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

export type ControlPlane = ReturnType<typeof openControlPlane>;

/** Opens the state in `file`, in memory only when undefined; throws `StartError` when it is damaged. */
export function openControlPlane(
  file: string | undefined,
  declared: readonly PlanModel[],
  now: () => number,
) {
  const saved = file === undefined ? undefined : readJsonFile(file, state, REMEDY);
  const plans = new Map(mergePlans(declared, saved?.plans ?? []).map((plan) => [plan.id, plan]));
  const keys = new Map(
    (saved?.keys ?? []).map((key): [string, ApiKey] => [
      key.id,
      { ...key, planIds: key.planIds.filter((planId) => plans.has(planId)) },
    ]),
  );
  const seconds = (): number => Math.floor(now() / 1000);

  const save = (): void => {
    if (file !== undefined) writeJsonFile(file, { keys: [...keys.values()], plans: [...plans.values()] });
  };
  const idsByValue = new Map([...keys.values()].map(({ value, id }) => [value, id]));
  const findKey = (value: string): ApiKey | undefined => keys.get(idsByValue.get(value) ?? '');
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
  const putKey = (key: ApiKey): ApiKey => {
    const stamped = { ...key, lastUpdatedDate: seconds() };
    keys.set(key.id, stamped);
    save();
    return stamped;
  };
  save();

  return {
    listKeys: () => [...keys.values()],
    findKey,
    createKey(given: z.input<typeof newApiKey>): ApiKey {
      const key = newApiKey.parse(given);
      if (!/^[A-Za-z0-9]{20,128}$/.test(key.value))
        throw new ControlPlaneFault(
          'BadRequestException',
          'API Key value should be 20 to 128 alphanumeric characters',
        );
      if (findKey(key.value)) throw new ControlPlaneFault('ConflictException', 'API Key already exists');
      const id = newId();
      idsByValue.set(key.value, id);
      const createdDate = seconds();
      return putKey({ ...key, id, createdDate, lastUpdatedDate: createdDate, planIds: [] });
    },
    getKey,
    updateKey: (keyId: string, change: Partial<ApiKey>): ApiKey => putKey({ ...getKey(keyId), ...change }),
    deleteKey(keyId: string): void {
      idsByValue.delete(getKey(keyId).value);
      keys.delete(keyId);
      save();
    },
    listPlans: () => [...plans.values()],
    getPlan,
    updatePlan(planId: string, change: Partial<UsagePlan>): UsagePlan {
      const plan = { ...getPlan(planId), ...change };
      plans.set(planId, plan);
      save();
      return plan;
    },
    listPlanKeys(planId: string): readonly ApiKey[] {
      getPlan(planId);
      return [...keys.values()].filter(({ planIds }) => planIds.includes(planId));
    },
    addToPlan(planId: string, keyId: string): ApiKey {
      const { stages } = getPlan(planId);
      const key = getKey(keyId);
      if (stages.some(({ apiId, stage }) => planOf(key, apiId, stage) !== undefined))
        throw new ControlPlaneFault('ConflictException', 'API Key is on a plan of the same stage already');
      return putKey({ ...key, planIds: [...key.planIds, planId] });
    },
    removeFromPlan(planId: string, keyId: string): void {
      getPlan(planId);
      const key = getKey(keyId);
      if (!key.planIds.includes(planId)) throw notFound('API Key');
      putKey({ ...key, planIds: key.planIds.filter((id) => id !== planId) });
    },
    planOf,
  };

  /** The plan of the key on a stage; undefined when it is on none. */
  function planOf({ planIds }: ApiKey, apiId: string, stage: string): UsagePlan | undefined {
    const own = planIds.map((planId) => plans.get(planId));
    return own.find((plan) => plan?.stages.some((used) => used.apiId === apiId && used.stage === stage));
  }
}
