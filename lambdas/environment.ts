/** The environment of a function, read once when it is loaded; without the SDK, so that the health bundle lacks it. */
import * as z from 'zod/mini';
import type { Clock } from '../core/reference/time.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Thrown while a function is loaded, so that a faulty deployment fails at once and says why. */
class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/** A variable that must be set. */
export const text = z.string().check(z.minLength(1));

/** Checks `variables` against a schema of strings; throws EnvironmentError naming every variable that is wrong. */
export function readEnvironment<T>(schema: z.ZodMiniType<T>, variables: Variables): T {
  const result = schema.safeParse(variables);
  if (result.success) return result.data;
  const wrong = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new EnvironmentError(`environment variables are missing or invalid: ${wrong.join('; ')}`);
}

const clockSchema = z.object({
  CLOCK_OFFSET_MS: z.optional(z.string().check(z.regex(/^-?\d+$/))),
});

/** The service's clock: the machine's, shifted by CLOCK_OFFSET_MS where the local service runs at another time. */
export function serviceClock(variables: Variables): Clock {
  const { CLOCK_OFFSET_MS } = readEnvironment(clockSchema, variables);
  const offsetMs = Number(CLOCK_OFFSET_MS ?? 0);
  return () => Date.now() + offsetMs;
}

/** What every endpoint's function takes from its environment. */
export function endpointContext(variables: Variables) {
  const { AWS_REGION } = readEnvironment(z.object({ AWS_REGION: z.string() }), variables);
  return { now: serviceClock(variables), region: AWS_REGION, replays: variables.REPLAYS === 'true' };
}
