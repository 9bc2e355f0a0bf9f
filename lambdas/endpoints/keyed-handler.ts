/** The handler of an endpoint that needs a key: its tables, the limiter, the telemetry and the chain around it. */

import { createLimiter, createTokenBuckets, deadlineOf, type Limiter } from '../../core/access/limiter.ts';
import type { Micros } from '../../core/access/token-bucket.ts';
import type { Route } from '../../core/contracts/route.ts';
import { createHandler, createTelemetry, type GatewayHandler } from '../../core/http/chain.ts';
import { allowedOrigins, createResponseCache, readLifetimeMs } from '../../core/http/response.ts';
import { StoreFailure, type Table } from '../../core/store/table.ts';
import type { TableId } from '../../core/store/tables.ts';
import type { StoreWiring } from '../wiring.ts';
import { type Endpoint, endpointContext } from './endpoint.ts';

/**
 * The limiter of a process: of a function instance on AWS, of all endpoints together on one machine. `clockAllowance`: how far the
 * clocks of the processes that share the table may differ.
 */
export const processLimiter = (
  { variables, wallClock, log }: StoreWiring,
  rateLimits: Table,
  clockAllowance?: Micros,
): Limiter =>
  createLimiter({
    buckets: createTokenBuckets(rateLimits, clockAllowance),
    now: wallClock,
    onFailure: createTelemetry(log).limiterFailure,
    deadlineMs: deadlineOf(variables.LIMITER_DEADLINE_MS),
  });

/** A function of its own, as on AWS. */
export function endpointHandler<R extends Route, I extends TableId>(
  operationId: string,
  endpoint: Endpoint<R, I>,
  wiring: StoreWiring,
): GatewayHandler {
  const { rateLimits } = wiring.openTables(['rateLimits']);
  // Opens a connection and compiles most of the SDK, while Lambda initializes an instance, often before its first request.
  rateLimits.get({ digest: 'warm-up' }).catch(() => {});
  return limitedHandler(operationId, endpoint, wiring, processLimiter(wiring, rateLimits));
}

export function limitedHandler<R extends Route, I extends TableId>(
  operationId: string,
  { route, tables: uses, create }: Endpoint<R, I>,
  wiring: StoreWiring,
  limiter: Limiter,
): GatewayHandler {
  const { variables, log, now } = wiring;
  const tables = wiring.openTables(Object.keys(uses) as I[]);
  const handler = create(tables, endpointContext(wiring));
  const stopwatch = (): number => performance.now();
  return createHandler(operationId, route, handler, {
    limiter,
    telemetry: createTelemetry(log),
    outages: [StoreFailure],
    responseCache: createResponseCache(readLifetimeMs(variables.RESPONSE_CACHE_SECONDS), stopwatch),
    contact: variables.CONTACT,
    corsOrigins: allowedOrigins(variables.CORS_ORIGINS),
    now,
    stopwatch,
  });
}
