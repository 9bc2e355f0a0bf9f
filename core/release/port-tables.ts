/** The tables of a release with rows by port and day: reads one port and one span of days, as served and as known. */

import { isDeepStrictEqual } from 'node:util';
import { anchoredMsBefore, firstBerthAt } from '../calls/berth-wait.ts';
import type { PortCall } from '../calls/port-call.ts';
import type { Alert } from '../metrics/figures.ts';
import { FORECAST_METRICS, HORIZON_DAYS } from '../metrics/forecast.ts';
import { outcomeDays } from '../metrics/raised-alerts.ts';
import { VESSEL_CLASSES } from '../reference/figure-names.ts';
import { round } from '../reference/rounding.ts';
import { addDays, type Day, endOfDay, HOUR_MS, SECOND_MS, startOfDay } from '../reference/time.ts';
import { ALERTS, alertRange } from '../store/alerts.ts';
import type { Beginning } from '../store/beginnings.ts';
import { type ServedDay, TREND } from '../store/daily-metrics.ts';
import { createForecastStore } from '../store/forecasts.ts';
import { createPortCallStore } from '../store/port-calls.ts';
import type { PortRow } from '../store/ports.ts';
import { createRaisedAlertStore } from '../store/raised-alerts.ts';
import { createSeriesStore, type KnownValue, type KnownValues } from '../store/series.ts';
import { alertRecord, trendPoints, waitRecord } from '../store/served-records.ts';
import type { Table } from '../store/table.ts';
import { WAITS, type WaitDayPart } from '../store/wait-days.ts';
import type { CallRow, ReleaseRow, ReleaseTable } from './columns.ts';
import type { Origins } from './origins.ts';
import { dayRow, forecastRows, issuedForecastRow, raisedAlertRow } from './record-rows.ts';
import type { Span } from './spans.ts';

// Runs of UTC days at whose ends the same row was served: the rows of the tables of vintages. Pure.

/** How a value came about. */
interface Made {
  /** A back-fill wrote it, so nobody knew it on its day. */
  readonly backfilled: boolean;
  /** The version of the methodology that made it; undefined where none was recorded. */
  readonly methodology: string | undefined;
}

/** A row as it was served. */
interface KnownRow {
  /** What stays the same while its figures change. */
  readonly id: string;
  readonly row: ReleaseRow;
  readonly made: Made;
}

/** The rows that are served from a day on. */
interface Change {
  readonly since: Day;
  readonly rows: readonly KnownRow[];
}

interface Run extends KnownRow {
  readonly from: Day;
}

const isSame = (run: Run, { row, made }: KnownRow): boolean =>
  run.made.backfilled === made.backfilled && isDeepStrictEqual(run.row, row);

const known = ({ row, from, made }: Run, known_to: Day | null): ReleaseRow => ({
  ...row,
  known_from: from,
  known_to,
  backfilled: made.backfilled,
  methodology: made.methodology ?? null,
});

/** Takes the served rows day by day, oldest first, and gives a row for each run: `known_to` is the first day without it. */
export class KnownRuns {
  #runs: ReadonlyMap<string, Run> = new Map();

