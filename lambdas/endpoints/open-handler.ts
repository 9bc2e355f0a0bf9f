/** The Lambda handler of an endpoint that needs no key: no table, no limit. */
import type { Route } from '../../core/contracts/route.ts';
import { createHandler, type GatewayHandler } from '../../core/http/chain.ts';
import { allowedOrigins } from '../../core/http/response.ts';
import { createTelemetry } from '../../core/http/telemetry.ts';
import { endpointContext } from '../environment.ts';
import type { Endpoint } from './endpoint.ts';

export function endpointHandler<R extends Route>(
  operationId: string,
  { route, create }: Endpoint<R, never>,
): GatewayHandler {
  const context = endpointContext(process.env);
  return createHandler(operationId, route, create({}, context), {
    limiter: { admit: async () => ({ admitted: true, headers: {} }) },
    telemetry: createTelemetry(),
    outages: [],
    corsOrigins: allowedOrigins(process.env.CORS_ORIGINS),
    now: context.now,
    stopwatch: () => performance.now(),
  });
}
