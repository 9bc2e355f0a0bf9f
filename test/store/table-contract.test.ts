import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createTokenWrites } from '../../core/access/limiter.ts';
import { CLOCK_ALLOWANCE, type Micros } from '../../core/access/token-bucket.ts';
import { createSourceStatusStore, LeaseLost } from '../../core/store/source-status.ts';
import { type KeyRange, type Row, StoreFailure, type Table } from '../../core/store/table.ts';
import { extent } from '../builders/extent.ts';
import { memoryTables } from '../builders/memory-table.ts';
import { startTestStore, type TestStore } from '../builders/store-tables.ts';

const IDS = ['portCalls', 'sourceStatus', 'rateLimits'] as const;
type Tables = Record<(typeof IDS)[number], Table>;

let store: TestStore<(typeof IDS)[number]>;
beforeAll(async () => {
  store = await startTestStore(IDS);
});
afterAll(() => store.close());

/** The result of a call: its response in a fixed order, or that the store refused. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  try {
    const response = await call;
    return response === undefined ? 'nothing' : response;
  } catch (error) {
    if (error instanceof StoreFailure) return 'refused';
    // The marshalling of the SDK throws plain errors, before anything is sent.
    return error instanceof Error && /not allowed/.test(error.message) ? 'refused' : Promise.reject(error);
  }
}
const byKey = (rows: Promise<Row[]>): Promise<Row[]> =>
  rows.then((all) => all.sort((a, b) => (`${a.port}${a.callKey}` < `${b.port}${b.callKey}` ? -1 : 1)));

let runs = 0;
/** Both tables begin empty in a world of their own, separated by a prefix of the partition key. */
const pair = (): [Table, Table, string] => {
  runs += 1;
  return [store.tables.portCalls, memoryTables(IDS).portCalls, `run${runs}-`];
};

const port = fc.constantFrom('A', 'B');
const sort = fc.constantFrom('1', '2', '2#a', '3', '30');
const key = fc.record({ port, callKey: sort });
const attributes = fc.dictionary(
  fc.constantFrom('text', 'number', 'list', 'map', 'none'),
  fc.oneof(
    fc.string(),
    fc.integer(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })
      .map((n) => Math.fround(n * 8) / 8 + 0),
    fc.array(fc.integer()),
    fc.constant({ a: { b: [1, 'x', null, true] } }),
    fc.constant(undefined),
  ),
);
const row = fc.tuple(key, attributes).map(([own, rest]): Row => ({ ...rest, ...own }));
const bound = fc.option(sort, { nil: undefined });
const range = fc.record({
  from: bound,
  to: bound,
  newest: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  only: fc.option(fc.subarray(['callKey', 'text', 'number', 'list', 'map'], { minLength: 1 }), {
    nil: undefined,
  }),
});
const operation = fc.oneof(
  row.map((value) => ['put', value] as const),
  key.map((value) => ['delete', value] as const),
  key.map((value) => ['get', value] as const),
  fc.tuple(port, range).map((value) => ['query', ...value] as const),
  fc.array(key, { maxLength: 4 }).map((value) => ['getMany', value] as const),
  fc
    .tuple(fc.array(row, { maxLength: 4 }), fc.array(key, { maxLength: 2 }))
    .map((value) => ['writeMany', ...value] as const),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

function perform(table: Table, prefix: string, [name, first, second]: Operation): Promise<unknown> {
  const own = <T extends { port?: unknown }>(value: T): T => ({ ...value, port: `${prefix}${value.port}` });
  switch (name) {
    case 'put':
      return table.put(own(first));
    case 'delete':
      return table.delete(own(first));
    case 'get':
      return table.get(own(first), true);
    case 'query': {
      const defined = Object.entries(second).filter(([, value]) => value !== undefined);
      return table.query(`${prefix}${first}`, Object.fromEntries(defined) as KeyRange, true);
    }
    case 'getMany':
      return byKey(table.getMany(first.map(own)));
    case 'writeMany':
      return table.writeMany(first.map(own), second.map(own));
  }
}

describe('a table in memory', () => {
  it('returns the same as the store for any sequence of calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 20 }), async (operations) => {
        const [real, memory, prefix] = pair();
        for (const operation of operations) {
          const expected = await outcome(perform(real, prefix, operation));
          expect([operation, await outcome(perform(memory, prefix, operation))]).toEqual([
            operation,
            expected,
          ]);
        }
        const rows = (table: Table) =>
          byKey(table.scan().then((rows) => rows.filter((row) => String(row.port).startsWith(prefix))));
        expect(await rows(memory)).toEqual(await rows(real));
      }),
      { numRuns: extent(10, 40), seed: 20260521 },
    );
  });

  it.each<[string, Row]>([
    ['without its sort key', { port: 'A' }],
    ['with an empty key', { port: 'A', callKey: '' }],
    ['with a number for a key', { port: 'A', callKey: 3 }],
    ['with a figure that is not a number', { port: 'A', callKey: '1', figure: Number.NaN }],
    ['of half a megabyte', { port: 'A', callKey: '1', text: 'x'.repeat(500_000) }],
  ])('refuses a row %s, as the store does', async (_, wrong) => {
    const [real, memory] = pair();
    for (const table of [real, memory]) {
      expect(await outcome(table.put(wrong))).toBe('refused');
      expect(await outcome(table.writeMany([wrong, { port: 'A', callKey: '2' }]))).toBe('refused');
    }
  });

  it('takes a row of 390 kilobytes, and more rows than one batch takes, as the store does', async () => {
    const many = Array.from({ length: 60 }, (_, i): Row => ({ port: 'many', callKey: `${i + 100}`, i }));
    for (const table of pair().slice(0, 2) as Table[]) {
      await table.put({ port: 'large', callKey: '1', text: 'x'.repeat(390_000) });
      await table.writeMany(many, [{ port: 'many', callKey: '9' }]);
      expect(await table.query('many', {}, true)).toEqual(many);
    }
  });

  it('shares no object with those who write or read', async () => {
    const [, memory] = pair();
    const written = { port: 'A', callKey: '1', list: [1] };
    await memory.put(written);
    written.list.push(2);
    Object.assign((await memory.get({ port: 'A', callKey: '1' })) ?? {}, { list: [3] });
    expect(await memory.get({ port: 'A', callKey: '1' })).toMatchObject({ list: [1] });
  });
});