  /** Replaces all served rows from a day on. Returns the runs that end. */
  change(since: Day, rows: readonly KnownRow[]): ReleaseRow[] {
    const before = this.#runs;
    const runs = rows.map((row): [string, Run] => {
      const was = before.get(row.id);
      return [row.id, was !== undefined && isSame(was, row) ? was : { ...row, from: since }];
    });
    this.#runs = new Map(runs);
    return [...before.values()]
      .filter((run) => this.#runs.get(run.id) !== run && run.from < since)
      .map((run) => known(run, since));
  }

  /** The runs that have not ended. */
  current(): ReleaseRow[] {
    return [...this.#runs.values()].map((run) => known(run, null));
  }
}

/** The runs that changes make, oldest first. */
export function findRuns(changes: readonly Change[]): ReleaseRow[] {
  const runs = new KnownRuns();
  return [...changes.flatMap(({ since, rows }) => runs.change(since, rows)), ...runs.current()];
}

/** The runs of every key. `changesOf` has the changes that a value makes, and knows when the next value comes. */
function runsByKey<T>(
  values: KnownValues<T>,
  changesOf: (value: KnownValue<T>, next: Day | undefined) => readonly Change[],
): ReleaseRow[] {
  return [...values].flatMap(([key, history]) => {
    // No response contains a later day than its own, although a reply from an upstream with another clock may.
    const dayOfKey = key.slice(0, 10);
    const clamped = history.map((value) => (value.since > dayOfKey ? value : { ...value, since: dayOfKey }));
    return findRuns(clamped.flatMap((value, at) => changesOf(value, clamped[at + 1]?.since)));
  });
}

/** One row, or none where the key had none. */
const oneChange = <T>(known: KnownValue<T>, row: ReleaseRow | undefined): Change => ({
  since: known.since,
  rows: row === undefined ? [] : [{ id: '', row, made: known }],
});

/** A day whose observations broke off is served until it ends. */
const trendVintages = (values: KnownValues<ServedDay>): ReleaseRow[] =>
  runsByKey(values, (known, next) => {
    const { since, value } = known;
    if (value === undefined) return [oneChange(known, undefined)];
    const change = oneChange(known, trendPoints([value], since)[0]);
    if (value.partial !== true) return [change];
    const dayAfter = addDays(value.day, 1);
    const isCut = since < dayAfter && (next === undefined || next > dayAfter);
    return isCut ? [change, { since: dayAfter, rows: [] }] : [change];
  });

/** `rowsOf` gives a row for each group of calls. */
const waitVintages = (
  values: KnownValues<WaitDayPart>,
  rowsOf: (day: WaitDayPart) => readonly (ReleaseRow & { readonly class: string })[],
): ReleaseRow[] =>
  runsByKey(values, (known) => {
    const { since, value } = known;
    const rows = value === undefined ? [] : rowsOf(value).map((row) => ({ id: row.class, row, made: known }));
    return [{ since, rows }];
  });

const alertVintages = (values: KnownValues<Alert>): ReleaseRow[] =>
  runsByKey(values, (known) => [oneChange(known, known.value && alertRecord(known.value))]);

interface PortToRead {
  readonly port: string;
  /** Undefined where nothing was known of the port yet. */
  readonly begin: Beginning | undefined;
}

/** Tables whose rows come from one read of a port: its figures, and when each of them was known. */
export interface PortTables {
  /** Each with the approximate rows of a busy port on one day. */
  readonly tables: readonly { readonly name: ReleaseTable; readonly dailyRows: number }[];
  /** The column that orders the rows. */
  readonly orderedBy: string;
  /** Whether the tables have rows of the port. */
  has(port: PortRow): boolean;
  /** Rows of one port by table, in the order of `tables`, without port and origin. */
  read(port: PortToRead, span: Span): Promise<readonly (readonly ReleaseRow[])[]>;
}

/** Four decimals of an hour are exact to the second. */
const WAIT_DECIMALS = 4;

/** Hours at anchor before the first berth; null except for cargo calls with a known wait that is over, as in the wait figures. */
function waitHours(call: PortCall): number | null {
  const berthedAt = firstBerthAt(call);
  if (call.traffic !== 'cargo' || !call.waitKnown || berthedAt === undefined) return null;
  return round(anchoredMsBefore(call, berthedAt) / HOUR_MS, WAIT_DECIMALS);
}

const callRow = (call: PortCall): CallRow => ({
  ata: call.ataAt,
  ata_inferred: call.ataInferred === true,
  atb: firstBerthAt(call) ?? null,
  atd: call.atdAt ?? null,
  atd_inferred: call.atdInferred === true,
  traffic: call.traffic,
  vessel_class: call.vesselClass ?? null,
  wait_hours: waitHours(call),
});

/** The rows of a day, one for each group of calls that is known. */
const waitRows = ({ day, coverage, ...groups }: WaitDayPart) =>
  (['all', ...VESSEL_CLASSES] as const).flatMap((group) => {
    const figures = groups[group];
    return figures === undefined ? [] : [{ class: group, ...waitRecord({ day, coverage, ...figures }) }];
  });

/**
 * @param today day of the release: its figures end with the day before
 */
export function portTables(
  tables: Readonly<
    Record<
      'alerts' | 'dailyMetrics' | 'forecasts' | 'portCalls' | 'raisedAlerts' | 'vintages' | 'waitDays',
      Table
    >
  >,
  origins: Origins,
  today: Day,
): PortTables[] {
  const calls = createPortCallStore(tables.portCalls);
  const trend = createSeriesStore(TREND, tables.dailyMetrics, tables.vintages);
  const waits = createSeriesStore(WAITS, tables.waitDays, tables.vintages);
  const alerts = createSeriesStore(ALERTS, tables.alerts, tables.vintages);
  const forecasts = createForecastStore(tables.forecasts);
  const raised = createRaisedAlertStore(tables.raisedAlerts);
  const always = () => true;
  return [
    {
      tables: [
        { name: 'trend', dailyRows: 1 },
        { name: 'vintages_trend', dailyRows: 2 },
        { name: 'days', dailyRows: 1 },
      ],
      orderedBy: 'date',
      has: always,
      async read({ port, begin }, { firstDay: from, lastDay: to }) {
        const stored = await trend.between(port, { from, to });
        const { values } = await trend.history(port, { from, to }, begin, stored);
        return [trendPoints(stored, today), trendVintages(values), stored.map(dayRow)];
      },
    },
    {
      tables: [
        { name: 'forecasts', dailyRows: FORECAST_METRICS.length * HORIZON_DAYS },
        { name: 'forecasts_issued', dailyRows: FORECAST_METRICS.length },
      ],
      orderedBy: 'issued',
      has: always,
      async read({ port }, { firstDay, lastDay }) {
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
      tables: [{ name: 'alerts_raised', dailyRows: 1 }],
      orderedBy: 'as_of',
      has: always,
      async read({ port }, { firstDay, lastDay }) {
        const rows = (await raised.between(port, firstDay, lastDay)).map(async (row) => {
          const { first, last } = outcomeDays(row);
          const days = row.metric === 'berthings' ? await trend.between(port, { from: first, to: last }) : [];
          return raisedAlertRow(row, days);
        });
        return [await Promise.all(rows)];
      },
    },
    {
      tables: [
        { name: 'waits', dailyRows: 2 },
        { name: 'vintages_waits', dailyRows: 4 },
      ],
      orderedBy: 'date',
      has: always,
      async read({ port, begin }, { firstDay: from, lastDay: to }) {
        const { current, values } = await waits.history(port, { from, to }, begin);
        const made = new Map(current.map((day) => [day, waitRows(day)]));
        return [[...made.values()].flat(), waitVintages(values, (day) => made.get(day) ?? waitRows(day))];
      },
    },
    {
      tables: [{ name: 'calls', dailyRows: 10 }],
      orderedBy: 'ata',
      has: origins.passesOnCalls,
      async read({ port }, { firstDay, lastDay }) {
        const found = await calls.between(port, startOfDay(firstDay), endOfDay(lastDay));
        return [found.map(callRow)];
      },
    },
    {
      tables: [
        { name: 'alerts', dailyRows: 1 },
        { name: 'vintages_alerts', dailyRows: 1 },
      ],
      orderedBy: 'as_of',
      has: always,
      async read({ port, begin }, { firstDay, lastDay }) {
        // The store excludes the first of the two seconds: a year here begins with its first midnight and ends before the next.
        const [afterAt, toAt] = [startOfDay(firstDay) - SECOND_MS, endOfDay(lastDay) - SECOND_MS];
        const { current, values } = await alerts.history(port, alertRange(afterAt, toAt), begin);
        return [current.map(alertRecord), alertVintages(values)];
      },
    },
  ];
}
