/** The release that a first start begins with: figures of many calls, all of them replayed, and no figure where nothing is known. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Alert } from '../../../core/contracts/alerts.ts';
import type {
  KnownDays,
  KnownMonth,
  PortRecordFile,
  ServiceRecord,
} from '../../../core/contracts/published-files.ts';
import { FlowHours, stoppedShare, stoppedSince } from '../../../core/metrics/closures.ts';
import type { DayFigures } from '../../../core/metrics/figures.ts';
import { groupBy } from '../../../core/reference/statistics.ts';
import { addDays } from '../../../core/reference/time.ts';
import type { ReleaseRow, ReleaseTable } from '../../../core/release/columns.ts';
import { importRelease } from '../../../core/release/import-release.ts';
import { dataPackage, datasetJsonLd, indexPage } from '../../../core/release/manifest.ts';
import { Revisions } from '../../../core/release/record.ts';
import { type OpenedRelease, openRelease } from '../../../core/release/release-reader.ts';
import { metricsOf } from '../../../core/release/rows.ts';
import { createStayDayStore } from '../../../core/store/day-series.ts';
import { INGEST_TABLES } from '../../../core/store/tables.ts';
import { extent } from '../../builders/extent.ts';
import { memoryTables } from '../../builders/memory-table.ts';
import { readHandlers } from '../../builders/read-handlers.ts';

const RELEASE = new URL('../../../recordings/release/', import.meta.url);
const NOW = Date.UTC(2025, 9, 4, 14, 20, 27);
const path = { UNLOCODE: 'TWKHH' };
const TARRAGONA = { UNLOCODE: 'ESTAR' };
const tables = memoryTables(INGEST_TABLES);
const reads = readHandlers(tables, () => NOW, { replays: true });
let release: OpenedRelease;
beforeAll(async () => {
  release = await openRelease(fileURLToPath(RELEASE));
  await importRelease(release, tables, () => NOW);
});

const read = (name: string) => JSON.parse(readFileSync(new URL(name, RELEASE), 'utf8'));

const tablesRead = new Map<ReleaseTable, ReleaseRow[]>();

/** Returns the rows of a table, or only those of port `of`. Each table is read once. */
async function rowsOf(table: ReleaseTable, of?: string): Promise<readonly ReleaseRow[]> {
  const rows = tablesRead.get(table) ?? [];
  if (!tablesRead.has(table)) for await (const group of release.rows(table)) rows.push(...group);
  tablesRead.set(table, rows);
  return of === undefined ? rows : rows.filter(({ port }) => port === of);
}

it('has the single calls that may be passed on alone, and says that its figures were made afterwards', async () => {
  for (const table of ['calls', 'stays'] as const)
    expect([...new Set((await rowsOf(table)).map(({ port }) => port))]).toEqual(['ESTAR']);
  expect(release.manifest.sources).toMatchObject([
    { id: 'tipc-taiwan', calls: false, replayed: true },
    { id: 'call-tables', replayed: true, tables: [{ calls: true, ports: ['ESTAR'] }] },
  ]);
  for (const table of [
    'vintages_trend',
    'vintages_waits',
    'vintages_alerts',
    'vintages_ports',
    'days',
  ] as const)
    for (const row of await rowsOf(table)) expect(row.backfilled).toBe(true);
  for (const table of ['forecasts', 'alerts_raised'] as const)
    for (const row of await rowsOf(table)) expect(row.replayed).toBe(true);
  expect((await reads.dwell({ path, query: { window: ['30d'], until: ['2025-09-30'] } })).body).toBe('[]');
});

it('is described by its Data Package and its page', () => {
  const text = readFileSync(new URL('release=2025-10-04/datapackage.json', RELEASE), 'utf8');
  expect(JSON.parse(text)).toEqual(dataPackage(release.manifest));
  expect(readFileSync(new URL('index.html', RELEASE), 'utf8')).toBe(indexPage(release.manifest));
  expect(datasetJsonLd(release.manifest)).toMatchObject({
    temporalCoverage: ['2019-01-02/2019-12-31', '2025-01-02/2025-10-04'],
    spatialCoverage: [{ identifier: 'ESTAR' }, { identifier: 'TWKHH' }],
  });
});

