/** The API as the tools see it: the typed client, and the list of ports behind the provenance. */
import type { PortOrder } from '../../core/contracts/ports.ts';
import type { PortRecord } from '../../core/contracts/routes.ts';
import { type ClientOptions, PortCongestionClient } from '../client/index.ts';

/** How long the service lets a response be cached. */
const LIST_MS = 300_000;
/** MCP clients abandon a call after 60 seconds: retries end before that, and a longer wait is an error that states it. */
const PATIENCE = { maxRetries: 2, maxRetryAfterSeconds: 20 } as const;

export interface Service {
  readonly client: PortCongestionClient;
  /** Covered ports as they are now: every call is a request, so that a disabled key gets no list. */
  ports(signal: AbortSignal, sort?: PortOrder): Promise<readonly PortRecord[]>;
  /** The cached list of at most five minutes' age, requested again when one of these ports has no data in it. */
  portsAround(codes: readonly string[], signal: AbortSignal): Promise<readonly PortRecord[]>;
}

export function createService(options: ClientOptions): Service {
  const client = new PortCongestionClient({ ...PATIENCE, ...options });
  const now = options.now ?? Date.now;
  let newest: readonly PortRecord[] = [];
  let until = 0;
  const ports = async (signal: AbortSignal, sort?: PortOrder): Promise<readonly PortRecord[]> => {
    const listed = await client.get('ports', { sort }, { signal });
    newest = listed;
    until = now() + LIST_MS;
    return listed;
  };
  return {
    client,
    ports,
    portsAround: (codes, signal) => {
      const observed = new Set(newest.flatMap(({ port, as_of }) => (as_of === null ? [] : port)));
      return now() < until && codes.every((code) => observed.has(code))
        ? Promise.resolve(newest)
        : ports(signal);
    },
  };
}
