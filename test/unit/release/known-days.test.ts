/** The files of a release that the explorer reads: each day as the API serves it with `as_of`, and the stops. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { PortRecord } from '../../../core/contracts/ports.ts';
import type { KnownDays, KnownMonth } from '../../../core/contracts/published-files.ts';
import { addDays, daysBetween, endOfDay, HOUR_MS, startOfDay } from '../../../core/reference/time.ts';
import { KnownMonths } from '../../../core/release/known-days.ts';
import { RELEASE_READS } from '../../../core/release/store-tables.ts';
import { ALERTS, createRaisedAlertStore } from '../../../core/store/alerts.ts';
import { TREND, WAITS } from '../../../core/store/day-series.ts';
import { createPortStore, PORTS, type PortRow } from '../../../core/store/ports.ts';
import { createBeginnings, createSeriesStore } from '../../../core/store/series.ts';
import { memoryTables } from '../../builders/memory-table.ts';
import { readHandlers } from '../../builders/read-handlers.ts';
import { putValues } from '../../builders/series-values.ts';
import { releaseInto } from '../../builders/written-release.ts';

const PORT = 'TWKHH';
const [FIRST, LAST, TODAY] = ['2025-08-20', '2025-09-28', '2025-09-29'];
const DAYS = daysBetween(FIRST, LAST);
const STOPPED_AT = Date.parse('2025-09-22T14:00:00Z');
const CLOSED = ['2025-09-22', '2025-09-23'];
const BERTHED: Readonly<Record<string, number>> = { '2025-09-22': 12, '2025-09-23': 0, '2025-09-24': 15 };

/** Berthings by the hour, on the other days 34. */
const HOURLY: Readonly<Record<string, string>> = {
  '2025-09-22': `00${'1'.repeat(12)}${'0'.repeat(10)}`,
  '2025-09-23': '0'.repeat(24),
  '2025-09-24': `${'0'.repeat(9)}${'1'.repeat(15)}`,
};
const USUAL_HOURS = '22111'.repeat(5).slice(0, 24);
const hoursOf = (day: string) => {
  const hours = HOURLY[day] ?? USUAL_HOURS;
  return { hourBerthings: hours, hourArrivals: hours };
};

const root = mkdtempSync(join(tmpdir(), 'known-days-'));
const tables = memoryTables(RELEASE_READS);
const read = <T>(path: string): T => JSON.parse(readFileSync(join(root, path), 'utf8'));
let known: KnownDays;

