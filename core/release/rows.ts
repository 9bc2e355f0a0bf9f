/**
 * Rows of the tables of a release from values of the store, and back; forecasts and vintages too. Pure.
 * `core/store/served-records.ts` has the rows that the API serves.
 */

import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { anchoredMsBefore, firstBerthAt, type PortCall, type Stay } from '../calls/port-call.ts';
import type { Alert, DayFigures, RecentFigures } from '../metrics/figures.ts';
import { type ForecastDay, type ForecastMetric, HORIZON_DAYS, type Skill } from '../metrics/forecast.ts';
import type { ClosureOutcome, RaisedAlert } from '../metrics/raised-alerts.ts';
import { VESSEL_CLASSES } from '../reference/figure-names.ts';
import { groupBy, round, WAIT_HOURS_DECIMALS } from '../reference/statistics.ts';
import { addDays, type Day, formatInstant, HOUR_MS } from '../reference/time.ts';
import { ALERTS, RAISED } from '../store/alerts.ts';
import { type ServedFigures, TREND, WAITS, type WaitDayPart } from '../store/day-series.ts';
import type { ForecastReason, StoredForecast, StoredRows } from '../store/forecasts.ts';
import type { ImportIndex } from '../store/imports.ts';
import { PORTS, type PortRow, packRecent } from '../store/ports.ts';
import { ReleaseFailure } from '../store/release-place.ts';
import type { Known, KnownValue, KnownValues, LoadedValues } from '../store/series.ts';
import { portFigures, waitRecord } from '../store/served-records.ts';
import type { RowSchema } from '../store/table.ts';
import { ALERTS_RAISED, DAYS, RELEASE_TABLES, type ReleaseRow, type RowOf } from './columns.ts';

/** Columns with the attribute of the store that each is. */
type Names = readonly (readonly [column: string, attribute: string])[];

const camelCase = (column: string): string =>
  column.replace(/_(\w)/g, (_, first: string) => first.toUpperCase());

/** `renamed`: the attributes that are not their column in camel case. */
const attributeNames = (columns: object, renamed: Readonly<Record<string, string>> = {}): Names =>
  Object.keys(columns).map((column) => [column, renamed[column] ?? camelCase(column)]);

function columnsOf(names: Names, value: ReleaseRow): ReleaseRow {
  const row: Record<string, unknown> = {};
  for (const [column, attribute] of names) row[column] = value[attribute] ?? null;
  return row;
}

/** The inverse: of a column that is NULL or false the store has no attribute. */
function attributesOf(names: Names, row: ReleaseRow): Record<string, unknown> {
  const attributes: Record<string, unknown> = {};
  for (const [column, attribute] of names)
    if (row[column] != null && row[column] !== false) attributes[attribute] = row[column];
  return attributes;
}

/** Throws ReleaseFailure where the attributes are not those of the table of the store that has them. */
function stored<T>(name: string, schema: RowSchema<T>, attributes: Record<string, unknown>): T {
  const { success, data, error } = schema.safeParse(attributes);
  if (success) return data;
  const damaged = error.issues.map(({ path }) => path.join('.')).join(', ');
  throw new ReleaseFailure(`the release has a row for ${name} that cannot be read: ${damaged}`, {
    cause: error,
  });
}

// Days: what the trend serves, and all that is stored.

const DAY_NAMES = attributeNames(DAYS, {
  date: 'day',
  at_anchor: 'dayAtAnchor',
  berthings: 'dayBerthings',
  berthings_with_wait: 'dayWaits',
  known_from: 'knownOn',
});

export const dayRow = (day: Known<DayFigures>): ReleaseRow => ({
  ...columnsOf(DAY_NAMES, { ...day }),
  partial: day.partial === true,
  backfilled: day.backfilled === true,
});

export const metricsOf = (row: ReleaseRow): DayFigures =>
  stored('dailyMetrics', TREND.stored, attributesOf(DAY_NAMES, row));

/** The trend row that was served for a day. */
export const servedDayOf = ([row = {}]: readonly ReleaseRow[]): ServedFigures =>
  stored('dailyMetrics', TREND.served, attributesOf(DAY_NAMES, row));

// Waits.

const WAIT_NAMES = attributeNames(RELEASE_TABLES.waits);

/** The rows of a day, one for each group of calls that is known. */
export const waitRows = ({ day, coverage, ...groups }: WaitDayPart): (ReleaseRow & { class: string })[] =>
  (['all', ...VESSEL_CLASSES] as const).flatMap((group) => {
    const figures = groups[group];
    return figures === undefined ? [] : [{ class: group, ...waitRecord({ day, coverage, ...figures }) }];
  });

