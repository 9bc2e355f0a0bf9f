import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { errorEnvelope } from '../../core/contracts/errors.ts';
import { HOUR_MS } from '../../core/reference/time.ts';
import { createStoreClient, openTables } from '../../core/store/open-tables.ts';
import type { Table } from '../../core/store/table.ts';
import { extent } from '../builders/extent.ts';
import { type FaultPlan, faultyTable, type TableFault } from '../builders/faulty-table.ts';
import { type FaultyWire, startFaultyWire, WIRE_FAULTS } from '../builders/faulty-wire.ts';
import { type EventParts, gatewayEvent, INVOCATION, STARTER_KEY } from '../builders/gateway-event.ts';
import { HANDLER_TABLES, handlersOver, type KeyedOperation } from '../builders/keyed-handlers.ts';
import { memoryTables } from '../builders/memory-table.ts';
import { fillServedTables, READS } from '../builders/served-tables.ts';
import { startTestStore, type TestStore } from '../builders/store-tables.ts';

const AS_OF = Date.UTC(2026, 4, 20, 11);
const now = () => AS_OF + HOUR_MS;
type HandlerTables = Record<(typeof HANDLER_TABLES)[number], Table>;

const memory = memoryTables(HANDLER_TABLES);
const truths = new Map<string, APIGatewayProxyResult>();
let keys = 0;

/** A request with a key of its own, so that no case meets the bucket of another. */
async function ask(tables: HandlerTables, [operation, parts]: readonly [KeyedOperation, EventParts]) {
  keys += 1;
  const key = { ...STARTER_KEY, digest: keys.toString(16).padStart(64, '0') };
  return handlersOver(tables, { now })[operation](gatewayEvent({ ...parts, key }), INVOCATION);
}

function tablesUnder(plan: FaultPlan): HandlerTables {
  const entries = HANDLER_TABLES.map((id) => [id, faultyTable(memory[id], id, plan)] as const);
  return Object.fromEntries(entries) as HandlerTables;
}

/** A plan in which the first call to `name` goes wrong. */
function firstCall(name: string, fault: TableFault): FaultPlan {
  let isDue = true;
  return ({ table }) => {
    if (!isDue || table !== name) return undefined;
    isDue = false;
    return fault;
  };
}

/**
 * The response of the undisturbed service, or a 503 with Retry-After; nothing else is correct. A write of the
 * limiter whose response was lost may have been made, and then counts: at most one more token is spent.
 */
function expectHonest(name: string, reply: APIGatewayProxyResult, remaining = /^59$/): 'truth' | 'refused' {
  const truth = truths.get(name);
  expect(reply.headers).toMatchObject({
    'RateLimit-Limit': '60',
    'RateLimit-Remaining': expect.stringMatching(remaining),
    'RateLimit-Reset': expect.stringMatching(/^\d+$/),
  });
  if (reply.statusCode === 503) {
    expect(errorEnvelope.parse(JSON.parse(reply.body)).code).toBe('upstream_error');
    expect(reply.headers).toMatchObject({ 'Retry-After': '5', 'Cache-Control': 'no-store' });
    return 'refused';
  }
  const { 'RateLimit-Reset': reset, 'RateLimit-Remaining': left } = reply.headers ?? {};
  const own = { 'RateLimit-Reset': reset, 'RateLimit-Remaining': left };
  expect(reply).toEqual({ ...truth, headers: { ...truth?.headers, ...own } });
  return 'truth';
}

beforeAll(async () => {
  await fillServedTables(memory, AS_OF);
  for (const [name, read] of Object.entries(READS)) truths.set(name, await ask(memory, read));
});

describe.each(Object.entries(READS))('%s', (name, read) => {
  // A stalled limiter is waited for, a quarter of a second at each read.
  it.each<TableFault>([
    'refused',
    'unanswered',
    ...(extent(name === 'sources', true) ? ['stalled' as const] : []),
  ])('returns the correct response or 503 whichever call to the store is %s', async (fault) => {
    const called = new Set<string>();
    const record: FaultPlan = ({ table }) => {
      called.add(table);
      return undefined;
    };
    expectHonest(name, await ask(tablesUnder(record), read));
    const outcomes: Record<string, string> = {};
    for (const table of called) {
      // The client's own timeout ends a stalled read; the test on the wire below covers it.
      const planned = fault === 'stalled' && table !== 'rateLimits' ? 'refused' : fault;
      outcomes[table] = expectHonest(name, await ask(tablesUnder(firstCall(table, planned)), read));
    }
    // The limiter and each of the reads went wrong in turn, and only the reads were refused for it.
    const expected = [...called].map((table) => [table, table === 'rateLimits' ? 'truth' : 'refused']);
    expect(outcomes).toEqual(Object.fromEntries(expected));
    expect(called).toContain('rateLimits');
    const reads = /silent|not covered/.test(name) && !/snapshot/.test(name) ? 2 : 1;
    expect(called.size).toBeGreaterThanOrEqual(reads + 1);
  });
});

