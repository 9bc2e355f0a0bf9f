/** The API as the tools see it: the typed client, and the lists of ports and sources behind the provenance. */
import { type ClientOptions, PortCongestionClient } from '../client/index.ts';
import type { PortRecord, SourceRecord } from '../core/contracts/routes.ts';

/** How long the service lets a response be cached. */
const LIST_MS = 300_000;
/** MCP clients abandon a call after 60 seconds: retries end before that, and a longer wait is an error that states it. */
const PATIENCE = { maxRetries: 2, longestRetryAfterSeconds: 20 } as const;

export interface Service {
  readonly client: PortCongestionClient;
  /** Covered ports, at most five minutes old. */
  ports(): Promise<readonly PortRecord[]>;
  /** Sources fetched at least once, at most five minutes old. */
  sources(): Promise<readonly SourceRecord[]>;
}

/** Requests the value at most once in five minutes; a failed request is not cached. */
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