export const waitDayOf = (rows: readonly ReleaseRow[]): WaitDayPart =>
  stored('waitDays', WAITS.stored, {
    day: rows[0]?.date,
    coverage: rows[0]?.coverage,
    ...Object.fromEntries(
      rows.map(({ class: group, excluded, unknown_type, ...row }) => [
        group,
        attributesOf(WAIT_NAMES, {
          ...row,
          excluded: excluded || null,
          unknown_type: unknown_type || null,
        }),
      ]),
    ),
  });

// Calls.

/** Hours at anchor before the first berth; null except for cargo calls with a known wait that is over, as in the wait figures. */
function waitHours(call: PortCall): number | null {
  const berthedAt = firstBerthAt(call);
  if (call.traffic !== 'cargo' || !call.waitKnown || berthedAt === undefined) return null;
  return round(anchoredMsBefore(call, berthedAt) / HOUR_MS, WAIT_HOURS_DECIMALS);
}

export const callRow = (call: PortCall): RowOf<'calls'> => ({
  ata: call.ataAt,
  ata_inferred: call.ataInferred === true,
  atb: firstBerthAt(call) ?? null,
  atd: call.atdAt ?? null,
  atd_inferred: call.atdInferred === true,
  traffic: call.traffic,
  vessel_class: call.vesselClass ?? null,
  wait_hours: waitHours(call),
});

// Stays.

export const stayRow = ({ startAt, endAt, kind }: Stay): RowOf<'stays'> => ({
  start: startAt,
  end: endAt,
  kind,
});

const STAY = z.object({ startAt: z.number(), endAt: z.number(), kind: z.enum(['wait', 'berth']) });

/** A release has no id of a call. */
export const stayOf = ({ start, end, kind }: ReleaseRow): Stay => ({
  callId: '',
  ...stored('stayDays', STAY, { startAt: start, endAt: end, kind }),
});

// Alerts: as they are served, and as they were raised.

const ALERT_NAMES = attributeNames(RELEASE_TABLES.alerts, {
  change_pct: 'changeFraction',
  as_of: 'asOfAt',
  began: 'beganAt',
});

export const alertOf = (row: ReleaseRow): Alert =>
  stored('alerts', ALERTS.stored, attributesOf(ALERT_NAMES, row));

const RAISED_NAMES = attributeNames(ALERTS_RAISED, {
  change_pct: 'changeFraction',
  since: 'sinceAt',
  began: 'beganAt',
  ended: 'overAt',
  ended_known: 'overKnownAt',
  withdrawn: 'withdrawnAt',
});

export function raisedAlertRow(alert: RaisedAlert, outcome: ClosureOutcome | null): ReleaseRow {
  const { steps, replayed } = alert;
  return {
    ...columnsOf(RAISED_NAMES, { ...alert }),
    raised: steps[0].knownAt,
    as_of: steps[0].asOfAt,
    severity: steps[0].severity,
    steps_known: steps.map(({ knownAt }) => formatInstant(knownAt)),
    steps_as_of: steps.map(({ asOfAt }) => formatInstant(asOfAt)),
    steps_severity: steps.map(({ severity }) => severity),
    outcome,
    replayed: replayed === true,
  };
}

export function raisedAlertOf(row: ReleaseRow): RaisedAlert {
  const [knownTimes, asOfTimes, severities] = [
    row.steps_known,
    row.steps_as_of,
    row.steps_severity,
  ] as string[][];
  const steps = severities?.map((severity, at) => ({
    knownAt: Date.parse(knownTimes?.[at] ?? ''),
    asOfAt: Date.parse(asOfTimes?.[at] ?? ''),
    severity,
  }));
  return stored('raisedAlerts', RAISED, { ...attributesOf(RAISED_NAMES, row), steps });
}

// Ports.

/** A port as the list has it, and as its snapshot has its flows. */
export const portRow = (row: PortRow) => ({
  ...portFigures(row),
  arrivals_24h: row.snapshot?.arrivals24h ?? null,
  departures_24h: row.snapshot?.departures24h ?? null,
});

const PORT_NAMES = attributeNames(RELEASE_TABLES.ports, {
  country: 'countryCode',
  as_of: 'asOfAt',
  stopped_since: 'stoppedSinceAt',
});