describe('conditional updates of a table in memory', () => {
  const both = (run: (tables: Tables, name: string) => Promise<unknown>) => async () => {
    runs += 1;
    const expected = await run(store.tables, `run${runs}`);
    expect(await run(memoryTables(IDS), `run${runs}`)).toEqual(expected);
  };

  it(
    'pass a lease from owner to owner as those of the store do',
    both(async ({ sourceStatus }, source) => {
      let at = 1000;
      const statuses = createSourceStatusStore(sourceStatus, () => at);
      const first = await statuses.lease(source, 'a', 100);
      expect(first?.status).toEqual({ source, failures: 0 });
      expect(await statuses.lease(source, 'b', 100)).toBeUndefined();
      expect((await statuses.lease(source, 'a', 100))?.status).toEqual({ source, failures: 0 });
      await first?.save({ source, failures: 3, pausedUntilAt: 7, lastFetchAt: 5 });
      at += 100;
      expect(await statuses.lease(source, 'b', 100)).toBeUndefined();
      at += 1;
      const second = await statuses.lease(source, 'b', 100);
      expect(second?.status).toEqual({ source, failures: 3, pausedUntilAt: 7, lastFetchAt: 5 });
      await expect(first?.save({ source, failures: 9 })).rejects.toThrow(LeaseLost);
      await expect(first?.release({ source, failures: 9 })).rejects.toThrow(LeaseLost);
      await expect(first?.renewIfDue()).rejects.toThrow(LeaseLost);
      await second?.release({ source, failures: 0, checkpointAt: 8 });
      expect(await sourceStatus.get({ source }, true)).toEqual({ source, failures: 0, checkpointAt: 8 });
      expect((await statuses.lease(source, 'c', 1))?.status).toEqual({
        source,
        failures: 0,
        checkpointAt: 8,
      });
      return sourceStatus.get({ source }, true);
    }),
  );

  it(
    'move a token bucket as those of the store do',
    both(async ({ rateLimits }, digest) => {
      const writes = createTokenWrites(rateLimits, CLOCK_ALLOWANCE);
      const spending = (now: Micros, count = 1) => ({
        digest,
        limits: { ratePerSecond: 1, burst: 3 },
        now,
        count,
      });
      return [
        await writes.advance(spending(1_000_000)),
        await writes.begin(spending(1_000_000, 2)),
        await writes.begin(spending(1_000_000)),
        await writes.advance(spending(1_000_000)),
        await writes.advance(spending(1_000_000)),
        await writes.repair(spending(1_000_000), 1, 2),
        await writes.read(digest),
        // By more than the allowance before the state was written.
        await writes.advance(spending(-60_000_001)),
        await writes.restart(spending(-60_000_001), { tat: 1, writtenAt: 1_000_000 }),
        await writes.restart(spending(-60_000_001), { tat: 4_000_000, writtenAt: 1_000_000 }),
        await rateLimits.get({ digest }, true),
      ].map((response) => response ?? 'nothing');
    }),
  );

  it('of a form that the stores do not write are an error', async () => {
    const { rateLimits } = memoryTables(IDS);
    const values = { ':a': 1 };
    const change = (UpdateExpression: string, ConditionExpression = 'a = :a') =>
      rateLimits.update(
        { digest: 'x' },
        { UpdateExpression, ConditionExpression, ExpressionAttributeValues: values },
      );
    await expect(change('ADD a :a', 'attribute_not_exists(a)')).rejects.toThrow('cannot read: ADD');
    await expect(change('SET a = :a', 'size(a) > :a')).rejects.toThrow('cannot read: size');
    await expect(change('SET a = :b', 'attribute_not_exists(a)')).rejects.toThrow('no value');
  });
});
