/** The handler of an endpoint that needs no key: no table, no limit. */
import type { Route } from '../../core/contracts/route.ts';
import { createHandler, createTelemetry, type GatewayHandler } from '../../core/http/chain.ts';
import { allowedOrigins } from '../../core/http/response.ts';
import type { Wiring } from '../wiring.ts';
import { type Endpoint, endpointContext } from './endpoint.ts';

export function endpointHandler<R extends Route>(
  operationId: string,
  { route, create }: Endpoint<R, never>,
  wiring: Wiring,
): GatewayHandler {
  return createHandler(operationId, route, create({}, endpointContext(wiring)), {
    limiter: { admit: async () => ({ admitted: true, headers: {} }) },
    telemetry: createTelemetry(wiring.log),
    outages: [],
    corsOrigins: allowedOrigins(wiring.variables.CORS_ORIGINS),
    now: wiring.now,
    stopwatch: () => performance.now(),
  });
}