function portAttributes(row: ReleaseRow): Record<string, unknown> {
  const attributes = attributesOf(PORT_NAMES, row);
  return row.as_of == null ? attributes : { ...attributes, snapshot: attributes };
}

/** The figures of a port as its vintages have them. */
export const portFiguresOf = ([row = {}]: readonly ReleaseRow[]) =>
  stored('ports', PORTS.served, portAttributes(row));

/** @param recent days of scores before its snapshot */
export const portRowOf = (row: ReleaseRow, recent: RecentFigures): PortRow =>
  stored('ports', PORTS.stored, {
    ...portAttributes(row),
    ...(row.as_of != null && { recent: packRecent(recent) }),
  });

// Imports.

/** The rows of one code, a month each. */
export function importIndexOf(
  rows: readonly ReleaseRow[],
  measures: Readonly<Record<string, string>>,
): ImportIndex {
  const months = rows.map((row) => [String(row.month).slice(0, 7), Number(row.index)] as const);
  const settledMonth =
    months
      .map(([month]) => month)
      .sort()
      .at(-1) ?? '';
  const code = String(rows[0]?.code);
  return { code, measure: measures[code] ?? '', index: Object.fromEntries(months), settledMonth };
}

// Rows of forecasts as issued, and back: a row for what was issued, and one for each day that it looks ahead. Pure.

export const forecastRows = (
  metric: ForecastMetric,
  { originDay, replayed, days = [] }: StoredRows,
): RowOf<'forecasts'>[] => {
  const issued = addDays(originDay, 1);
  // Written out, because a release has millions of them.
  return days.map(({ day, p10, p50, p90, method }) => ({
    metric,
    issued,
    day,
    p10,
    p50,
    p90,
    method,
    replayed: replayed === true,
  }));
};

/** What was issued with the rows of the days, or the reason why there are none. */
export function issuedForecastRow(
  metric: ForecastMetric,
  forecast: StoredForecast,
): RowOf<'forecasts_issued'> {
  const { originDay, asOfAt, historyDays, replayed, days = [], skill, reason = null } = forecast;
  const { basis = null, origins = null, fromDay = null, toDay = null, horizons } = skill ?? {};
  return {
    metric,
    issued: addDays(originDay, 1),
    as_of: asOfAt,
    history_days: historyDays,
    replayed: replayed === true,
    reason,
    persistence: days[0]?.candidates.persistence ?? null,
    median: days[0]?.candidates.median ?? null,
    regression: days.some(({ method }) => method !== 'regression')
      ? days.map(({ candidates }) => candidates.regression)
      : null,
    skill_basis: basis,
    skill_origins: origins,
    skill_from: fromDay,
    skill_to: toDay,
    error: horizons?.map(({ error }) => error) ?? null,
    ratio_to_persistence: horizons?.map(({ ratioToPersistence = Number.NaN }) => ratioToPersistence) ?? null,
    ratio_to_median: horizons?.map(({ ratioToMedian = Number.NaN }) => ratioToMedian) ?? null,
    band_coverage: horizons?.map(({ coverage }) => coverage) ?? null,
  };
}

/** A forecast from what was issued and the rows of its days, in their order. Throws ReleaseFailure where days are missing. */
export function forecastOf(
  issued: ReleaseRow,
  rows: readonly ReleaseRow[],
): readonly [ForecastMetric, StoredForecast] {
  const head = {
    originDay: addDays(String(issued.issued), -1),
    asOfAt: Number(issued.as_of),
    historyDays: Number(issued.history_days),
    ...(issued.replayed === true && { replayed: true as const }),
  };
  const metric = issued.metric as ForecastMetric;
  if (issued.reason != null) return [metric, { ...head, reason: issued.reason as ForecastReason }];
  if (rows.length !== HORIZON_DAYS)
    throw new ReleaseFailure(
      `the forecast of ${issued.port}, ${metric}, issued on ${issued.issued} has ${rows.length} of ${HORIZON_DAYS} days`,
    );
  const [persistence, median] = [Number(issued.persistence), Number(issued.median)];
  const regression = issued.regression as readonly number[] | null;
  const days = rows.map((row, at): ForecastDay => {
    const p50 = Number(row.p50);
    return {
      day: String(row.day),
      p10: Number(row.p10),
      p50,
      p90: Number(row.p90),
      method: row.method as ForecastDay['method'],
      candidates: { regression: regression?.[at] ?? p50, median, persistence },
    };
  });
  const [errors, toPersistence, toMedian, coverages] = [
    issued.error,
    issued.ratio_to_persistence,
    issued.ratio_to_median,
    issued.band_coverage,
  ] as (readonly number[])[];
  const ratio = (value = Number.NaN): number | undefined => (Number.isNaN(value) ? undefined : value);
  const skill = {
    basis: issued.skill_basis,
    origins: Number(issued.skill_origins),
    fromDay: String(issued.skill_from),
    toDay: String(issued.skill_to),
    horizons: errors?.map((error, at) => ({
      horizon: at + 1,
      error,
      ratioToPersistence: ratio(toPersistence?.[at]),
      ratioToMedian: ratio(toMedian?.[at]),
      coverage: coverages?.[at],
    })),
  } as Skill;
  return [metric, { ...head, days, skill }];
}

