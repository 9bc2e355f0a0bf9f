import { beforeAll, describe, expect, it } from '@jest/globals';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { errorEnvelope } from '../../core/contracts/errors.ts';
import { HOUR_MS } from '../../core/reference/time.ts';
import type { Table } from '../../core/store/table.ts';
import { extent } from '../builders/extent.ts';
import { type FaultPlan, faultyTable, type TableFault } from '../builders/faulty-table.ts';
import { type EventParts, gatewayEvent, INVOCATION, STARTER_KEY } from '../builders/gateway-event.ts';
import { HANDLER_TABLES, handlersOver, type KeyedOperation } from '../builders/keyed-handlers.ts';
import { memoryTables } from '../builders/memory-table.ts';
import { fillServedTables, READS } from '../builders/served-tables.ts';

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
