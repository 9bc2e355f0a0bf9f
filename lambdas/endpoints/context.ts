/** What every endpoint's function takes from its environment. */
import * as z from 'zod/mini';
import { readEnvironment, serviceClock, type Variables } from '../environment.ts';
import type { EndpointContext } from './endpoint.ts';

export function endpointContext(variables: Variables): EndpointContext {
  const { AWS_REGION } = readEnvironment(z.object({ AWS_REGION: z.string() }), variables);
  return { now: serviceClock(variables), region: AWS_REGION, replays: variables.REPLAYS === 'true' };
}