beforeAll(async () => {
  const series = createSeriesStore(PORTS, tables.ports, tables.vintages);
  const ports = createPortStore(tables.ports, series);
  const place = { name: 'Kaohsiung', countryCode: 'TW', latitude: 22.57, longitude: 120.3 };
  await createBeginnings(tables.vintages, 'ports').note(PORT, { since: FIRST, version: '2.1' });
  for (const [i, day] of DAYS.entries()) {
    const snapshot = {
      asOfAt: endOfDay(day) - HOUR_MS,
      congestionScore: i / 100,
      avgWaitHours: i,
      arrivals24h: 1,
      departures24h: 1,
      atAnchor: i,
      inPort: 2 * i,
      ...(CLOSED.includes(day) ? { stoppedSinceAt: STOPPED_AT } : {}),
    };
    const row = { port: PORT, ...place, sources: ['tipc-taiwan'], snapshot, firstDay: FIRST, lastDay: day };
    await ports.replace(PORT, [row], await series.between(PORT), { day, backfilled: false });
  }
  const berthed = (day: string): number => BERTHED[day] ?? 34;
  await putValues(
    WAITS,
    tables.waitDays,
    PORT,
    DAYS.map((day) => ({
      day,
      // One of the days is known by half.
      coverage: day === '2025-09-10' ? 0.5 : 1,
      all: { berthed: berthed(day), waits: [], waiting: day === '2025-09-25' ? 25 : 4 },
    })),
  );
  await putValues(
    TREND,
    tables.dailyMetrics,
    PORT,
    DAYS.map((day, i) => ({
      day,
      coverage: 1,
      vessels: 1,
      congestionScore: i / 100,
      avgWaitHours: i,
      ...hoursOf(day),
    })),
  );
  const alert = { type: 'unusual', metric: 'berthings', changeFraction: -1, explain: 'stopped.' } as const;
  await putValues(ALERTS, tables.alerts, PORT, [
    { ...alert, severity: 'medium', asOfAt: STOPPED_AT + 9 * HOUR_MS },
    { ...alert, severity: 'high', asOfAt: startOfDay('2025-09-23') + 16 * HOUR_MS },
    { ...alert, severity: 'medium', asOfAt: startOfDay('2025-09-03') + 7 * HOUR_MS },
  ]);
  const first = { asOfAt: STOPPED_AT + 9 * HOUR_MS, severity: 'medium' } as const;
  const { type, metric, explain, changeFraction } = alert;
  await createRaisedAlertStore(tables.raisedAlerts).write(PORT, [
    {
      type,
      metric,
      explain,
      changeFraction,
      steps: [{ ...first, knownAt: first.asOfAt + HOUR_MS }],
      sinceAt: STOPPED_AT + 5 * HOUR_MS,
      beganAt: STOPPED_AT,
    },
  ]);
  await releaseInto(root, { tables, day: TODAY });
  known = read('known-days.json');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('has a file for each month, which the manifest names', () => {
  expect(known).toMatchObject({ release: TODAY, first_day: FIRST, last_day: LAST, spans: [[FIRST, LAST]] });
  expect(known.months).toEqual([
    { month: '2025-08', path: `release=${TODAY}/known-days/2025-08.json` },
    { month: '2025-09', path: `release=${TODAY}/known-days/2025-09.json` },
  ]);
  const { known_days } = read<{ known_days: string[] }>(`release=${TODAY}/manifest.json`);
  expect(known_days).toEqual([...known.months.map(({ path }) => path), `release=${TODAY}/known-days.json`]);
});

it('has the days of each port, from its first observation up to its own last day', async () => {
  const place = { name: '', countryCode: '', latitude: 0, longitude: 0, sources: [] };
  const figures = {
    congestionScore: 0,
    avgWaitHours: 0,
    arrivals24h: 0,
    departures24h: 0,
    atAnchor: 0,
    inPort: 0,
  };
  const rowOf = (port: string, lastDay: string, asOf: string): PortRow => ({
    port,
    ...place,
    lastDay,
    snapshot: { ...figures, asOfAt: Date.parse(asOf) },
  });
  const [old, year] = [
    rowOf('ESTAR', '2019-12-30', '2019-12-30T23:00:00Z'),
    rowOf(PORT, LAST, `${LAST}T23:00:00Z`),
  ];
  const months = new KnownMonths(root, TODAY, [old, year]);
  const early = rowOf('ESTAR', '2018-11-02', '2018-11-02T23:00:00Z');
  await months.add('2018-11-02', [early]);
  await months.add('2019-12-29', [early]);
  const late = rowOf('ESTAR', '2019-12-29', '2019-12-29T23:00:00Z');
  await months.add('2019-12-29', [late]);
  for (const day of ['2019-12-30', '2019-12-31', '2025-08-19']) await months.add(day, [old]);
  const begun = rowOf(PORT, '2025-08-20', '2025-08-20T23:00:00Z');
  for (const day of ['2025-08-20', '2025-08-21', TODAY]) await months.add(day, [old, begun]);
  expect(months.spans).toEqual([
    ['2019-12-29', '2019-12-30'],
    ['2025-08-20', '2025-08-21'],
  ]);
  expect(months.months.map(({ month }) => month)).toEqual(['2019-12']);
});

it('states each day as the API serves it with as_of', async () => {
  const api = readHandlers(tables, () => Date.parse(`${TODAY}T12:00:00Z`));
  for (const { path } of known.months) {
    const { days, figures, ports } = read<KnownMonth>(path);
    expect(ports.map(({ port }) => port)).toEqual([PORT]);
    for (const [i, day] of days.entries()) {
      const [served] = JSON.parse((await api.ports({ query: { as_of: [day] } })).body) as [PortRecord];
      expect(ports[0]?.days[i]).toEqual(figures.map((name) => served[name as keyof PortRecord]));
    }
  }
  expect(addDays(LAST, 1)).toBe(TODAY);
});

it('states the closures with a high alert: their beginning and end, what was usual, and the queue after', () => {
  expect(known.stops).toMatchObject([
    {
      port: PORT,
      name: 'Kaohsiung',
      first_day: '2025-09-22',
      last_day: '2025-09-24',
      alerted_at: '2025-09-23T00:00:00Z',
      stopped_since: '2025-09-22T14:00:00Z',
      lowest: { date: '2025-09-23', berthed: 0 },
      usual: 34,
      missed: 22 + 34 + 19,
      queue: { date: '2025-09-25', waiting: 25 },
      ended: '2025-09-24T14:00:00Z',
    },
  ]);
  expect(known.stops[0]?.scores.map(({ date }) => date)).toEqual(daysBetween('2025-09-21', '2025-09-27'));
});

it('keeps days and closures of a port that is no longer observed, years later', async () => {
  const later = '2028-01-01';
  await releaseInto(root, { tables, day: later });
  const after = read<KnownDays>('known-days.json');
  expect(after.spans).toEqual([[FIRST, LAST]]);
  expect(after.months.map(({ month }) => month)).toEqual(['2025-08', '2025-09']);
  expect(after.stops).toEqual(known.stops);
  // It has closures, and no worst week beside them.
  expect(after.worst_weeks).toEqual([]);
});
