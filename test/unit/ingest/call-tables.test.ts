/** Tables of calls in the tables of the service: counted, repeated, corrected, continued, removed, replayed, and after a crash. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createCallTables, TableRefused } from '../../../core/ingest/call-tables.ts';
import { addDays, type Day, dayOf, formatInstant } from '../../../core/reference/time.ts';
import type { ReleaseRow } from '../../../core/release/columns.ts';
import { importRelease } from '../../../core/release/import-release.ts';
import { creditsOf } from '../../../core/release/manifest.ts';
import { openRelease } from '../../../core/release/release-reader.ts';
import type { TableAbout } from '../../../core/sources/call-tables/declaration.ts';
import { readCallTable } from '../../../core/sources/call-tables/table.ts';
import type { Table } from '../../../core/store/table.ts';
import { metered } from '../../builders/failing-table.ts';
import { type MemoryIngest, startMemoryIngest } from '../../builders/memory-ingest.ts';
import { readHandlers } from '../../builders/read-handlers.ts';
import { dumpOf, valuesOf } from '../../builders/table-dump.ts';
import { releaseInto } from '../../builders/written-release.ts';

const NOW = Date.parse('2026-11-01T12:00:00Z');
const PORT = 'ESTAR';
const HEADER = 'port,call,vessel,vessel_type,kind,start,end';

/** Calls of `count` days, four a day: six hours at anchor, then twelve at berth. */
function rows(
  fromDay: Day,
  count: number,
  change: (row: string, day: Day) => string = (row) => row,
): string[] {
  return Array.from({ length: count }, (_, i) => addDays(fromDay, i)).flatMap((day) =>
    ['00', '05', '09', '16'].flatMap((hour, n) => {
      const at = Date.parse(`${day}T${hour}:00:00Z`);
      const time = (hours: number): string => formatInstant(at + hours * 3_600_000);
      const head = `${PORT},${day}-${n},V${n},container`;
      return [
        change(`${head},anchorage,${time(0)},${time(6)}`, day),
        change(`${head},berth,${time(7)},${time(19)}`, day),
      ];
    }),
  );
}
const text = (lines: readonly string[]): Buffer => Buffer.from([HEADER, ...lines].join('\n'));

interface Given extends Partial<TableAbout> {
  readonly withholdsStays?: boolean;
}

async function give(ingest: MemoryIngest, bytes: Uint8Array, given: Given = {}): Promise<void> {
  const { withholdsStays, ...stated } = given;
  const table = await readCallTable(bytes, { timeZone: given.timeZone, nowAt: ingest.clock.nowAt });
  const tables = createCallTables(ingest.dependencies(), { withholdsStays });
  await tables.accept(bytes, {
    name: 'a',
    passesOnCalls: false,
    leftOut: false,
    ports: Object.fromEntries(table.ports.map(({ port, span, stays }) => [port, { ...span, stays }])),
    ...stated,
  });
}

/** Calls, stays and figures, without since when they are known and when a call was written. */
async function figures({ tables, stores }: MemoryIngest) {
  const { stayDays, dailyMetrics, waitDays, alerts } = await valuesOf(tables);
  const calls = (await stores.portCalls.since(PORT, 0)).map(
    ({ changedAt: _, recordedAt: __, ...call }) => call,
  );
  return { calls, stayDays, dailyMetrics, waitDays, alerts };
}

const start = (): MemoryIngest => startMemoryIngest({ nowAt: NOW });
const twoWeeks = text(rows('2019-03-01', 14));

