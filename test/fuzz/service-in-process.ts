/** Gateway, authorizer and handlers in this process over rows in memory: everything between the socket and the store. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isAccessTier, type KeyRow, limitsOf } from '../../core/access/entitlements.ts';
import { digestOf } from '../../core/access/key.ts';
import { type Limiter, rateLimitHeaders } from '../../core/access/limiter.ts';
import { TIER_TAG } from '../../core/contracts/plans.ts';
import { type OperationId, ROUTES } from '../../core/contracts/routes.ts';
import type { GatewayHandler } from '../../core/http/chain.ts';
import { createTelemetry } from '../../core/http/telemetry.ts';
import type { Instant } from '../../core/reference/time.ts';
import { StoreFailure } from '../../core/store/table.ts';
import { createAuthorizer } from '../../lambdas/authorizer/authorizer.ts';
import { createGateway } from '../../local/gateway/gateway.ts';
import { openUsagePlans } from '../../local/gateway/usage-plans.ts';
import { openControlPlane } from '../../local/keys/control-plane.ts';
import { readServiceModel } from '../../local/template/service-model.ts';
import { benchPlan, readDemoKeys, seedKeys } from '../../serve/demo-keys.ts';
import { INVOCATION } from '../builders/gateway-event.ts';
import { endpointsOver, handlersBehind, READ_TABLES, type Tables } from '../builders/keyed-handlers.ts';
import { MemoryTable } from '../builders/memory-table.ts';
import { fillServedTables } from '../builders/served-tables.ts';
import type { HostileRequest } from './hostile-request.ts';
import type { RawResponse } from './response-rules.ts';

export const SERVED_AT: Instant = Date.UTC(2026, 4, 20, 12);
/** One request in so many finds its bucket empty. */
const REFUSED_EVERY = 40;

function turningLimiter(): Limiter {
  let asked = 0;
  return {
    async admit({ limits }) {
      asked += 1;
      const admitted = asked % REFUSED_EVERY !== 0;
      const figures = { limit: 60, remaining: admitted ? 59 : 0, resetSecond: SERVED_AT / 1000 + 1 };
      const headers = limits === undefined ? {} : rateLimitHeaders(figures);
      return { admitted, headers, ...(admitted ? {} : { retryAfterSeconds: 1 }) };
    },
  };
}

/** The handler of every operation over rows in memory. */
export async function handlersInProcess(): Promise<Readonly<Record<OperationId, GatewayHandler>>> {
  const tables = Object.fromEntries(READ_TABLES.map((id) => [id, new MemoryTable(id)])) as unknown as Tables;
  await fillServedTables(tables, SERVED_AT);
  return handlersBehind(
    endpointsOver(tables, () => SERVED_AT),
    {
      limiter: turningLimiter(),
      telemetry: createTelemetry(),
      outages: [StoreFailure],
      corsOrigins: new Set(['https://a.example']),
      stopwatch: () => performance.now(),
    },
  );
}

export interface ServiceInProcess {
  /** Secrets of keys in all states, the one without limits first. */
  readonly keys: readonly [string, ...string[]];
  respond(request: HostileRequest): Promise<RawResponse>;
}

/** @param assembly folder of the synthesized stacks, for routes, gateway responses and plans. */
export async function openServiceInProcess(assembly: string): Promise<ServiceInProcess> {
  const model = readServiceModel(assembly);
  let clock = SERVED_AT;
  const now = (): Instant => clock;
  const plans = [...model.plans, benchPlan(model.apiId, model.stage)];
  const controlPlane = openControlPlane({ file: undefined, plans, now });
  const secrets = readDemoKeys();
  seedKeys(controlPlane, secrets, model.stage);
  const rows = new Map(
    Object.values(secrets).map((secret): [string, KeyRow] => {
      const digest = digestOf(secret);
      const key = controlPlane.findKey(digest);
      if (key === undefined) throw new Error('a demo key was not made');
      const plan = controlPlane.planOf(key, model.apiId, model.stage);
      const tier = plan?.tags[TIER_TAG];
      const row = { digest, keyId: key.id, name: key.name, enabled: key.enabled };
      if (plan === undefined || tier === undefined || !isAccessTier(tier)) return [digest, row];
      const limits = limitsOf(tier, plan.throttle);
      return [digest, { ...row, planId: plan.id, tier, ...(limits && { limits }) }];
    }),
  );
  const authorize = createAuthorizer({
    keys: { find: async (digest) => rows.get(digest) },
    prefix: 'pcd_dev',
    now,
  });
  const handlers = await handlersInProcess();
  const operations = Object.keys(ROUTES) as OperationId[];
  const behind = new Map(
    model.routes.map(({ path, functionArn }) => {
      const id = operations.find((one) => (ROUTES[one].paths as readonly string[]).includes(path));
      if (id === undefined) throw new Error(`${path} is a route of no operation`);
      return [functionArn, (event: unknown) => handlers[id](event as never, INVOCATION)];
    }),
  );
  const reports: string[] = [];
  const { listener } = createGateway({
    model,
    invoke: (arn) => behind.get(arn) ?? ((event) => authorize(event as never)),
    controlPlane,
    usagePlans: openUsagePlans(undefined),
    now,
    report: (line) => reports.push(line),
  });

  return {
    keys: [secrets.bench, ...Object.values(secrets).filter((secret) => secret !== secrets.bench)],
    respond: ({ method, target, headers }) =>
      new Promise((resolve, reject) => {
        clock += 1;
        const message = {
          method,
          url: target,
          rawHeaders: headers.flat(),
          socket: { remoteAddress: '127.0.0.1' },
          resume: () => {},
        } as unknown as IncomingMessage;
        let head: Pick<RawResponse, 'status' | 'headers'> | undefined;
        const response = {
          destroyed: false,
          writeHead(status: number, sent: [name: string, value: string][]) {
            const lower = sent.map(([name, value]) => [name.toLowerCase(), value]);
            head = { status, headers: Object.fromEntries(lower) };
          },
          end(body = '') {
            const said = reports.splice(0);
            if (said.length > 0) reject(new Error(`the gateway reported: ${said.join('; ')}`));
            else if (head === undefined) reject(new Error('ended without a head'));
            else resolve({ ...head, body });
          },
        } as unknown as ServerResponse;
        Promise.resolve(listener(message, response)).catch(reject);
      }),
  };
}
