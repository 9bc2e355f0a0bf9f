/** One request for each of many ports, at a pace within the rate limit of the key. */
import { PortCongestionError } from './error.ts';
import type { PortResult, RateLimit } from './options.ts';

/** Requests per minute that are left to other programs with the same key. */
const RESERVE = 5;
/** The service gives one request back per second; the rest covers network delay. */
const PACE_MS = 1_100;

export interface Pace {
  /** The rate limit from the newest response, if any. */
  readonly rateLimit: () => RateLimit | undefined;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Whether every further port would fail with the same error. */
const concernsTheKey = ({ status }: PortCongestionError): boolean => status === 401 || status === 403;

/**
 * Calls `request` for one port after the other, in their order. Waits a second before each request while the key has
 * few requests left, so that it never runs into a 429. An error of one port is a result and the next port follows; an
 * error of the key, and the reason of an aborted signal, are thrown.
 */
export async function* overPorts<T>(
  ports: Iterable<string>,
  request: (port: string, signal: AbortSignal | undefined) => Promise<T>,
  { rateLimit, sleep }: Pace,
  signal: AbortSignal | undefined,
): AsyncGenerator<PortResult<T>, void, undefined> {
  for (const port of ports) {
    if ((rateLimit()?.remaining ?? Number.POSITIVE_INFINITY) <= RESERVE) await sleep(PACE_MS, signal);
    let result: PortResult<T>;
    try {
      result = { port, value: await request(port, signal) };
    } catch (thrown) {
      if (!(thrown instanceof PortCongestionError) || concernsTheKey(thrown)) throw thrown;
      result = { port, error: thrown };
    }
    yield result;
  }
}