describe('an accepted table', () => {
  it('has its stays as they are, and days outside it are not covered', async () => {
    const ingest = start();
    await give(ingest, twoWeeks);
    const stays = await ingest.stores.stayDays.between(PORT, '2019-01-01', '2019-12-31');
    expect(
      stays
        .map(({ callId, kind, startAt, endAt }) =>
          [callId, kind, formatInstant(startAt), formatInstant(endAt)].join(),
        )
        .sort(),
    ).toEqual(
      rows('2019-03-01', 14)
        .map((row) => {
          const [, call, , , kind, from, to] = row.split(',');
          return [call, kind === 'berth' ? 'berth' : 'wait', from, to].join();
        })
        .sort(),
    );
    const days = await ingest.stores.dailyMetrics.between(PORT);
    expect([days[0]?.day, days.at(-1)?.day]).toEqual(['2019-03-01', '2019-03-15']);
    expect(days[9]).toMatchObject({
      day: '2019-03-10',
      avgWaitHours: 6,
      dayBerthings: 4,
      knownOn: '2026-11-01',
    });
    const row = await ingest.stores.ports.get(PORT);
    expect(row).toMatchObject({ firstDay: '2019-03-01', lastDay: '2019-03-15', sources: ['call-tables'] });
  });

  it('keeps its calls, whatever their age', async () => {
    const ingest = start();
    await give(ingest, twoWeeks);
    const stored = await ingest.tables.portCalls.scan();
    expect(stored).toHaveLength(2 * 56);
    expect(stored.filter(({ expiresAt }) => expiresAt !== undefined)).toEqual([]);
  });

  it('changes nothing when it is given again', async () => {
    const ingest = start();
    await give(ingest, twoWeeks);
    // The status has the newest table, the clocks the day of the newest knowledge.
    const { sourceStatus: _, portClocks: __, ...before } = await dumpOf(ingest.tables);
    ingest.clock.nowAt += 86_400_000;
    await give(ingest, twoWeeks);
    const { sourceStatus: ___, portClocks: ____, ...after } = await dumpOf(ingest.tables);
    expect(after).toEqual(before);
  });

  it('is continued by a later one of another name, and the call that both have is that of the later', async () => {
    const ingest = start();
    const open = rows('2019-03-01', 14, (row, day) =>
      day === '2019-03-14' && row.includes('-3,') ? row.replace(/(berth,[^,]+),.*/, '$1,') : row,
    );
    await give(ingest, text(open), { name: 'march-1' });
    await give(ingest, text(rows('2019-03-14', 14)), { name: 'march-2' });
    const whole = start();
    await give(whole, text(rows('2019-03-01', 27)));
    expect(await figures(ingest)).toEqual(await figures(whole));
  });

  it('that an earlier version accepted, without a number of stays, counts beside a later one', async () => {
    const ingest = start();
    const span = { fromAt: Date.parse('2019-03-01'), toAt: Date.parse('2019-03-15T11:00:00Z') };
    await give(ingest, twoWeeks, { ports: { [PORT]: span } });
    await give(ingest, text(rows('2019-03-15', 3)), { name: 'b' });
    expect((await figures(ingest)).calls).toHaveLength(4 * 17);
  });

  it('is replaced by one of its name: a call that this lacks is gone, and vintages keep what was served', async () => {
    const ingest = start();
    await give(ingest, twoWeeks);
    ingest.clock.nowAt += 86_400_000;
    const corrected = text(rows('2019-03-01', 14).filter((row) => !row.includes('2019-03-08-1')));
    await give(ingest, corrected);
    const whole = start();
    await give(whole, corrected);
    expect(await figures(ingest)).toEqual(await figures(whole));
    const then = await ingest.stores.dailyMetrics.asOf(PORT, '2026-11-01', {
      from: '2019-03-08',
      to: '2019-03-08',
    });
    const now = await ingest.stores.dailyMetrics.between(PORT, { from: '2019-03-08', to: '2019-03-08' });
    expect([then.rows[0]?.vessels, now[0]?.vessels]).toEqual([4, 3]);
  });

  it('that is shorter than the one it replaces leaves no day beyond it', async () => {
    const ingest = start();
    await give(ingest, twoWeeks);
    await give(ingest, text(rows('2019-03-05', 4)));
    const whole = start();
    await give(whole, text(rows('2019-03-05', 4)));
    expect(await figures(ingest)).toEqual(await figures(whole));
  });

  it('can be removed: the port is as without it', async () => {
    const ingest = start();
    await give(ingest, twoWeeks, { name: 'first' });
    await give(ingest, text(rows('2019-03-20', 9)), { name: 'second' });
    await createCallTables(ingest.dependencies()).remove('second');
    const whole = start();
    await give(whole, twoWeeks);
    expect(await figures(ingest)).toEqual(await figures(whole));
    await createCallTables(ingest.dependencies()).remove('first');
    expect(Object.values(await figures(ingest)).flat()).toEqual([]);
    for (const id of ['raisedAlerts', 'forecasts', 'portClocks', 'alertFeed'] as const)
      expect(await ingest.tables[id].scan()).toEqual([]);
    expect(await ingest.stores.ports.get(PORT)).toBeUndefined();
  });

  it('has no stays where calls may not be passed on, and figures all the same', async () => {
    const ingest = start();
    await give(ingest, twoWeeks, { withholdsStays: true });
    expect(await ingest.stores.stayDays.between(PORT, '2019-01-01', '2019-12-31')).toEqual([]);
    expect((await ingest.stores.dailyMetrics.between(PORT))[9]?.avgWaitHours).toBe(6);
    await give(ingest, twoWeeks, { withholdsStays: true, passesOnCalls: true });
    expect(await ingest.stores.stayDays.between(PORT, '2019-01-01', '2019-12-31')).toHaveLength(112);
    await give(ingest, twoWeeks, { withholdsStays: true });
    expect(await ingest.stores.stayDays.between(PORT, '2019-01-01', '2019-12-31')).toEqual([]);
  });
});

