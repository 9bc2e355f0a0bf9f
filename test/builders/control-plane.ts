/**
 * API Gateway's control plane of keys and plans, in memory, in the protocol of its SDK client: the key command and the reconciliation use it
 * as they use AWS.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import * as z from 'zod';
import { createGatewayKeyAdministration } from '../../core/access/gateway-administration.ts';
import { KEY_PREFIXES, type KeyStore, LOCAL_TIERS } from '../../core/access/keys.ts';
import { createKeySync } from '../../lambdas/key-sync/key-sync.ts';
import { errorText } from '../../local/command-line.ts';
import type { KeyStage } from '../../tools/keys/key-commands.ts';

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
export type ApiKey = Readonly<z.output<typeof apiKey>>;
export interface UsagePlan {
  readonly id: string;
  readonly name: string;
  readonly throttle: { readonly ratePerSecond: number; readonly burst: number } | undefined;
  readonly monthlyQuota: number | undefined;
  readonly stages: readonly { readonly apiId: string; readonly stage: string }[];
  readonly tags: Readonly<Record<string, string>>;
}

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

const newId = (): string => randomBytes(8).toString('hex').slice(0, 10);
const notFound = (what: string): ControlPlaneFault =>
  new ControlPlaneFault('NotFoundException', `Invalid ${what} identifier specified`);

export type ControlPlane = ReturnType<typeof openControlPlane>;

export function openControlPlane(declared: readonly UsagePlan[], now: () => number) {
  const plans = new Map(declared.map((plan) => [plan.id, plan]));
  const keys = new Map<string, ApiKey>();
  const seconds = (): number => Math.floor(now() / 1000);

  const idsByValue = new Map<string, string>();
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
    return stamped;
  };

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
    },
    listPlans: () => [...plans.values()],
    getPlan,
    updatePlan(planId: string, change: Partial<UsagePlan>): UsagePlan {
      const plan = { ...getPlan(planId), ...change };
      plans.set(planId, plan);
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

const STATUS = { NotFoundException: 404, ConflictException: 409, BadRequestException: 400 } as const;
const DEFAULT_PAGE = 25;
const MAX_PAGE = 500;

const planKey = z.object({ keyId: z.string(), keyType: z.literal('API_KEY') });
const patch = z.object({
  patchOperations: z.array(
    z.object({ op: z.enum(['replace', 'add', 'remove']), path: z.string(), value: z.string().optional() }),
  ),
});

function parse<S extends z.ZodType>(shape: S, body: unknown): z.output<S> {
  const result = shape.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ControlPlaneFault('BadRequestException', `${issue?.path.join('.')}: ${issue?.message}`);
}

interface Patch {
  readonly op: string;
  readonly path: string;
  readonly value?: string | undefined;
}

const unknownPath = ({ path }: Patch): ControlPlaneFault =>
  new ControlPlaneFault('BadRequestException', `Invalid patch path ${path}`);

function patchedKey(key: ApiKey, change: Patch): ApiKey {
  const { path, value = '' } = change;
  if (path === '/name') return { ...key, name: value };
  if (path === '/enabled') return { ...key, enabled: value === 'true' };
  throw unknownPath(change);
}

function positive({ path, value }: Patch): number {
  const number = Number(value);
  if (number > 0) return number;
  throw new ControlPlaneFault('BadRequestException', `${path} must be positive, not ${value}`);
}

function patchedPlan(plan: UsagePlan, change: Patch): UsagePlan {
  const { op, path, value } = change;
  const { throttle = { ratePerSecond: 1, burst: 1 } } = plan;
  switch (op === 'remove' ? `remove ${path}` : path) {
    case 'remove /throttle':
      return { ...plan, throttle: undefined };
    case 'remove /quota':
      return { ...plan, monthlyQuota: undefined };
    case '/throttle/rateLimit':
      return { ...plan, throttle: { ...throttle, ratePerSecond: positive(change) } };
    case '/throttle/burstLimit':
      return { ...plan, throttle: { ...throttle, burst: positive(change) } };
    case '/quota/limit':
      return { ...plan, monthlyQuota: positive(change) };
    case '/quota/period':
      // The console sends the period with the limit.
      if (value === 'MONTH') return plan;
  }
  throw unknownPath(change);
}

const keyReply = ({ planIds: _, value, ...key }: ApiKey, withValue: boolean) => ({
  ...key,
  ...(withValue && { value }),
  stageKeys: [],
});

const planReply = ({ id, name, throttle, monthlyQuota, stages, tags }: UsagePlan) => ({
  id,
  name,
  apiStages: stages,
  ...(throttle && { throttle: { rateLimit: throttle.ratePerSecond, burstLimit: throttle.burst } }),
  ...(monthlyQuota !== undefined && { quota: { limit: monthlyQuota, offset: 0, period: 'MONTH' } }),
  tags,
});

/** One page of a list; `position` is the id after which it begins. */
function page<T extends { readonly id: string }>(
  all: readonly T[],
  query: URLSearchParams,
  reply: (item: T) => unknown,
) {
  const limit = Math.min(Number(query.get('limit') ?? DEFAULT_PAGE), MAX_PAGE);
  const position = query.get('position');
  const from = position === null ? 0 : all.findIndex(({ id }) => id === position) + 1;
  const items = all.slice(from, from + limit);
  const more = from + limit < all.length;
  return { item: items.map(reply), ...(more && { position: items.at(-1)?.id }) };
}

