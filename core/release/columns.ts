/** The tables of a release and their columns, which are the fields of the contract's records. */
import { alertsRoute } from '../contracts/alerts.ts';
import { hsImportsRoute } from '../contracts/hs-imports.ts';
import { type JsonSchema, toJsonSchema } from '../contracts/openapi/schemas.ts';
import { portsRoute } from '../contracts/ports.ts';
import { trendRoute } from '../contracts/trend.ts';
import { waitsRoute } from '../contracts/waits.ts';
import type { listOf } from '../contracts/wire.ts';

/** `TIMESTAMP` is an instant in UTC, to the millisecond; a `DATE` is a UTC day. */
export type ColumnType =
  | 'BOOLEAN'
  | 'DATE'
  | 'DOUBLE'
  | 'INTEGER'
  | 'STRING'
  | 'TIMESTAMP'
  | 'LIST<DOUBLE>'
  | 'LIST<STRING>';

export interface Column {
  readonly type: ColumnType;
  /** Whether it can be NULL, which means unknown. */
  readonly nullable: boolean;
}

export type Columns = Readonly<Record<string, Column>>;
/** A row by column. Days, months and instants have the form of the API; an instant may be a number, too. */
export type ReleaseRow = Readonly<Record<string, unknown>>;

const known = (type: ColumnType): Column => ({ type, nullable: false });
const orNull = (type: ColumnType): Column => ({ type, nullable: true });

/** Ids and licences of the sources that a row comes from, separated by a space and by a semicolon. */
const ORIGIN = { source: known('STRING'), licence: known('STRING') } as const;
const PORT = { port: known('STRING') } as const;

const SCALARS: Readonly<Record<string, ColumnType>> = {
  boolean: 'BOOLEAN',
  date: 'DATE',
  'date-time': 'TIMESTAMP',
  integer: 'INTEGER',
  number: 'DOUBLE',
  string: 'STRING',
};

/** The column of a field, from its JSON Schema. */
function columnOf({ type, format, items }: JsonSchema): Column {
  const [kind, none] = [type].flat() as string[];
  const nullable = none === 'null';
  if (kind === 'array')
    return { type: `LIST<${columnOf(items as JsonSchema).type}>` as ColumnType, nullable };
  return { type: SCALARS[String(format)] ?? SCALARS[String(kind)] ?? 'STRING', nullable };
}

/** The columns of the records of a list; NULL where a record lacks the field. */
function columnsOf({ element }: ReturnType<typeof listOf>): Columns {
  const { properties, required } = toJsonSchema(element) as {
    properties: Record<string, JsonSchema>;
    required: readonly string[];
  };
  const column = (name: string, schema: JsonSchema): Column => {
    const { type, nullable } = columnOf(schema);
    return { type, nullable: nullable || !required.includes(name) };
  };
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, column(name, schema)]));
}

const TREND = columnsOf(trendRoute.response);
const WAITS = columnsOf(waitsRoute.response);
const ALERTS = columnsOf(alertsRoute.response);
/** A month is stored as its first day. */
const IMPORTS = { ...columnsOf(hsImportsRoute.response), month: known('DATE') };
/** Without `evidence`, which a response computes for its own time. */
const { port: _port, evidence: _evidence, ...PORTS } = columnsOf(portsRoute.response);
/** No name, number or call sign of a vessel, and no id that could be computed back to one. */
const CALLS = {
  ata: known('TIMESTAMP'),
  ata_inferred: known('BOOLEAN'),
  atb: orNull('TIMESTAMP'),
  atd: orNull('TIMESTAMP'),
  atd_inferred: known('BOOLEAN'),
  traffic: known('STRING'),
  vessel_class: orNull('STRING'),
  wait_hours: orNull('DOUBLE'),
} as const;

/** A wait at anchor or a stay at berth that has ended, as `dwell` serves it: without its vessel and its call. */
const STAYS = { start: known('TIMESTAMP'), end: known('TIMESTAMP'), kind: known('STRING') } as const;

/**
 * The row was served at the end of each UTC day from `known_from` until before `known_to`, which is NULL for the figures of the
 * release. `backfilled` rows were computed later. `methodology` is the version that made the row, NULL where it was not recorded.
 */
const KNOWN = {
  known_from: known('DATE'),
  known_to: orNull('DATE'),
  backfilled: known('BOOLEAN'),
  methodology: orNull('STRING'),
} as const;

const COUNT = orNull('INTEGER');
const FIGURE = orNull('DOUBLE');

/**
 * The stored row of a day: what trend serves of it, and what alerts and forecasts read. `known_from` and `backfilled` are those of the
 * figures that trend serves. `hour_berthings` and `hour_arrivals` have a digit of base 36 for each hour, and a point where nothing is known.
 */
export const DAYS = {
  date: known('DATE'),
  coverage: known('DOUBLE'),
  partial: known('BOOLEAN'),
  vessels: known('INTEGER'),
  congestion_score: FIGURE,
  avg_wait_hours: FIGURE,
  at_anchor: FIGURE,
  most_at_anchor: COUNT,
  end_at_anchor: COUNT,
  end_waiting_hours: FIGURE,
  berthings: COUNT,
  berthings_with_wait: COUNT,
  day_wait_hours: FIGURE,
  day_score: FIGURE,
  queue_score: FIGURE,
  delayed_share: FIGURE,
  wait_term: FIGURE,
  queue_term: FIGURE,
  flow_term: FIGURE,
  stopped_share: FIGURE,
  hour_berthings: orNull('STRING'),
  hour_arrivals: orNull('STRING'),
  known_from: known('DATE'),
  backfilled: known('BOOLEAN'),
} as const;

