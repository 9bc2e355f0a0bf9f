/** The API as the tools see it: the typed client, and the lists that say what an answer stands on. */
import { type ClientOptions, PortCongestionClient } from '../client/index.ts';
import type { PortRecord, SourceRecord } from '../core/contracts/routes.ts';

/** As long as the service lets a response be cached. */
const LIST_MS = 300_000;
/** Clients of MCP give a call up after 60 seconds: retries end before, and a longer wait is an error that names it. */
const PATIENCE = { maxRetries: 2, longestRetryAfterSeconds: 20 } as const;

export interface Service {
  readonly client: PortCongestionClient;
  /** Covered ports, at most five minutes old. */
  ports(): Promise<readonly PortRecord[]>;
  /** Sources fetched at least once, at most five minutes old. */
  sources(): Promise<readonly SourceRecord[]>;
}

/** Requests the value at most once in five minutes; a failed request is not kept. */
function cached<T>(request: () => Promise<T>, now: () => number): () => Promise<T> {
  let value: Promise<T> | undefined;
  let until = 0;
  return () => {
    if (value === undefined || now() >= until) {
      until = now() + LIST_MS;
      value = request().catch((thrown) => {
        until = 0;
        throw thrown;
      });
    }
    return value;
  };
}

/** Throws a TypeError for an invalid address or key. */
export function createService(options: ClientOptions): Service {
  const client = new PortCongestionClient({
    ...PATIENCE,
    ...options,
  });
  const now = options.now ?? Date.now;
  return {
    client,
    ports: cached(() => client.ports(), now),
    sources: cached(() => client.sources(), now),
  };
}