it('has no score of a day that is hardly covered, as the last ones of months', async () => {
  const thin = (await rowsOf('days', 'TWKHH')).filter(({ coverage }) => Number(coverage) < 0.8);
  expect(thin.map(({ date }) => String(date))).toEqual(
    expect.arrayContaining(['2025-01-31', '2025-05-30', '2025-07-30', '2025-07-31']),
  );
  for (const row of thin) expect(row).toMatchObject({ congestion_score: null, avg_wait_hours: null });
});

it('knew each of the five stops within a day', async () => {
  const raised = (await rowsOf('alerts_raised', 'TWKHH')).filter(
    ({ metric, steps_severity }) => metric === 'berthings' && (steps_severity as string[]).includes('high'),
  );
  const hours = raised.map(({ began, steps_known }) =>
    (steps_known as string[]).map((text) => (Date.parse(text) - Number(began)) / 3_600_000),
  );
  expect(raised.map(({ steps_known }) => (steps_known as string[])[0]?.slice(0, 10))).toEqual([
    '2025-06-13',
    '2025-07-05',
    '2025-07-30',
    '2025-08-13',
    '2025-09-22',
  ]);
  for (const [medium = Infinity, high = Infinity] of hours) {
    expect(medium).toBeLessThan(12);
    expect(high).toBeLessThan(24);
  }
});

/** The five closures: when each began, was found, and ended; the data break off on 30 July. */
const CLOSURES = [
  ['2025-06-12T21:00:00Z', '2025-06-13T03:00:00Z', '2025-06-15T01:00:00Z'],
  ['2025-07-05T03:00:00Z', '2025-07-05T13:00:00Z', '2025-07-07T05:00:00Z'],
  ['2025-07-29T16:00:00Z', '2025-07-30T03:00:00Z', null],
  ['2025-08-12T19:00:00Z', '2025-08-13T04:00:00Z', '2025-08-14T02:00:00Z'],
  ['2025-09-21T21:00:00Z', '2025-09-22T06:00:00Z', '2025-09-24T10:00:00Z'],
] as const;
const HOUR = 3_600_000;

it('says how long until a figure of its ports is final, as its vintages count it', async () => {
  const revisions = new Revisions(release.manifest.release);
  const ports = await rowsOf('ports');
  for (const table of ['vintages_trend', 'vintages_waits'] as const)
    for (const [port, rows] of groupBy(await rowsOf(table), (row) => String(row.port))) {
      const lastDay = String(ports.find((row) => row.port === port)?.last_day);
      revisions.add({ port, lastDay }, table, rows);
    }
  const service: ServiceRecord = read('record.json');
  expect(service.ports.length).toBeGreaterThan(0);
  for (const { port, path: file } of service.ports) {
    const { revisions: recorded }: PortRecordFile = read(file);
    expect(recorded).toEqual(revisions.of(port).revisions());
    expect(service.final).toContainEqual({ port, ...revisions.of(port).finalAge() });
  }
});

it('has one beginning of each closure, hour by hour over the recorded berthings', async () => {
  const days = (await rowsOf('days', 'TWKHH')).map(metricsOf).sort((a, b) => (a.day < b.day ? -1 : 1));
  /** What was stated at the end of an hour, from the hours up to it alone. */
  const sinceAt = (at: number): number | undefined => {
    const known = days.filter(({ day }) => Date.parse(day) < at).slice(-90);
    const last = known.at(-1);
    const hours = (at - Date.parse(last?.day ?? '')) / HOUR;
    const cut = (text = '') => text.slice(0, hours).padEnd(24, '.');
    const { hourBerthings, hourArrivals, stoppedShare: _, ...row } = last as DayFigures;
    const running = { ...row, hourBerthings: cut(hourBerthings), hourArrivals: cut(hourArrivals) };
    const flow = new FlowHours([...known.slice(0, -1), running]);
    const share = stoppedShare(flow, flow.until(at));
    const today = share === undefined ? running : { ...running, stoppedShare: share };
    return stoppedSince([...known.slice(0, -1), today], at);
  };
  for (const [began, found, ended] of CLOSURES.slice(...extent([2, 3], [0]))) {
    const [from, to] = [Date.parse(began), Date.parse(ended ?? '2025-07-31T00:00:00Z')];
    for (let at = from + HOUR; at <= to + 2 * HOUR; at += HOUR) {
      const since = sinceAt(at);
      if (at < Date.parse(found) || at >= to) expect(since).toBeUndefined();
      else if (since !== undefined && at >= since + 12 * HOUR) expect(since).toBe(from);
      else if (since !== undefined) expect(since).toBeGreaterThanOrEqual(from);
    }
  }
  // Vessels berthed again on 14 June, from 01:00 to 09:00; the closure went on at 21:00.
  const june = [8, 9, 20, 22].map((hour) => sinceAt(Date.parse('2025-06-14T00:00:00Z') + hour * HOUR));
  const began = Date.parse(CLOSURES[0][0]);
  expect(june).toEqual([began, undefined, undefined, began]);
  // The hour from 16:00 on 30 July is unknown.
  const july = [15, 16, 17, 18].map((hour) => sinceAt(Date.parse('2025-07-30T00:00:00Z') + hour * HOUR));
  const last = Date.parse(CLOSURES[2][0]);
  expect(july).toEqual([last, last, undefined, undefined]);
});

