/** The load generator in a process of its own: a steady number of connections for some seconds. */
import { createRequire } from 'node:module';

export interface Load {
  readonly url: string;
  readonly key?: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadFigures {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Responses other than 2xx, and requests without a response. */
  readonly failed: number;
}

interface CannonResult {
  readonly requests: { readonly average: number };
  readonly latency: { readonly p50: number; readonly p99: number };
  readonly non2xx: number;
  readonly errors: number;
  readonly timeouts: number;
}
type Cannon = (options: object) => Promise<CannonResult>;

const autocannon = createRequire(import.meta.url)('autocannon') as Cannon;
const { url, key, connections, seconds } = JSON.parse(process.argv[2] ?? '{}') as Load;
const result = await autocannon({
  url,
  connections,
  duration: seconds,
  headers: key === undefined ? {} : { 'X-API-Key': key },
});
const figures: LoadFigures = {
  requestsPerSecond: result.requests.average,
  p50Ms: result.latency.p50,
  p99Ms: result.latency.p99,
  failed: result.non2xx + result.errors + result.timeouts,
};
process.send?.(figures);
process.on('message', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
