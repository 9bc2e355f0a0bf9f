/** The Lambda handler of an endpoint that needs no key: no table, no limit. */
import * as z from 'zod/mini';
import type { Route } from '../core/contracts/route.ts';
import type { Endpoint } from '../core/endpoints/endpoint.ts';
import { createHandler, type GatewayHandler } from '../core/http/chain.ts';
import { allowedOrigins } from '../core/http/response.ts';
import { createTelemetry } from '../core/http/telemetry.ts';
import { readEnvironment, serviceClock } from '../core/store/environment.ts';

export function endpointHandler<R extends Route>(
  operationId: string,
  { route, create }: Endpoint<R, never>,
): GatewayHandler {
  const { AWS_REGION } = readEnvironment(z.object({ AWS_REGION: z.string() }), process.env);
  const context = {
    now: serviceClock(process.env),
    region: AWS_REGION,
    replays: process.env.REPLAYS === 'true',
  };
  return createHandler(operationId, route, create({}, context), {
    limiter: { admit: async () => ({ admitted: true, headers: {} }) },
    telemetry: createTelemetry(),
    outages: [],
    corsOrigins: allowedOrigins(process.env.CORS_ORIGINS),
    now: context.now,
    stopwatch: () => performance.now(),
  });
}
