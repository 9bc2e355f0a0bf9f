/** The Lambda handler of a keyed endpoint: its tables, the limiter, the telemetry and the chain around it. */
import type { Route } from '../../core/contracts/route.ts';
import { createHandler, type GatewayHandler } from '../../core/http/chain.ts';
import { allowedOrigins } from '../../core/http/response.ts';
import { createResponseCache, readLifetimeMs } from '../../core/http/response-cache.ts';
import { createTelemetry } from '../../core/http/telemetry.ts';
import { createTokenBuckets } from '../../core/limits/bucket-table.ts';
import { createLimiter, deadlineOf } from '../../core/limits/limiter.ts';
import { StoreFailure } from '../../core/store/table.ts';
import type { TableId } from '../../core/store/tables.ts';
import { endpointContext } from '../environment.ts';
import { openFunctionTables } from '../function-tables.ts';
import type { Endpoint } from './endpoint.ts';
import { withOtherStarts } from './other-starts.ts';

export function endpointHandler<R extends Route, I extends TableId>(
  operationId: string,
  { route, tables: uses, create }: Endpoint<R, I>,
): GatewayHandler {
  const telemetry = createTelemetry();
  const ids = Object.keys(uses) as I[];
  const tables = openFunctionTables<I | 'rateLimits'>([...ids, 'rateLimits'], process.env);
  // Opens a connection and compiles most of the SDK. Lambda, which sets this variable, often initializes an instance before its first
  // request; on one machine the first request follows at once.
  if (process.env.AWS_LAMBDA_INITIALIZATION_TYPE !== undefined)
    tables.rateLimits.get({ digest: 'warm-up' }).catch(() => {});
  const limiter = createLimiter({
    buckets: createTokenBuckets(tables.rateLimits),
    // Limits run on the wall clock, even when the service is set to another time.
    now: Date.now,
    onFailure: telemetry.limiterFailure,
    deadlineMs: deadlineOf(process.env.LIMITER_DEADLINE_MS),
  });
  const context = endpointContext(process.env);
  const handler = withOtherStarts(create(tables, context), process.env.OTHER_STARTS);
  return createHandler(operationId, route, handler, {
    limiter,
    telemetry,
    outages: [StoreFailure],
    responseCache: createResponseCache(readLifetimeMs(process.env.RESPONSE_CACHE_SECONDS), () =>
      performance.now(),
    ),
    contact: process.env.CONTACT,
    corsOrigins: allowedOrigins(process.env.CORS_ORIGINS),
    now: context.now,
    stopwatch: () => performance.now(),
  });
}