it('states the same beginnings and ends in its files, its alerts and the keyless lists', async () => {
  const expected = CLOSURES.map(([began, , ended]) => [began, ended]);
  const { stops }: KnownDays = read('known-days.json');
  expect(stops.map(({ stopped_since, ended }) => [stopped_since, ended])).toEqual(expected);
  const record: PortRecordFile = read('release=2025-10-04/record/TWKHH.json');
  const high = record.alerts.filter(
    ({ metric, severities }) => metric === 'berthings' && severities.includes('high'),
  );
  expect(high.map(({ began, ended }) => [began, ended]).reverse()).toEqual(expected);
  for (const [began, found] of CLOSURES) {
    const query = { days: ['3'], until: [addDays(found.slice(0, 10), 1)], metric: ['berthings'] };
    const alerts: Alert[] = JSON.parse((await reads.alerts({ path, query })).body);
    expect(alerts.map(({ severity, began: stated }) => [severity, stated])).toEqual([
      ['high', began],
      ['medium', began],
    ]);
  }
  // The figures of each day as they were known at its end.
  const { days, figures, ports }: KnownMonth = read('release=2025-10-04/known-days/2025-09.json');
  const since = figures.indexOf('stopped_since');
  expect(ports[0]?.days[days.indexOf('2025-09-22')]?.[since]).toBe(CLOSURES[4][0]);
});

it('serves the alerts of a day as they were at its end', async () => {
  const { body } = await reads.alerts({ path, query: { days: ['1'], as_of: ['2025-09-22'] } });
  expect(JSON.parse(body).map(({ severity }: { severity: string }) => severity)).toEqual(['high', 'medium']);
});