describe('a table is refused', () => {
  it.each([
    ['of a port that is in no list', 'XXXXX', {}, 'XXXXX is not in the list of ports'],
    [
      'that is replayed where the port has another',
      PORT,
      { name: 'b', asPolls: 'daily' },
      'ESTAR has the table a already: --as-polls replays the first table of a port alone',
    ],
  ] as const)('%s', async (_, port, given, message) => {
    const ingest = start();
    await give(ingest, twoWeeks);
    const before = await dumpOf(ingest.tables);
    const other = Buffer.from(twoWeeks.toString().replaceAll(PORT, port));
    await expect(give(ingest, other, given)).rejects.toThrow(new TableRefused(message));
    expect(await dumpOf(ingest.tables)).toEqual(before);
  });

  it('of a port that another source covers', async () => {
    const ingest = start();
    const port = {
      port: PORT,
      name: 'Tarragona',
      countryCode: 'ES',
      latitude: 41,
      longitude: 1,
      method: 'polls',
    };
    await ingest.stores.ports.register([{ ...port, sources: ['of-a-test'], method: 'polls' }], '2026-01-01');
    await expect(give(ingest, twoWeeks)).rejects.toThrow('ESTAR is covered by of-a-test');
  });

  it('for removal, where there is none of the name', async () => {
    const ingest = start();
    await give(ingest, twoWeeks);
    await expect(createCallTables(ingest.dependencies()).remove('b')).rejects.toThrow(
      'there is no table b; there are a',
    );
  });
});

describe('a release of the ports of tables', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tables-release-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function released(name: string, given: Given) {
    const ingest = start();
    await give(ingest, twoWeeks, given);
    const place = join(folder, name);
    const { manifest } = await releaseInto(place, { tables: ingest.tables, day: dayOf(NOW) });
    const { rows: read } = await openRelease(place);
    const rowsOf = async (table: 'trend' | 'calls' | 'stays'): Promise<ReleaseRow[]> => {
      const found: ReleaseRow[] = [];
      for await (const group of read(table)) found.push(...group);
      return found;
    };
    return { ingest, manifest, place, rowsOf };
  }

  it('has figures alone where calls may not be passed on, and says what is not stated', async () => {
    const { manifest, rowsOf } = await released('not-passed-on', {});
    expect((await rowsOf('trend')).at(-1)).toMatchObject({ source: 'call-tables', licence: 'not stated' });
    expect([...(await rowsOf('calls')), ...(await rowsOf('stays'))]).toEqual([]);
    const table = { name: 'a', publisher: null, licence: null, attribution: null, calls: false };
    expect(manifest.sources).toMatchObject([{ id: 'call-tables', tables: [{ ...table, ports: [PORT] }] }]);
    expect(creditsOf(manifest.sources)).toMatchObject([
      { id: 'call-tables a', licence: 'not stated', attribution: 'not stated', calls: false },
    ]);
  });

  it('has the calls and the terms of a table that passes them on, and so has a service that begins with it', async () => {
    const terms = { publisher: 'A port', licence: 'CC BY 4.0', attribution: 'A port, CC BY 4.0' };
    const { ingest, place, rowsOf } = await released('passed-on', { ...terms, passesOnCalls: true });
    expect((await rowsOf('trend')).at(-1)).toMatchObject({ licence: 'CC BY 4.0' });
    expect([(await rowsOf('calls')).length, (await rowsOf('stays')).length]).toEqual([56, 112]);
    const begun = start();
    await importRelease(await openRelease(place), begun.tables, () => NOW);
    const reads = [ingest, begun].map(({ tables }) => readHandlers(tables, () => NOW));
    const request = { path: { UNLOCODE: PORT }, query: { window: ['14d'], until: ['2019-03-15'] } };
    const [dwell, imported] = await Promise.all(reads.map((read) => read.dwell(request)));
    expect(imported?.body).toBe(dwell?.body);
    const sources = await Promise.all(reads.map(async (read) => JSON.parse((await read.sources()).body)[0]));
    expect(sources[0]?.tables).toMatchObject([{ name: 'a', ...terms, calls: true, ports: [PORT] }]);
    expect(sources[1]?.tables).toEqual(sources[0]?.tables);
    // Its days are settled.
    await expect(give(begun, twoWeeks)).rejects.toThrow('ESTAR began with a release');
  });
});

