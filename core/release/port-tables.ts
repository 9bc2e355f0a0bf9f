/** The tables of a release with rows by port and day: reads one port and one span of days, as served and as known. */
import { FORECAST_METRICS, HORIZON_DAYS } from '../metrics/forecast.ts';
import {
  type ClosureOutcome,
  closureOutcome,
  outcomeDays,
  type RaisedAlert,
} from '../metrics/raised-alerts.ts';
import type { Locode } from '../reference/codes.ts';
import { groupBy } from '../reference/statistics.ts';
import { addDays, type Day, endOfDay, SECOND_MS, startOfDay } from '../reference/time.ts';
import { inTurns } from '../reference/turns.ts';
import { alertRange } from '../store/alerts.ts';
import type { ServedFigures } from '../store/day-series.ts';
import type { KnownValues } from '../store/series.ts';
import { alertRecord, trendPoints } from '../store/served-records.ts';
import type { ReleaseRow, ReleaseTable } from './columns.ts';
import type { ManifestFile, ReleasedPort } from './manifest.ts';
import {
  commonSpans,
  makeSpans,
  openReleaseFile,
  type PlacedRow,
  type ReleaseFile,
  type ReleaseSite,
  type Span,
} from './release-file.ts';
import type { ReleaseStores } from './release-stores.ts';
import {
  callRow,
  dayRow,
  findRuns,
  forecastRows,
  issuedForecastRow,
  raisedAlertRow,
  stayRow,
  waitRows,
} from './rows.ts';

/** Whether a closure came true; null for another alert, and as long as that cannot be said. */
export async function readOutcome(
  { trend }: ReleaseStores,
  port: Locode,
  alert: RaisedAlert,
): Promise<ClosureOutcome | null> {
  if (alert.metric !== 'berthings') return null;
  const { first, last } = outcomeDays(alert);
  return closureOutcome(alert, await trend.between(port, { from: first, to: last })) ?? null;
}

/** The day that a value is about, which its key begins with. */
const ownDay = (key: string): Day => key.slice(0, 10);

/** A day whose observations broke off is served until it ends, so that its value is looked at again on the day after. */
const withDayAfter = (values: KnownValues<ServedFigures>): KnownValues<ServedFigures> =>
  new Map(
    [...values].map(([day, history]) => {
      if (!history.some(({ value }) => value?.partial === true)) return [day, history];
      const dayAfter = addDays(day, 1);
      const then = history.findLast(({ since }) => since <= dayAfter);
      const again = then === undefined ? [] : [{ ...then, since: dayAfter }];
      return [day, [...history, ...again].sort((a, b) => (a.since < b.since ? -1 : 1))];
    }),
  );

/** A table with the approximate rows of a busy port on one day. */
interface PortTable {
  readonly name: ReleaseTable;
  readonly dailyRows: number;
  /** A service needs its running day when it begins with the release; the other tables follow from these. */
  readonly running?: true;
}

/** Tables whose rows come from one read of a port: its figures, and when each of them was known. */
export interface PortTables {
  readonly tables: readonly PortTable[];
  /** The column that orders the rows. */
  readonly orderedBy: string;
  /** Whether the tables have rows of the port; of every port where it is absent. */
  has?(port: ReleasedPort): boolean;
  /** Rows of one port by table, in the order of `tables`, without port and origin. */
  read(port: ReleasedPort, span: Span): Promise<readonly (readonly ReleaseRow[])[]>;
}