describe('on the wire, with the client of the service', () => {
  let store: TestStore<(typeof HANDLER_TABLES)[number]>;
  let wire: FaultyWire;
  beforeAll(async () => {
    store = await startTestStore(HANDLER_TABLES);
    wire = await startFaultyWire(store.endpoint);
    await fillServedTables(store.tables, AS_OF);
  });
  afterAll(async () => {
    await wire.close();
    await store.close();
  });

  const ONE_READ: Readonly<Record<string, readonly (typeof HANDLER_TABLES)[number][]>> = {
    sources: ['sourceStatus', 'rateLimits'],
    snapshot: ['ports', 'rateLimits'],
    imports: ['importIndex', 'rateLimits'],
  };
  const TOUCHED = extent<typeof ONE_READ>(
    { sources: ONE_READ.sources ?? [] },
    { 'trend of a silent port': ['dailyMetrics', 'ports', 'rateLimits'], ...ONE_READ },
  );
  /** The client does not retry, because the store has responded. */
  const FINAL = ['garbled'];
  /** Enough time for every response, so that the load of the machine does not matter. */
  const RESPONSE_MS = { stalled: 3000, other: 30_000 } as const;

  it('requests fail in every way, once or permanently, and no response is wrong or missing', async () => {
    process.env.AWS_ENDPOINT_URL_DYNAMODB = wire.endpoint;
    const clients: ReturnType<typeof createStoreClient>[] = [];
    const cases = Object.entries(TOUCHED).flatMap(([name, ids]) =>
      ids.flatMap((id) =>
        WIRE_FAULTS.flatMap((fault) => [1, Infinity].map((times) => ({ name, id, fault, times }))),
      ),
    );
    const tryCase = async ({ name, id, fault, times }: (typeof cases)[number], at: number) => {
      const read = READS[name];
      if (read === undefined) throw new Error(name);
      const label = `case${at}`;
      // One each: a client that has failed too often stops trying again for all who use it.
      const client = createStoreClient(fault === 'stalled' ? RESPONSE_MS.stalled : RESPONSE_MS.other);
      clients.push(client);
      wire.cases.set(label, { fault, times, table: store.tables[id].name });
      const names = Object.fromEntries(
        HANDLER_TABLES.map((one) => [one, `${label}.${store.tables[one].name}`]),
      );
      const reply = await ask(openTables(client, names as Record<keyof HandlerTables, string>), read);
      // The SDK's retry hides a transient fault; a permanent one is reported, except on the limiter's table.
      const isHidden = id === 'rateLimits' || (times === 1 && !FINAL.includes(fault));
      const outcome = expectHonest(name, reply, id === 'rateLimits' ? /^5[89]$/ : undefined);
      expect({ name, id, fault, times, outcome }).toMatchObject({ outcome: isHidden ? 'truth' : 'refused' });
      // The limiter's second attempt is still running when the request gets its response without it.
      const tries = times === 1 || FINAL.includes(fault) ? 1 : 2;
      if (id !== 'rateLimits') expect(wire.faultsOf(label)).toBe(tries);
    };
    try {
      // Fault by fault: all at once keep a busy machine from connecting within the client's half second.
      for (const fault of WIRE_FAULTS) {
        const batch = cases.filter((one) => one.fault === fault);
        await Promise.all(batch.map((one) => tryCase(one, cases.indexOf(one))));
      }
    } finally {
      delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
      for (const client of clients) client.destroy();
    }
    expect(cases).toHaveLength(extent(24, 108));
  });
});

describe('while the limiter has no table', () => {
  it('a key is served up to its minute allotment, then refused with Retry-After', async () => {
    const handlers = handlersOver(
      tablesUnder(({ table }) => (table === 'rateLimits' ? 'refused' : undefined)),
      { now },
    );
    const event = gatewayEvent({ key: { ...STARTER_KEY, digest: 'c'.repeat(64) }, ...READS.sources?.[1] });
    const statuses: number[] = [];
    for (let i = 0; i < 62; i += 1) {
      const reply = await handlers.sources(event, INVOCATION);
      statuses.push(reply.statusCode);
      if (i < 60) expect(reply.body).toBe(truths.get('sources')?.body);
      else expect(Number(reply.headers?.['Retry-After'])).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([...Array(60).fill(200), 429, 429]);
  });
});