describe('a replay by days', () => {
  it('ends in the figures of the table, each known since the day that it is about or one after', async () => {
    const [ingest, whole] = [start(), start()];
    await give(ingest, twoWeeks, { asPolls: 'daily' });
    await give(whole, twoWeeks);
    expect(await figures(ingest)).toEqual(await figures(whole));
    const days = await ingest.stores.dailyMetrics.between(PORT);
    const late = days.filter(({ day, knownOn }) => knownOn < day || knownOn > addDays(day, 2));
    expect(late).toEqual([]);
    const then = await ingest.stores.dailyMetrics.asOf(PORT, '2019-03-09');
    expect(then.rows.at(-1)?.day).toBe('2019-03-09');
    // They were not served on these days.
    expect([...days, ...then.rows].every(({ backfilled }) => backfilled === true)).toBe(true);
  });

  it('is corrected by a later table, known since that', async () => {
    const ingest = start();
    await give(ingest, twoWeeks, { asPolls: 'daily' });
    const before = await ingest.stores.dailyMetrics.between(PORT);
    await give(ingest, text(rows('2019-03-01', 14).slice(0, -2)));
    const after = await ingest.stores.dailyMetrics.between(PORT);
    expect(after.slice(0, 13)).toEqual(before.slice(0, 13));
    expect(after.at(-1)?.knownOn).toBe(dayOf(NOW));
  });
});

it('the calls of a table that is applied are not read back, and are written in parts of a thousand', async () => {
  const ingest = start();
  let read = 0;
  const parts: number[] = [];
  const watched = (table: Table): Table =>
    new Proxy(table, {
      get(target, name) {
        const value = Reflect.get(target, name, target) as unknown;
        if (typeof value !== 'function') return value;
        return async (...args: readonly unknown[]) => {
          const result: unknown = await value.apply(target, args);
          if (name === 'query') read += (result as readonly unknown[]).length;
          if (name === 'writeMany') parts.push((args[0] as readonly unknown[]).length);
          return result;
        };
      },
    });
  const dependencies = ingest.dependencies({
    wrap: (table, id) => (id === 'portCalls' ? watched(table) : table),
  });
  // 1,200 calls within three days.
  const bytes = text(
    Array.from({ length: 100 }, (_, n) =>
      rows('2019-03-01', 3, (row) => row.replaceAll(/(ESTAR,[^,]+),V/g, `$1-${n},V${n}-`)),
    ).flat(),
  );
  const { ports } = await readCallTable(bytes, { nowAt: NOW });
  await createCallTables(dependencies).accept(bytes, {
    name: 'a',
    passesOnCalls: false,
    leftOut: false,
    ports: Object.fromEntries(ports.map(({ port, span, stays }) => [port, { ...span, stays }])),
  });
  expect({ read, parts }).toEqual({ read: 0, parts: [1000, 1000, 200, 200] });
});

describe('a process that dies at any write', () => {
  it.each([undefined, 'daily'] as const)('is repeated to the same tables (as polls: %s)', async (asPolls) => {
    const bytes = text(rows('2019-03-01', 3));
    const whole = start();
    await give(whole, bytes, { asPolls });
    const expected = await figures(whole);
    let deaths = 0;
    for (let diesAt = 1; ; diesAt += 3) {
      const ingest = start();
      const meter = { writes: 0, diesAt };
      const dying = ingest.dependencies({ wrap: (table) => metered(table, meter) });
      const about: TableAbout = {
        name: 'a',
        passesOnCalls: false,
        leftOut: false,
        ...(asPolls && { asPolls }),
        ports: {
          [PORT]: { fromAt: Date.parse('2019-03-01'), toAt: Date.parse('2019-03-04T11:00:00Z'), stays: 8 },
        },
      };
      const died = await createCallTables(dying)
        .accept(bytes, about)
        .then(
          () => false,
          () => true,
        );
      await createCallTables(ingest.dependencies()).catchUp();
      expect(await figures(ingest)).toEqual(expected);
      if (!died) break;
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(2);
  });
});

/** Counts of the rows of Tarragona by another program: Python's csv module over the authors' table, without 34 stray rows. */
it('the year of Tarragona has the counts of its rows', async () => {
  const folder = new URL('../../../recordings/call-tables/', import.meta.url);
  const bytes = readFileSync(new URL('tarragona-2019.csv', folder));
  const { ports, faults, ambiguous, rows } = await readCallTable(bytes, {
    timeZone: 'Europe/Madrid',
    nowAt: NOW,
  });
  const calls = ports[0]?.calls ?? [];
  const waits = calls.flatMap(({ ataAt = 0, stops }) => {
    const first = stops.find(({ zone }) => zone === 'berth');
    return first?.ataAt === undefined ? [] : [(first.ataAt - ataAt) / 3_600_000];
  });
  const anchored = calls.filter(
    ({ stops }) => stops[0]?.zone === 'anchorage' && stops.some(({ zone }) => zone === 'berth'),
  );
  expect([rows, faults.length, ambiguous, calls.length, waits.length, anchored.length]).toEqual([
    3634, 0, 2, 2443, 2323, 734,
  ]);
  expect(waits.reduce((sum, hours) => sum + hours, 0) / waits.length).toBeCloseTo(11.2, 1);
});
