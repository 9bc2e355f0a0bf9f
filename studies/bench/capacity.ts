/** The cost of a request and a poll in the tables: DynamoDB calls, read units and write units, as the store counts them. */
import { exampleRequest } from '../../core/contracts/route.ts';
import { OPERATION_IDS, type OperationId, ROUTES } from '../../core/contracts/routes.ts';
import { compress } from '../../core/http/response.ts';
import { source as hkMarineDepartment } from '../../core/sources/hk-marine-department/source.ts';
import { SAMPLE_INGEST } from '../../local/data-mode.ts';
import { startEmbeddedStore } from '../../local/embedded-store.ts';
import { startLocalService } from '../../local/local-service.ts';
import { gatewayEvent, INVOCATION } from '../../test/builders/gateway-event.ts';
import { hkFetches } from '../../test/builders/hk-polls.ts';
import { startTestIngest } from '../../test/builders/ingest.ts';
import { HANDLER_TABLES, handlersOver, type Tables } from '../../test/builders/keyed-handlers.ts';
import { startTestStore } from '../../test/builders/store-tables.ts';
import type { Figure } from './figure.ts';
import { DEFAULT_PORTS, LONG_LIST, portRows } from './port-rows.ts';
import { type Consumption, isWrite, type StoreMeter, startStoreMeter } from './store-meter.ts';

/** One request to each endpoint: a window of 30 days where one must be given. */
const REQUESTS = Object.fromEntries(
  OPERATION_IDS.map((id) => [id, exampleRequest(ROUTES[id], { UNLOCODE: 'USLAX', code: '85' })]),
) as Readonly<Record<OperationId, string>>;

interface Units {
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
  /** Bytes for a client that accepts gzip. */
  readonly gzipBytes: number;
}

export interface CapacityFigures {
  /** Of `ports`: with the ports of a default stage. */
  readonly requests: Readonly<Record<OperationId, RequestCapacity>>;
  /** `ports` with a long list of ports. */
  readonly longList: RequestCapacity;
  /** Units of the read of the list, after a source has been read: of a default stage, and of the long one. */
  readonly listUnits: readonly [number, number];
  /** Connections to the store that ten more requests for `ports` open, one after the other. */
  readonly newConnections: number;
  /** Units of the authorizer, once per key and minute, because the gateway caches its decision. */
  readonly authorizer: Units;
  /** Mean over a day's polls of one port. */
  readonly poll: Units & { readonly polls: number; readonly everyMinutes: number };
}

function sum(consumed: readonly Consumption[]): Units {
  const units = (write: boolean): number =>
    consumed
      .filter(({ operation }) => isWrite(operation) === write)
      .reduce((total, call) => total + call.units, 0);
  return { calls: consumed.length, readUnits: units(false), writeUnits: units(true) };
}

const gzipBytes = (body: string): number => {
  const encoded = compress(body)?.();
  return encoded === undefined ? Buffer.byteLength(body) : Buffer.from(encoded, 'base64').length;
};

const isLimiter = ({ table }: Consumption): boolean => /RateLimits/i.test(table);

function requestOf(path: string, body: string, consumed: readonly Consumption[]): RequestCapacity {
  const data = sum(consumed.filter((call) => !isLimiter(call)));
  const limiter = sum(consumed.filter(isLimiter));
  return { path, data, limiter, responseBytes: Buffer.byteLength(body), gzipBytes: gzipBytes(body) };
}

/**
 * The list of `count` ports by an instance that has it, the units of the read before, and the connections that ten more requests
 * open. The store here counts a consistent scan as if it were another, DynamoDB twice.
 */
async function listCapacity(meter: StoreMeter, count: number) {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = meter.endpoint;
  const store = await startTestStore(HANDLER_TABLES);
  try {
    const nowAt = Date.UTC(2026, 0, 5);
    const tables = store.tables as Tables;
    await tables.ports.writeMany(portRows(count, nowAt).map((row) => ({ ...row, knownOn: row.lastDay })));
    meter.take();
    const event = gatewayEvent({ resource: ROUTES.ports.paths[0] });
    const handlers = handlersOver(tables, { now: () => nowAt });
    await handlers.ports(event, INVOCATION);
    const readUnits = 2 * sum(meter.take().filter((call) => !isLimiter(call))).readUnits;
    const { body } = await handlers.ports(event, INVOCATION);
    const request = requestOf(REQUESTS.ports, body, meter.take());
    const before = meter.connections();
    for (let more = 0; more < 10; more += 1) await handlers.ports(event, INVOCATION);
    return { request, readUnits, newConnections: meter.connections() - before };
  } finally {
    delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
    await store.close();
  }
}

async function requestCapacity(meter: StoreMeter) {
  const service = await startLocalService({
    storeEndpoint: meter.endpoint,
    environment: { RESPONSE_CACHE_SECONDS: '0' },
    ingest: SAMPLE_INGEST,
  });
  try {
    await service.ingest?.({ source: 'sample-simulator' });
    const headers = { 'X-API-Key': service.keys.pro };
    const ask = async (path: string) => {
      const reply = await fetch(`${service.url}${path}`, { headers });
      if (reply.status !== 200) throw new Error(`${path} returns ${reply.status}`);
      return reply.text();
    };
    meter.take();
    await ask(REQUESTS.snapshot);
    const authorizer = sum(meter.take().filter(({ table }) => /ApiKeys/i.test(table)));
    const measured: [string, RequestCapacity][] = [];
    for (const [operation, path] of Object.entries(REQUESTS)) {
      const body = await ask(path);
      measured.push([operation, requestOf(path, body, meter.take())]);
    }
    return { authorizer, requests: Object.fromEntries(measured) as CapacityFigures['requests'] };
  } finally {
    await service.close();
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
    const { authorizer, requests } = await requestCapacity(meter);
    const { request: ports, readUnits, newConnections } = await listCapacity(meter, DEFAULT_PORTS);
    const { request: longList, readUnits: longUnits } = await listCapacity(meter, LONG_LIST);
    const listUnits = [readUnits, longUnits] as const;
    const poll = await pollCapacity(meter);
    return { authorizer, requests: { ...requests, ports }, longList, listUnits, newConnections, poll };
  } finally {
    await meter.close();
    await store.close();
  }
}

/** Goals in read units of one request, where one was set. */
const MAX_READ_UNITS: Readonly<Record<string, number>> = { snapshot: 0.5, trend: 1, sources: 1, alerts: 1 };

export function capacityFigures({
  requests,
  longList,
  newConnections,
  authorizer,
  poll,
}: CapacityFigures): Figure[] {
  const everyRequest = { ...requests, [`ports, ${LONG_LIST}`]: longList };
  return [
    ...Object.entries(everyRequest).map(
      ([operation, { data, limiter, responseBytes, gzipBytes }]): Figure => {
        const atMost = MAX_READ_UNITS[operation];
        return {
          what: `${operation}: read units`,
          value: data.readUnits,
          unit: '',
          against: `${data.calls} DynamoDB calls for data, ${limiter.writeUnits} write units for the limiter; ${responseBytes} bytes, ${gzipBytes} as gzip`,
          ...(atMost !== undefined && { atMost }),
        };
      },
    ),
    {
      what: 'ports: new connections to the store',
      value: newConnections,
      unit: '',
      against: 'in ten more requests',
      atMost: 0,
    },
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
