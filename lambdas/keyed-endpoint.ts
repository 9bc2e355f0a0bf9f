/** Wires one keyed endpoint: its tables, the limiter, the telemetry and the chain around what it does. */
import type { OperationId, ROUTES } from '../core/contracts/routes.ts';
import { createAnswerCache, keptMsOf } from '../core/http/answer-cache.ts';
import { createHandler, type Endpoint, type GatewayHandler } from '../core/http/chain.ts';
import { originsOf } from '../core/http/cors.ts';
import { createTelemetry } from '../core/http/telemetry.ts';
import type { Clock } from '../core/reference/time.ts';
import { serviceClock } from '../core/store/environment.ts';
import { openFunctionTables } from '../core/store/function-tables.ts';
import { createLimiter, deadlineOf } from '../core/store/limiter.ts';
import { createTokenBuckets } from '../core/store/rate-limits.ts';
import { StoreFailure, type Table } from '../core/store/table.ts';
import type { TableId } from '../core/store/tables.ts';

/**
 * The handler of `operationId`, whose entry of the route table is `route`; `endpointOf` makes what it does from the
 * tables that it reads. The route comes as an argument so that no function carries the contract of all endpoints.
 */
export function keyedEndpoint<O extends OperationId, I extends TableId>(
  operationId: O,
  route: (typeof ROUTES)[O],
  tableIds: readonly I[],
  endpointOf: (tables: Record<I, Table>, now: Clock) => Endpoint<O>,
): GatewayHandler {
  const telemetry = createTelemetry();
  const tables = openFunctionTables<I | 'rateLimits'>([...tableIds, 'rateLimits'], process.env);
  const limiter = createLimiter({
    buckets: createTokenBuckets(tables.rateLimits),
    // Limits run on the wall clock, whatever time the service is set to.
    now: Date.now,
    onFailure: telemetry.limiterFailure,
    deadlineMs: deadlineOf(process.env.LIMITER_DEADLINE_MS),
  });
  return createHandler(operationId, route, endpointOf(tables, serviceClock(process.env)), {
    limiter,
    telemetry,
    outages: [StoreFailure],
    answerCache: createAnswerCache(keptMsOf(process.env.ANSWER_CACHE_SECONDS), () => performance.now()),
    corsOrigins: originsOf(process.env.CORS_ORIGINS),
    stopwatch: () => performance.now(),
  });
}
