/**
 * What a function is wired with. On AWS each function's `index.ts` makes it from the environment, on one machine the host makes one for
 * all functions of the process. Nothing here or behind it reads the environment or the time while it is loaded.
 */
import * as z from 'zod/mini';
import type { Log } from '../core/contracts/log.ts';
import type { Clock } from '../core/reference/time.ts';
import type { Table } from '../core/store/table.ts';
import type { TableId } from '../core/store/tables.ts';
import { createLog } from './log.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Opens tables by id. `patient`: for background work, which waits longer for the store than a request. */
export type OpenTables = <I extends TableId>(ids: readonly I[], wait?: 'patient') => Record<I, Table>;

/** What a function without tables needs to be wired. */
export interface Wiring {
  readonly variables: Variables;
  /** The machine's clock: limits, keys and log run on it, even when the service is set to another time. */
  readonly wallClock: Clock;
  /** The service's clock. */
  readonly now: Clock;
  readonly log: Log;
}

export interface StoreWiring extends Wiring {
  readonly openTables: OpenTables;
}

/** Thrown while a function is wired, so that a faulty deployment fails at once and says why. */
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

const functionSchema = z.object({
  /** Milliseconds by which the service's clock is ahead, where it serves recorded data as if they were new. */
  CLOCK_OFFSET_MS: z.optional(z.string().check(z.regex(/^-?\d+$/))),
  SERVICE_NAME: z.optional(z.string()),
});

/** The wiring of a function on AWS, from its environment. */
export function functionWiring(variables: Variables): Wiring {
  const { CLOCK_OFFSET_MS = '0', SERVICE_NAME = 'port-congestion' } = readEnvironment(
    functionSchema,
    variables,
  );
  const offsetMs = Number(CLOCK_OFFSET_MS);
  const wallClock = (): number => Date.now();
  const write = (line: string): void => void process.stdout.write(line);
  return {
    variables,
    wallClock,
    now: () => wallClock() + offsetMs,
    log: createLog({ service: SERVICE_NAME, write, now: wallClock }),
  };
}
