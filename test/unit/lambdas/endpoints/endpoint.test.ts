/** `as_of` in requests: what is refused, what comes before the first vintage, and what a back-fill and a rebuild leave. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { createBackFill } from '../../../../core/ingest/back-fill.ts';
import { addDays, DAY_MS, dayOf } from '../../../../core/reference/time.ts';
import { gatewayEvent, INVOCATION } from '../../../builders/gateway-event.ts';
import { endpointsOver, handlersBehind, type KeyedOperation } from '../../../builders/keyed-handlers.ts';
import { type MemoryIngest, startMemoryIngest } from '../../../builders/memory-ingest.ts';
import type { MemoryTable } from '../../../builders/memory-table.ts';
import { UNLIMITED } from '../../../builders/read-handlers.ts';
import { callSource, portFetches } from '../../../faults/many-replies.ts';

const PORT = 'FIHEL';
const FETCHES = portFetches(12, 2);
const FIRST_DAY = dayOf(FETCHES[0]?.fetchedAt ?? 0);
const TODAY = addDays(FIRST_DAY, 20);
const QUERIES: Readonly<Partial<Record<KeyedOperation, Readonly<Record<string, string>>>>> = {
  trend: { window: '30d' },
  waits: {},
  alerts: {},
  snapshot: {},
  ports: {},
};

type Ask = (
  operation: KeyedOperation,
  query: Readonly<Record<string, string>>,
) => Promise<APIGatewayProxyResult>;

function askIn({ tables, clock }: MemoryIngest): Ask {
  const endpoints = endpointsOver(tables, () => clock.nowAt);
  const handlers = handlersBehind(endpoints, UNLIMITED);
  return (operation, query) => {
    const path: Record<string, string> = operation === 'hsImports' ? { code: '85' } : { UNLOCODE: PORT };
    return handlers[operation](gatewayEvent({ path: operation === 'ports' ? {} : path, query }), INVOCATION);
  };
}

async function archived(): Promise<MemoryIngest> {
  const ingest = startMemoryIngest({ nowAt: Date.parse(`${TODAY}T12:00:00Z`) });
  for (const { fetchedAt, files } of FETCHES)
    await ingest.archive.write(callSource.declaration.id, fetchedAt, files);
  return ingest;
}

async function backFill(ingest: MemoryIngest): Promise<void> {
  const steps = createBackFill(ingest.dependencies());
  await steps.load(callSource, {});
  await steps.apply(callSource);
}

/** What is served with `as_of` on each day up to `last`, by operation and day. */
async function servedUntil(ask: Ask, last: string): Promise<Record<string, string>> {
  const served: Record<string, string> = {};
  for (let day = FIRST_DAY; day <= last; day = addDays(day, 1))
    for (const [operation, query] of Object.entries(QUERIES)) {
      const { statusCode, body } = await ask(operation as KeyedOperation, { ...query, as_of: day });
      served[`${operation} ${day}`] = `${statusCode} ${body}`;
    }
  return served;
}

let ingest: MemoryIngest;
let ask: Ask;
beforeAll(async () => {
  ingest = await archived();
  await ingest.pass(callSource, { ask: false });
  ask = askIn(ingest);
});

describe('as_of', () => {
  it.each(['trend', 'waits', 'alerts', 'snapshot', 'ports', 'hsImports'] as const)(
    'of %s is refused where it is not a day, or lies in the future',
    async (operation) => {
      for (const [as_of, hint] of [
        ['2026-02-30', 'Try GET '],
        [addDays(TODAY, 1), `as_of=${TODAY}`],
      ] as const) {
        const { statusCode, body } = await ask(operation, { ...QUERIES[operation], as_of });
        expect([statusCode, JSON.parse(body).code]).toEqual([422, 'validation_failed']);
        expect(JSON.parse(body).hint).toContain(hint);
      }
    },
  );

  it.each([
    ['trend', 'until', { window: '7d' }],
    ['alerts', 'until', {}],
    ['waits', 'to', {}],
    ['waits', 'from', {}],
  ] as const)('of %s must not be before %s', async (operation, name, query) => {
    const { statusCode, body } = await ask(operation, {
      ...query,
      [name]: addDays(FIRST_DAY, 2),
      as_of: addDays(FIRST_DAY, 1),
    });
    expect(statusCode).toBe(422);
    expect(JSON.parse(body)).toMatchObject({
      message: `${name} must not be after as_of.`,
      hint: expect.stringContaining(addDays(FIRST_DAY, 1)),
    });
  });

  it('before the first vintage gives nothing, and says where the vintages begin', async () => {
    const as_of = addDays(FIRST_DAY, -1);
    for (const operation of ['trend', 'waits', 'alerts', 'ports'] as const) {
      const { statusCode, headers, body } = await ask(operation, { ...QUERIES[operation], as_of });
      expect([operation, statusCode, body]).toEqual([operation, 200, '[]']);
      expect(headers?.['X-Vintages-From']).toBe(FIRST_DAY);
    }
    const { statusCode, body } = await ask('snapshot', { as_of });
    expect([statusCode, JSON.parse(body).hint]).toEqual([404, expect.stringContaining(FIRST_DAY)]);
  });

  it('of today is the same as none', async () => {
    for (const [operation, query] of Object.entries(QUERIES) as [KeyedOperation, Record<string, string>][])
      expect((await ask(operation, { ...query, as_of: TODAY })).body).toBe(
        (await ask(operation, query)).body,
      );
  });

  it('after the last change is what is served now', async () => {
    const { body } = await ask('waits', { to: addDays(TODAY, -2), as_of: addDays(TODAY, -1) });
    expect(body).toBe((await ask('waits', { to: addDays(TODAY, -2) })).body);
  });
});