/** `today`: day of the release, whose figures end with the day before. */
export function portTables(stores: ReleaseStores, today: Day): PortTables[] {
  const { alerts, calls, forecasts, raised, stays, trend, waits } = stores;
  return [
    {
      tables: [
        { name: 'trend', dailyRows: 1 },
        { name: 'vintages_trend', dailyRows: 2 },
        { name: 'days', dailyRows: 1, running: true },
      ],
      orderedBy: 'date',
      async read({ row: { port }, begin }, { firstDay: from, lastDay: to }) {
        const stored = await trend.between(port, { from, to });
        const { values } = await trend.history(port, { from, to }, begin, stored);
        const vintages = findRuns(
          withDayAfter(values),
          'date',
          (day, since) => trendPoints([day], since),
          ownDay,
        );
        return [trendPoints(stored, today), vintages, stored.map(dayRow)];
      },
    },
    {
      tables: [
        { name: 'forecasts', dailyRows: FORECAST_METRICS.length * HORIZON_DAYS, running: true },
        { name: 'forecasts_issued', dailyRows: FORECAST_METRICS.length, running: true },
      ],
      orderedBy: 'issued',
      async read({ row: { port } }, { firstDay, lastDay }) {
        const origins = [addDays(firstDay, -1), addDays(lastDay, -1)] as const;
        const found = await Promise.all(
          FORECAST_METRICS.map(
            async (metric) => [metric, await forecasts.between(port, metric, ...origins)] as const,
          ),
        );
        return [
          found.flatMap(([metric, of]) => of.flatMap((forecast) => forecastRows(metric, forecast))),
          found.flatMap(([metric, of]) => of.map((forecast) => issuedForecastRow(metric, forecast))),
        ];
      },
    },
    {
      tables: [{ name: 'alerts_raised', dailyRows: 1, running: true }],
      orderedBy: 'as_of',
      async read({ row: { port } }, { firstDay, lastDay }) {
        const rows = (await raised.between(port, firstDay, lastDay)).map(async (row) =>
          raisedAlertRow(row, await readOutcome(stores, port, row)),
        );
        return [await Promise.all(rows)];
      },
    },
    {
      tables: [
        { name: 'waits', dailyRows: 2, running: true },
        { name: 'vintages_waits', dailyRows: 4 },
      ],
      orderedBy: 'date',
      async read({ row: { port }, begin }, { firstDay: from, lastDay: to }) {
        const { current, values } = await waits.history(port, { from, to }, begin);
        const made = new Map(current.map((day) => [day, waitRows(day)]));
        const vintages = findRuns(values, 'class', (day) => made.get(day) ?? waitRows(day), ownDay);
        return [[...made.values()].flat(), vintages];
      },
    },
    {
      tables: [{ name: 'calls', dailyRows: 10 }],
      orderedBy: 'ata',
      has: ({ passesOnCalls }) => passesOnCalls,
      async read({ row: { port } }, { firstDay, lastDay }) {
        const found = await calls.between(port, startOfDay(firstDay), endOfDay(lastDay));
        return [found.map(callRow)];
      },
    },
    {
      tables: [{ name: 'stays', dailyRows: 20, running: true }],
      orderedBy: 'end',
      has: ({ passesOnCalls }) => passesOnCalls,
      async read({ row: { port } }, { firstDay, lastDay }) {
        return [(await stays.between(port, firstDay, lastDay)).map(stayRow)];
      },
    },
    {
      tables: [
        { name: 'alerts', dailyRows: 1, running: true },
        { name: 'vintages_alerts', dailyRows: 1 },
      ],
      orderedBy: 'as_of',
      async read({ row: { port }, begin }, { firstDay, lastDay }) {
        // The store excludes the first of the two seconds: a year here begins with its first midnight and ends before the next.
        const [afterAt, toAt] = [startOfDay(firstDay) - SECOND_MS, endOfDay(lastDay) - SECOND_MS];
        const { current, values } = await alerts.history(port, alertRange(afterAt, toAt), begin);
        const vintages = findRuns(values, 'as_of', (alert) => [alertRecord(alert)], ownDay);
        return [current.map(alertRecord), vintages];
      },
    },
  ];
}

// Writes the tables of ports: one span of days at a time, read from all ports, in the order of the table.

/** Queries in flight at a time. */
const READERS = 16;

/** What `read` has of each port in a span of days, with the columns that all rows of the port share. */
async function readPorts({ read }: PortTables, span: Span, ports: readonly ReleasedPort[]) {
  const found: { place: ReleaseRow; tables: Awaited<ReturnType<PortTables['read']>> }[] = [];
  await inTurns([...ports.entries()], READERS, async ([at, port]) => {
    const place = { port: port.row.port, ...port.origin };
    found[at] = { place, tables: await read(port, span) };
  });
  return (at: number): PlacedRow[] =>
    found.flatMap(({ place, tables }) => (tables[at] ?? []).map((row) => ({ row, place })));
}

/** Writes the incomplete day of the release to files of its own, because the tables contain ended days only. */
export async function writeRunning(
  site: ReleaseSite,
  together: readonly PortTables[],
  ports: readonly ReleasedPort[],
): Promise<ManifestFile[]> {
  const running: ReleaseSite = { ...site, inside: 'running/', files: [] };
  for (const group of together) {
    if (!group.tables.some((table) => table.running)) continue;
    const { has = () => true } = group;
    const rowsAt = await readPorts(group, { firstDay: site.day, lastDay: site.day }, ports.filter(has));
    for (const [at, table] of group.tables.entries()) {
      if (!table.running) continue;
      const file = await openReleaseFile(running, table.name, undefined);
      file.append(rowsAt(at));
      await file.close();
    }
  }
  return running.files;
}

/** Writes the files of one year up to `lastDay`: one span of days at a time, which is read once for all tables. */
export async function writePortTables(
  site: ReleaseSite,
  group: PortTables,
  year: string,
  lastDay: Day,
  ports: readonly ReleasedPort[],
): Promise<void> {
  const { tables, orderedBy, has = () => true } = group;
  const wanted = ports.filter(has);
  const spans = tables.map(({ dailyRows }) => makeSpans(year, lastDay, dailyRows * wanted.length));
  const files: ReleaseFile[] = [];
  for (const { name } of tables) files.push(await openReleaseFile(site, name, year));
  for (const span of commonSpans(spans)) {
    const rowsAt = await readPorts(group, span, wanted);
    for (const [at, file] of files.entries()) {
      // A column has few values, so this is faster than a sort. Rows with an equal one keep their order.
      const byText = groupBy(rowsAt(at), ({ row }) => String(row[orderedBy]));
      for (const text of [...byText.keys()].sort()) file.append(byText.get(text) ?? []);
      if (spans[at]?.some(({ lastDay: end }) => end === span.lastDay)) file.endGroup();
    }
  }
  for (const file of files) await file.close();
}