// Runs of UTC days at whose ends the same row was served, which are the rows of the tables of vintages; and the
// values of a series again. Pure.

/** A row as it was served, and how it came about. */
interface KnownRow {
  readonly row: ReleaseRow;
  readonly made: Pick<KnownValue<unknown>, 'backfilled' | 'methodology'>;
}

interface Run extends KnownRow {
  readonly from: Day;
}

const isSame = (run: Run, { row, made }: KnownRow): boolean =>
  run.made.backfilled === made.backfilled && isDeepStrictEqual(run.row, row);

const vintageRow = ({ row, from, made }: Run, known_to: Day | null): ReleaseRow => ({
  ...row,
  known_from: from,
  known_to,
  backfilled: made.backfilled,
  methodology: made.methodology ?? null,
});

/** Takes the served rows day by day, oldest first, and gives a row for each run: `known_to` is the first day without it. */
export class KnownRuns {
  #runs: ReadonlyMap<unknown, Run> = new Map();

  /** `id`: the column that stays the same while the figures of a row change. */
  constructor(private readonly id: string) {}

  /** Replaces all served rows from a day on. Returns the runs that end. */
  change(since: Day, rows: readonly KnownRow[]): ReleaseRow[] {
    const runs = new Map<unknown, Run>();
    for (const known of rows) {
      const id = known.row[this.id];
      const was = this.#runs.get(id);
      runs.set(id, was !== undefined && isSame(was, known) ? was : { ...known, from: since });
    }
    const ended: ReleaseRow[] = [];
    for (const [id, run] of this.#runs)
      if (runs.get(id) !== run && run.from < since) ended.push(vintageRow(run, since));
    this.#runs = runs;
    return ended;
  }

  /** The runs that have not ended. */
  current(): ReleaseRow[] {
    return [...this.#runs.values()].map((run) => vintageRow(run, null));
  }
}

/**
 * The runs of every key.
 * @param rowsOf has the rows as which a value is served
 * @param ownDay no response contains a later day than its own, although a reply from an upstream with another clock may
 */
export const findRuns = <T>(
  values: KnownValues<T>,
  id: string,
  rowsOf: (value: T, since: Day) => readonly ReleaseRow[],
  ownDay: (key: string) => Day = () => '',
): ReleaseRow[] =>
  [...values].flatMap(([key, history]) => {
    const runs = new KnownRuns(id);
    const day = ownDay(key);
    const ended = history.flatMap((made) => {
      const since = made.since > day ? made.since : day;
      const rows = made.value === undefined ? [] : rowsOf(made.value, since);
      return runs.change(
        since,
        rows.map((row) => ({ row, made })),
      );
    });
    return [...ended, ...runs.current()];
  });

/**
 * The values by key, oldest first: a change wherever a run of the key begins or ends.
 * @param rows of tables of vintages
 * @param toValue makes a value of the rows that were served together
 */
export function knownValues<T>(
  rows: Iterable<ReleaseRow>,
  keyOf: (row: ReleaseRow) => string,
  toValue: (rows: readonly ReleaseRow[]) => T,
): LoadedValues<T> {
  const byKey = groupBy(rows, keyOf);
  return new Map(
    [...byKey].map(([key, keyRows]) => {
      const runs = keyRows.map((row) => ({
        row,
        from: String(row.known_from),
        to: row.known_to == null ? undefined : String(row.known_to),
      }));
      const days = new Set(runs.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to])));
      const values = [...days].sort().map((since) => {
        const then = runs.filter(({ from, to }) => from <= since && (to === undefined || to > since));
        return {
          since,
          value: then.length === 0 ? undefined : toValue(then.map(({ row }) => row)),
          backfilled: (then.length === 0 ? runs : then).some(({ row }) => row.backfilled === true),
        };
      });
      return [key, values];
    }),
  );
}
