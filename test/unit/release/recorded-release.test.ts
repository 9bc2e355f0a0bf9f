/** The release that a first start begins with: figures of many calls, all of them replayed, and no figure where nothing is known. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from '@jest/globals';
import type { Alert } from '../../../core/contracts/alerts.ts';
import type { KnownDays, KnownMonth } from '../../../core/contracts/known-days.ts';
import type { PortRecordFile } from '../../../core/contracts/record.ts';
import { stoppedSince } from '../../../core/metrics/closures.ts';
import type { DailyMetrics } from '../../../core/metrics/figures.ts';
import { FlowHours } from '../../../core/metrics/flow-hours.ts';
import { stoppedShare } from '../../../core/metrics/flow-stop.ts';
import { addDays } from '../../../core/reference/time.ts';
import type { ReleaseRow, ReleaseTable } from '../../../core/release/columns.ts';
import { dataPackage, datasetJsonLd } from '../../../core/release/descriptions.ts';
import { importRelease } from '../../../core/release/import-release.ts';
import { indexPage } from '../../../core/release/index-page.ts';
import { type OpenedRelease, openRelease } from '../../../core/release/release-reader.ts';
import { metricsOf } from '../../../core/release/table-rows.ts';
import { INGEST_TABLES } from '../../../core/store/tables.ts';
import { memoryTables } from '../../builders/memory-table.ts';
import { readHandlers } from '../../builders/read-handlers.ts';

const RELEASE = new URL('../../../recordings/release/', import.meta.url);
const NOW = Date.UTC(2025, 9, 4, 14, 20, 27);
const path = { UNLOCODE: 'TWKHH' };
const tables = memoryTables(INGEST_TABLES);
const reads = readHandlers(tables, () => NOW, { replays: true });
let release: OpenedRelease;
beforeAll(async () => {
  release = await openRelease(fileURLToPath(RELEASE));
  await importRelease(release, tables, () => NOW);
});

async function rowsOf(table: ReleaseTable): Promise<ReleaseRow[]> {
  const rows: ReleaseRow[] = [];
  for await (const group of release.rows(table)) rows.push(...group);
  return rows;
}

it('has no single call, and says that its figures were made afterwards', async () => {
  expect(await rowsOf('calls')).toEqual([]);
  expect(release.manifest.sources).toMatchObject([{ id: 'tipc-taiwan', calls: false, replayed: true }]);
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
    temporalCoverage: '2025-01-02/2025-10-04',
    spatialCoverage: [{ identifier: 'TWKHH' }],
  });
});

it('has no score of a day that is hardly covered, as the last ones of months', async () => {
  const thin = (await rowsOf('days')).filter(({ coverage }) => Number(coverage) < 0.8);
  expect(thin.map(({ date }) => String(date))).toEqual(
    expect.arrayContaining(['2025-01-31', '2025-05-30', '2025-07-30', '2025-07-31']),
  );
  for (const row of thin) expect(row).toMatchObject({ congestion_score: null, avg_wait_hours: null });
});

it('knew each of the five stops within a day', async () => {
  const raised = (await rowsOf('alerts_raised')).filter(
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

/** Of the five closures: when it began, was found, and ended; the data break off on 30 July. */
const CLOSURES = [
  ['2025-06-12T21:00:00Z', '2025-06-13T03:00:00Z', '2025-06-15T01:00:00Z'],
  ['2025-07-05T03:00:00Z', '2025-07-05T13:00:00Z', '2025-07-07T05:00:00Z'],
  ['2025-07-29T16:00:00Z', '2025-07-30T03:00:00Z', null],
  ['2025-08-12T19:00:00Z', '2025-08-13T04:00:00Z', '2025-08-14T02:00:00Z'],
  ['2025-09-21T21:00:00Z', '2025-09-22T06:00:00Z', '2025-09-24T10:00:00Z'],
] as const;
const HOUR = 3_600_000;

it('has one beginning of each closure, hour by hour over the recorded berthings', async () => {
  const days = (await rowsOf('days')).map(metricsOf).sort((a, b) => (a.day < b.day ? -1 : 1));
  /** What was stated at the end of an hour, from the hours up to it alone. */
  const sinceAt = (at: number): number | undefined => {
    const known = days.filter(({ day }) => Date.parse(day) < at).slice(-90);
    const last = known.at(-1);
    const hours = (at - Date.parse(last?.day ?? '')) / HOUR;
    const cut = (text = '') => text.slice(0, hours).padEnd(24, '.');
    const { hourBerthings, hourArrivals, stoppedShare: _, ...row } = last as DailyMetrics;
    const running = { ...row, hourBerthings: cut(hourBerthings), hourArrivals: cut(hourArrivals) };
    const flow = new FlowHours([...known.slice(0, -1), running]);
    const share = stoppedShare(flow, flow.until(at));
    const today = share === undefined ? running : { ...running, stoppedShare: share };
    return stoppedSince([...known.slice(0, -1), today], at);
  };
  for (const [began, found, ended] of CLOSURES) {
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
  const read = (name: string) => JSON.parse(readFileSync(new URL(name, RELEASE), 'utf8'));
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