/** Forecasts as issued on the day `issued`, a row for each day that they look ahead. `replayed`: made afterwards, from an archive. */
const FORECASTS = {
  metric: known('STRING'),
  issued: known('DATE'),
  day: known('DATE'),
  p10: known('DOUBLE'),
  p50: known('DOUBLE'),
  p90: known('DOUBLE'),
  method: known('STRING'),
  replayed: known('BOOLEAN'),
} as const;

/**
 * What was issued with them, a row for each, or for the reason why there was none: `p50` of each method, and the skill. Lists have a figure
 * for each horizon; a ratio to no error is NaN. `regression` is NULL where it is p50 of every horizon.
 */
const FORECASTS_ISSUED = {
  metric: known('STRING'),
  issued: known('DATE'),
  as_of: known('TIMESTAMP'),
  history_days: known('INTEGER'),
  replayed: known('BOOLEAN'),
  reason: orNull('STRING'),
  persistence: FIGURE,
  median: FIGURE,
  regression: orNull('LIST<DOUBLE>'),
  skill_basis: orNull('STRING'),
  skill_origins: COUNT,
  skill_from: orNull('DATE'),
  skill_to: orNull('DATE'),
  error: orNull('LIST<DOUBLE>'),
  ratio_to_persistence: orNull('LIST<DOUBLE>'),
  ratio_to_median: orNull('LIST<DOUBLE>'),
  band_coverage: orNull('LIST<DOUBLE>'),
} as const;

/**
 * Alerts as they were raised, a row for each episode: `raised` is when the service first raised it, `as_of` and `severity` are of its first
 * step. Steps are in three lists of equal length. For a closure: `since` as first stated, `began` once twelve hours are over, `outcome` `confirmed` or `false`, by the
 * berthings of its days. `ended_known` without `ended`: an unknown hour hides the end.
 */
export const ALERTS_RAISED = {
  type: known('STRING'),
  metric: known('STRING'),
  raised: known('TIMESTAMP'),
  as_of: known('TIMESTAMP'),
  severity: known('STRING'),
  change_pct: known('DOUBLE'),
  explain: known('STRING'),
  steps_known: known('LIST<STRING>'),
  steps_as_of: known('LIST<STRING>'),
  steps_severity: known('LIST<STRING>'),
  since: orNull('TIMESTAMP'),
  ended: orNull('TIMESTAMP'),
  ended_known: orNull('TIMESTAMP'),
  withdrawn: orNull('TIMESTAMP'),
  withdrawal: orNull('STRING'),
  outcome: orNull('STRING'),
  replayed: known('BOOLEAN'),
  began: orNull('TIMESTAMP'),
} as const;

/** Fields of a snapshot that the list of ports lacks. */
const FLOWS = { arrivals_24h: COUNT, departures_24h: COUNT } as const;

/** Every table by name, with its columns in their order. */
export const RELEASE_TABLES = {
  trend: { ...PORT, ...TREND, ...ORIGIN },
  waits: { ...PORT, class: known('STRING'), ...WAITS, ...ORIGIN },
  days: { ...PORT, ...DAYS, ...ORIGIN },
  calls: { ...PORT, ...CALLS, ...ORIGIN },
  stays: { ...PORT, ...STAYS, ...ORIGIN },
  alerts: { ...PORT, ...ALERTS, ...ORIGIN },
  alerts_raised: { ...PORT, ...ALERTS_RAISED, ...ORIGIN },
  forecasts: { ...PORT, ...FORECASTS, ...ORIGIN },
  forecasts_issued: { ...PORT, ...FORECASTS_ISSUED, ...ORIGIN },
  imports: { code: known('STRING'), ...IMPORTS, ...ORIGIN },
  ports: { ...PORT, ...PORTS, ...FLOWS, ...ORIGIN },
  vintages_trend: { ...PORT, ...TREND, ...KNOWN, ...ORIGIN },
  vintages_waits: { ...PORT, class: known('STRING'), ...WAITS, ...KNOWN, ...ORIGIN },
  vintages_alerts: { ...PORT, ...ALERTS, ...KNOWN, ...ORIGIN },
  vintages_imports: { code: known('STRING'), ...IMPORTS, ...KNOWN, ...ORIGIN },
  vintages_ports: { ...PORT, ...PORTS, ...FLOWS, ...KNOWN, ...ORIGIN },
} as const satisfies Record<string, Columns>;

export type ReleaseTable = keyof typeof RELEASE_TABLES;
/** A row of a table, checked against its columns, without those that all rows of a port share. */
export type RowOf<T extends ReleaseTable> = Readonly<
  Record<Exclude<keyof (typeof RELEASE_TABLES)[T], 'port' | keyof typeof ORIGIN>, unknown>
>;

/** Tables without a folder for each year: short, or read as a whole. */
const WITHOUT_YEARS: readonly ReleaseTable[] = ['ports', 'vintages_imports', 'vintages_ports'];
export const hasYears = (table: ReleaseTable): boolean => !WITHOUT_YEARS.includes(table);