describe('Tarragona in 2019', () => {
  const HOUR_OF = { winter: 1, summer: 2 } as const;
  /** An instant of Madrid, whose clocks changed on 31 March and 27 October; of the hour that occurs twice the first. */
  const instantOf = (local: string): number => {
    const at = Date.parse(`${local.replace(' ', 'T')}:00Z`);
    const isSummer = at >= Date.parse('2019-03-31T03:00:00Z') && at < Date.parse('2019-10-27T03:00:00Z');
    return at - (isSummer ? HOUR_OF.summer : HOUR_OF.winter) * HOUR;
  };
  const [head = '', ...lines] = readFileSync(
    new URL('../../../recordings/call-tables/tarragona-2019.csv', import.meta.url),
    'utf8',
  )
    .trim()
    .split('\n');
  const names = head.split(',');
  const rows = lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
  });

  const UNTIL = Date.parse('2019-12-31T00:00:00Z');
  /** The calls of the table, each with its stays in order; four rows stand in the table twice. */
  const callsOf = () =>
    [...groupBy(rows, ({ call }) => call).values()].map((stays) =>
      stays
        .map(({ kind, vessel_type: type, start = '', end = '' }) => ({
          kind: kind === 'berth' ? 'berth' : 'wait',
          type,
          startAt: instantOf(start),
          endAt: end === '' ? Number.POSITIVE_INFINITY : instantOf(end),
        }))
        .sort((a, b) => a.startAt - b.startAt),
    );

  // As at every port: without passenger vessels, and without what ends more than 60 days after an arrival.
  it('has the stays of its table in dwell, one by one', async () => {
    const expected = callsOf().flatMap((stays) => {
      const arrivedAt = stays[0]?.startAt ?? 0;
      const closed = stays.filter(
        ({ type, startAt, endAt }) =>
          type !== 'passenger' && endAt > startAt && endAt <= UNTIL && endAt - arrivedAt <= 60 * 24 * HOUR,
      );
      return [...new Set(closed.map(({ startAt, endAt, kind }) => [startAt, endAt, kind].join()))];
    });
    const stays = await createStayDayStore(tables.stayDays).between('ESTAR', '2018-12-01', '2020-01-31');
    expect(stays.map(({ startAt, endAt, kind }) => [startAt, endAt, kind].join()).sort()).toEqual(
      expected.sort(),
    );
    expect(stays.length).toBeGreaterThan(3500);
  });

  it('is served with evidence, terms and dwell', async () => {
    const ports = JSON.parse((await reads.ports({})).body);
    expect(ports).toMatchObject([
      { port: 'ESTAR', evidence: 'given', first_day: '2019-01-02', last_day: '2019-12-30' },
      { port: 'TWKHH' },
    ]);
    const sources = JSON.parse((await reads.sources()).body);
    expect(sources[0]).toMatchObject({
      source: 'call-tables',
      tables: [{ name: 'tarragona-2019', licence: 'CC BY 4.0', calls: true, ports: ['ESTAR'] }],
    });
    const dwell = JSON.parse(
      (await reads.dwell({ path: TARRAGONA, query: { window: ['7d'], until: ['2019-11-10'] } })).body,
    );
    expect(dwell.length).toBeGreaterThan(40);
  });

  it('has the mean from arrival to berth of its rows, by its calls', async () => {
    const calls = await rowsOf('calls', 'ESTAR');
    const hours = calls.flatMap(({ ata, atb }) => (atb == null ? [] : [(Number(atb) - Number(ata)) / HOUR]));
    // Two calls of the last evening lie beyond the days that the table covers.
    expect([calls.length, hours.length]).toEqual([2441, 2321]);
    const expected = callsOf().flatMap((stays) => {
      const berthedAt = stays.find(({ kind }) => kind === 'berth')?.startAt;
      const arrivedAt = stays[0]?.startAt ?? 0;
      return berthedAt === undefined || berthedAt > UNTIL ? [] : [(berthedAt - arrivedAt) / HOUR];
    });
    const mean = (of: readonly number[]): number => of.reduce((sum, value) => sum + value, 0) / of.length;
    expect(mean(hours)).toBeCloseTo(mean(expected), 6);
  });
});

it('names the week of Tarragona in which its vessels took longest from arrival to berth', async () => {
  const rows = (await rowsOf('calls', 'ESTAR')).filter(({ atb }) => atb !== null);
  const mondayOf = (at: number): string => {
    const day = new Date(at).toISOString().slice(0, 10);
    return addDays(day, -((new Date(at).getUTCDay() + 6) % 7));
  };
  const weeks = groupBy(rows, ({ atb }) => mondayOf(Number(atb)));
  const means = [...weeks].flatMap(([first, calls]) => {
    const hours = calls.map(({ ata, atb }) => (Number(atb) - Number(ata)) / HOUR);
    const isWhole = first >= '2019-01-02' && addDays(first, 6) <= '2019-12-30';
    const mean = hours.reduce((sum, hour) => sum + hour, 0) / hours.length;
    return isWhole ? [{ first_day: first, berthed: calls.length, hours: Math.round(mean * 10) / 10 }] : [];
  });
  const worst = means.reduce((most, week) => (week.hours > most.hours ? week : most));
  expect(worst).toEqual({ first_day: '2019-11-04', berthed: 39, hours: 21 });
  const { worst_weeks }: KnownDays = JSON.parse(readFileSync(new URL('known-days.json', RELEASE), 'utf8'));
  expect(worst_weeks).toEqual([{ port: 'ESTAR', ...worst, last_day: '2019-11-10' }]);
});