interface Operation {
  /** Id of the collection's item. */
  readonly id: string;
  /** Id of the item inside that one. */
  readonly innerId: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}
type Reply = readonly [status: number, body?: unknown];

const DELETED: Reply = [202];
const onPlan = ({ id, name, value }: ApiKey) => ({ id, name, value, type: 'API_KEY' });

/** The operations, by method and path; `*` matches an id. */
const listOperations = (plane: ControlPlane): Readonly<Record<string, (operation: Operation) => Reply>> => ({
  'GET /apikeys': ({ query }) => {
    const withValues = query.get('includeValues') === 'true';
    return [200, page(plane.listKeys(), query, (key) => keyReply(key, withValues))];
  },
  'POST /apikeys': ({ body }) => [201, keyReply(plane.createKey(parse(newApiKey, body)), true)],
  'PATCH /apikeys/*': ({ id, body }) => {
    const key = parse(patch, body).patchOperations.reduce(patchedKey, plane.getKey(id));
    return [200, keyReply(plane.updateKey(id, key), false)];
  },
  'DELETE /apikeys/*': ({ id }) => {
    plane.deleteKey(id);
    return DELETED;
  },
  'GET /usageplans': ({ query }) => [200, page(plane.listPlans(), query, planReply)],
  'PATCH /usageplans/*': ({ id, body }) => {
    const plan = parse(patch, body).patchOperations.reduce(patchedPlan, plane.getPlan(id));
    return [200, planReply(plane.updatePlan(id, plan))];
  },
  'GET /usageplans/*/keys': ({ id, query }) => [200, page(plane.listPlanKeys(id), query, onPlan)],
  'POST /usageplans/*/keys': ({ id, body }) => [201, onPlan(plane.addToPlan(id, parse(planKey, body).keyId))],
  'DELETE /usageplans/*/keys/*': ({ id, innerId }) => {
    plane.removeFromPlan(id, innerId);
    return DELETED;
  },
});

function readJson(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    throw new ControlPlaneFault('BadRequestException', 'The body is not JSON');
  }
}

export type ControlPlaneServer = Awaited<ReturnType<typeof serveControlPlane>>;

/** Serves on a free loopback port. Refuses requests that no SDK client would send. */
export async function serveControlPlane(plane: ControlPlane) {
  const operations = listOperations(plane);
  const respond = async (request: IncomingMessage): Promise<Reply> => {
    const signed = request.headers.authorization?.startsWith('AWS4-') === true;
    if (!signed) return [403, { message: 'Missing Authentication Token' }];
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const [, collection = '', id = '', inner, innerId = ''] = url.pathname.split('/').map(decodeURIComponent);
    const pattern = [collection, id && '*', inner, innerId && '*'].filter(Boolean).join('/');
    const operation = operations[`${request.method} /${pattern}`];
    if (!operation) return [404, { message: `${request.method} /${pattern} is not a supported operation` }];
    const body = readJson(await text(request));
    return operation({ id, innerId, query: url.searchParams, body });
  };
  const server = createServer(async (request, response) => {
    let reply: Reply;
    try {
      reply = await respond(request);
    } catch (thrown) {
      if (thrown instanceof ControlPlaneFault) {
        response.setHeader('x-amzn-errortype', thrown.name);
        reply = [STATUS[thrown.name], { message: thrown.message }];
      } else reply = [500, { message: errorText(thrown) }];
    }
    const [status, body] = reply;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? '' : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The stage of an API of this control plane, as the key command reaches a deployed one. */
export function planeStage(
  endpoint: string,
  scope: { readonly stage: string; readonly apiId: string },
  keys: KeyStore,
) {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new APIGatewayClient({ endpoint, region: 'eu-north-1', credentials });
  const administration = createGatewayKeyAdministration(client, scope);
  const synchronize = createKeySync({
    listing: administration,
    keys,
    scope: { stage: scope.stage, prefix: KEY_PREFIXES.dev, tiers: LOCAL_TIERS },
    onIgnored: () => undefined,
    onUnknownTier: () => undefined,
    onHeldLoss: () => undefined,
    now: Date.now,
  });
  const stage: KeyStage = { stage: scope.stage, kind: 'dev', administration, synchronize };
  return { client, stage };
}
