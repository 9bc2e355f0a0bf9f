/** The cost of a request and a poll in the tables: DynamoDB calls, read units and write units, as the store counts them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleRequest } from '../../core/contracts/route.ts';
import { OPERATION_IDS, type OperationId, ROUTES } from '../../core/contracts/routes.ts';
import { hkMarineDepartment } from '../../core/sources/hk-marine-department/source.ts';
import { synthesize } from '../../lib/app.ts';
import { startEmbeddedStore } from '../../local/store/embedded-store.ts';
import { startLocalService } from '../../serve/local-service.ts';
import { buildHandlers } from '../../tools/handlers.ts';
import { hkFetches } from '../builders/hk-polls.ts';
import { startTestIngest } from '../builders/ingest.ts';
import type { Figure } from './figure.ts';
import { type Consumption, isWrite, type StoreMeter, startStoreMeter } from './store-meter.ts';

/** One request to each endpoint: a window of 30 days where one must be given. */
const REQUESTS = Object.fromEntries(
  OPERATION_IDS.map((id) => [id, exampleRequest(ROUTES[id], { UNLOCODE: 'USLAX', code: '85' })]),
) as Readonly<Record<OperationId, string>>;

export interface Units {
  readonly calls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

export interface RequestCapacity {
  readonly path: string;
  /** Reads of the endpoint's own tables. */
  readonly data: Units;
  /** The exact limiter. */
  readonly limiter: Units;
  readonly responseBytes: number;
}

export interface CapacityFigures {
  readonly requests: Readonly<Record<OperationId, RequestCapacity>>;
  /** Units of the authorizer, once per key and minute, because the gateway caches its decision. */
  readonly authorizer: Units;
  /** Of a port that is polled: mean of a day's polls. */
  readonly poll: Units & { readonly polls: number; readonly everyMinutes: number };
}

function sum(consumed: readonly Consumption[]): Units {
  const units = (write: boolean): number =>
    consumed
      .filter(({ operation }) => isWrite(operation) === write)
      .reduce((total, one) => total + one.units, 0);
  return { calls: consumed.length, readUnits: units(false), writeUnits: units(true) };
}

async function requestCapacity(meter: StoreMeter) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-capacity-'));
  await buildHandlers(folder);
  synthesize({ outdir: join(folder, 'assembly'), stage: 'dev', handlersDir: join(folder, 'lambdas') });
  const service = await startLocalService({
    assembly: join(folder, 'assembly'),
    storeEndpoint: meter.endpoint,
    environment: { RESPONSE_CACHE_SECONDS: '0' },
    ingest: { sources: ['sample-simulator'], bundle: join(folder, 'local', 'sample-ingest', 'index.cjs') },
  });
  try {
    await service.ingest?.({ source: 'sample-simulator' });
    const headers = { 'X-API-Key': service.keys.pro };
    const ask = async (path: string) => {
      const reply = await fetch(`${service.url}${path}`, { headers });
      if (reply.status !== 200) throw new Error(`${path} returns ${reply.status}`);
      return Buffer.byteLength(await reply.text());
    };
    meter.take();
    await ask(REQUESTS.snapshot);
    const authorizer = sum(meter.take().filter(({ table }) => /ApiKeys/i.test(table)));
    const measured: [string, RequestCapacity][] = [];
    for (const [operation, path] of Object.entries(REQUESTS)) {
      const responseBytes = await ask(path);
      const consumed = meter.take();
      const ofLimiter = ({ table }: Consumption): boolean => /RateLimits/i.test(table);
      const data = sum(consumed.filter((one) => !ofLimiter(one)));
      measured.push([operation, { path, data, limiter: sum(consumed.filter(ofLimiter)), responseBytes }]);
    }
    return { authorizer, requests: Object.fromEntries(measured) as CapacityFigures['requests'] };
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Units of each poll of a made-up Hong Kong, over one day behind three that fill the tables. */
async function pollCapacity(meter: StoreMeter): Promise<CapacityFigures['poll']> {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = meter.endpoint;
  const startAt = Date.UTC(2026, 0, 5);
  const ingest = await startTestIngest({ nowAt: startAt, embedded: true });
  try {
    const dayAt = startAt + 3 * 86_400_000;
    let polls = 0;
    for (const { fetchedAt, files } of hkFetches({ seed: 1, startAt, days: 4 })) {
      ingest.clock.nowAt = fetchedAt;
      await ingest.pass({ ...hkMarineDepartment, fetch: async () => files });
      if (fetchedAt <= dayAt) meter.take();
      else polls += 1;
    }
    const { calls, readUnits, writeUnits } = sum(meter.take());
    const { everyMinutes } = hkMarineDepartment.declaration;
    return {
      polls,
      everyMinutes,
      calls: calls / polls,
      readUnits: readUnits / polls,
      writeUnits: writeUnits / polls,
    };
  } finally {
    delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
    await ingest.close();
  }
}

export async function capacity(): Promise<CapacityFigures> {
  const store = await startEmbeddedStore({ directory: undefined });
  const meter = await startStoreMeter(store.endpoint);
  try {
    const ofRequests = await requestCapacity(meter);
    return { ...ofRequests, poll: await pollCapacity(meter) };
  } finally {
    await meter.close();
    await store.close();
  }
}

/** Goals in read units of one request, where one was set. */
const MAX_READ_UNITS: Readonly<Record<string, number>> = { snapshot: 0.5, trend: 1, sources: 1, alerts: 1 };

export function capacityFigures({ requests, authorizer, poll }: CapacityFigures): Figure[] {
  return [
    ...Object.entries(requests).map(([operation, { data, limiter }]): Figure => {
      const atMost = MAX_READ_UNITS[operation];
      return {
        what: `${operation}: read units`,
        value: data.readUnits,
        unit: '',
        against: `${data.calls} DynamoDB calls for data, ${limiter.writeUnits} write units for the limiter`,
        ...(atMost !== undefined && { atMost }),
      };
    }),
    {
      what: 'authorizer: read units',
      value: authorizer.readUnits,
      unit: '',
      against: 'once a key and minute',
    },
    {
      what: 'poll of a port: write units',
      value: poll.writeUnits,
      unit: '',
      against: `${poll.polls} polls, one every ${poll.everyMinutes} minutes`,
    },
    { what: 'poll of a port: read units', value: poll.readUnits, unit: '' },
  ];
}