describe('the vintages of a back-fill', () => {
  it('have the values of a pass at the time, and say that they were computed later', async () => {
    const filled = await archived();
    await backFill(filled);
    const askFilled = askIn(filled);
    const last = dayOf(FETCHES.at(-1)?.fetchedAt ?? 0);
    expect(await servedUntil(askFilled, last)).toEqual(await servedUntil(ask, last));
    const as_of = addDays(FIRST_DAY, 3);
    for (const [operation, query] of Object.entries(QUERIES) as [KeyedOperation, Record<string, string>][]) {
      if ((await ask(operation, { ...query, as_of })).body === '[]') continue;
      const flags = [askFilled, ask].map(
        async (read) => (await read(operation, { ...query, as_of })).headers,
      );
      const [flagged, plain] = await Promise.all(flags);
      expect([operation, flagged?.['X-Vintages'], plain?.['X-Vintages']]).toEqual([
        operation,
        'backfilled',
        undefined,
      ]);
    }
  });
});

describe('a rebuild of the tables', () => {
  it('leaves the vintages as they were served, and begins today', async () => {
    const before = await servedUntil(ask, addDays(TODAY, -1));
    const whole = await archived();
    await whole.pass(callSource, { ask: false });
    for (const id of ['portCalls', 'stayDays', 'importValues', 'portClocks', 'sourceStatus'] as const)
      (whole.tables[id] as MemoryTable).restore(new Map());
    whole.clock.nowAt += DAY_MS;
    await backFill(whole);
    const askRebuilt = askIn(whole);
    expect(await servedUntil(askRebuilt, addDays(TODAY, -1))).toEqual(before);
    for (const [operation, query] of Object.entries(QUERIES) as [KeyedOperation, Record<string, string>][]) {
      const now = await askRebuilt(operation, query);
      whole.clock.nowAt += DAY_MS;
      const { body } = await askRebuilt(operation, { ...query, as_of: addDays(TODAY, 1) });
      whole.clock.nowAt -= DAY_MS;
      expect([operation, body]).toEqual([operation, now.body]);
    }
  });
});

describe('the rows of a version without vintages', () => {
  it('are known since the first fetch after the upgrade', async () => {
    const upgraded = await archived();
    const half = FETCHES[5]?.fetchedAt ?? 0;
    await upgraded.pass(callSource, { ask: false, untilAt: half });
    (upgraded.tables.vintages as MemoryTable).restore(new Map());
    for (const id of ['dailyMetrics', 'waitDays', 'alerts', 'ports', 'portClocks'] as const)
      for (const { lag: _lag, known: _known, since: _since, ...row } of await upgraded.tables[id].scan())
        await upgraded.tables[id].put(row);
    await upgraded.restarted()(callSource, { ask: false });
    const askUpgraded = askIn(upgraded);
    const { headers, body } = await askUpgraded('trend', { window: '30d', as_of: addDays(FIRST_DAY, 1) });
    const from = String(headers?.['X-Vintages-From']);
    expect([body, from > dayOf(half)]).toEqual(['[]', true]);
    for (let as_of = from; as_of < TODAY; as_of = addDays(as_of, 1))
      for (const operation of ['trend', 'waits', 'alerts'] as const) {
        const query = { ...QUERIES[operation], as_of };
        const then = await askUpgraded(operation, query);
        expect([operation, as_of, then.body]).toEqual([operation, as_of, (await ask(operation, query)).body]);
      }
  });
});
