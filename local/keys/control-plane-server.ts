/** The control plane in the protocol of API Gateway's SDK client: key command and reconciliation use it as they use AWS. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { isOwnRequest } from '../own-request.mjs';
import { errorText } from '../start-error.ts';
import {
  type ApiKey,
  type ControlPlane,
  ControlPlaneFault,
  newApiKey,
  type UsagePlan,
} from './control-plane.ts';

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
  /** Of the collection's item. */
  readonly id: string;
  /** Of the item inside that one. */
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

/** Serves on a free loopback port. Refuses requests of others than this start, and requests that no SDK client would send. */
export async function serveControlPlane(plane: ControlPlane) {
  const operations = listOperations(plane);
  const secret = randomBytes(16).toString('hex');
  const respond = async (request: IncomingMessage): Promise<Reply> => {
    const signed = request.headers.authorization?.startsWith('AWS4-') === true;
    if (!signed || !isOwnRequest(request, secret)) return [403, { message: 'Missing Authentication Token' }];
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const [, , collection = '', id = '', inner, innerId = ''] = url.pathname
      .split('/')
      .map(decodeURIComponent);
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
    /** It contains the secret of this start: whoever has it may make and delete keys. */
    endpoint: `http://127.0.0.1:${port}/${secret}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
