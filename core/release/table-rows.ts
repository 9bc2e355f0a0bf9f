/**
 * Rows of the tables of a release from values of the store, and back; forecasts are in `forecast-rows.ts`. Pure.
 * `core/store/served-records.ts` has the rows that the API serves.
 */
import * as z from 'zod/mini';
import { anchoredMsBefore, firstBerthAt } from '../calls/berth-wait.ts';
import type { PortCall, Stay } from '../calls/port-call.ts';
import type { Alert, DailyMetrics, RecentFigures } from '../metrics/figures.ts';
import type { ClosureOutcome, RaisedAlert } from '../metrics/raised-alerts.ts';
import { VESSEL_CLASSES } from '../reference/figure-names.ts';
import { round, WAIT_HOURS_DECIMALS } from '../reference/rounding.ts';
import { formatInstant, HOUR_MS } from '../reference/time.ts';
import { ALERTS } from '../store/alerts.ts';
import { type ServedDay, TREND } from '../store/daily-metrics.ts';
import type { ImportIndex } from '../store/import-index.ts';
import { PORTS, type PortRow, packRecent } from '../store/ports.ts';
import { RAISED } from '../store/raised-alerts.ts';
import { ReleaseFailure } from '../store/release-place.ts';
import type { Known } from '../store/series.ts';
import { portFigures, waitRecord } from '../store/served-records.ts';
import type { RowSchema } from '../store/table.ts';
import { WAITS, type WaitDayPart } from '../store/wait-days.ts';
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

export const dayRow = (day: Known<DailyMetrics>): ReleaseRow => ({
  ...columnsOf(DAY_NAMES, { ...day }),
  partial: day.partial === true,
  backfilled: day.backfilled === true,
});

export const metricsOf = (row: ReleaseRow): DailyMetrics =>
  stored('dailyMetrics', TREND.stored, attributesOf(DAY_NAMES, row));

/** The trend row that was served for a day. */
export const servedDayOf = ([row = {}]: readonly ReleaseRow[]): ServedDay =>
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
