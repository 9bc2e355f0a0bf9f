/** Wiring of the health probe: no table, no key, no limit. */
import * as z from 'zod/mini';
import { healthRoute } from '../../core/contracts/health.ts';
import { createHandler } from '../../core/http/chain.ts';
import { originsOf } from '../../core/http/cors.ts';
import { createTelemetry } from '../../core/http/telemetry.ts';
import { readEnvironment, serviceClock } from '../../core/store/environment.ts';
import { createHealth } from './health.ts';

const { AWS_REGION } = readEnvironment(z.object({ AWS_REGION: z.string() }), process.env);

export const handler = createHandler(
  'health',
  healthRoute,
  createHealth(AWS_REGION, serviceClock(process.env)),
  {
    limiter: { admit: async () => ({ admitted: true, headers: {} }) },
    telemetry: createTelemetry(),
    outages: [],
    corsOrigins: originsOf(process.env.CORS_ORIGINS),
    stopwatch: () => performance.now(),
  },
);
