/** The tables of a release and their columns. A field that the contract gains is a type error here until it has a column. */
import type { Alert } from '../contracts/alerts.ts';
import type { HsImportPoint } from '../contracts/hs-imports.ts';
import type { PortRecord } from '../contracts/ports.ts';
import type { TrendPoint } from '../contracts/trend.ts';
import type { WaitDay } from '../contracts/waits.ts';

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

type ColumnsOf<T> = { readonly [K in keyof T]-?: Column };

const TREND: ColumnsOf<TrendPoint> = {
  date: known('DATE'),
  congestion_score: known('DOUBLE'),
  avg_wait_hours: known('DOUBLE'),
  vessels: known('INTEGER'),
};

const WAITS: ColumnsOf<WaitDay> = {
  date: known('DATE'),
  berthed: known('INTEGER'),
  waited: known('INTEGER'),
  delayed_share: orNull('DOUBLE'),
  mean_hours: orNull('DOUBLE'),
  median_hours: orNull('DOUBLE'),
  p90_hours: orNull('DOUBLE'),
  max_hours: orNull('DOUBLE'),
  waiting: orNull('INTEGER'),
  coverage: known('DOUBLE'),
  waiting_hours: orNull('DOUBLE'),
  waits: known('LIST<DOUBLE>'),
  excluded: known('INTEGER'),
  unknown_type: known('INTEGER'),
  recent_arrivals: orNull('INTEGER'),
  recent_wait_hours: orNull('DOUBLE'),
};

const ALERTS: ColumnsOf<Alert> = {
  type: known('STRING'),
  metric: known('STRING'),
  severity: known('STRING'),
  change_pct: known('DOUBLE'),
  as_of: known('TIMESTAMP'),
  explain: known('STRING'),
};

const IMPORTS: ColumnsOf<HsImportPoint> = { month: known('DATE'), index: known('DOUBLE') };

/** Without `evidence`, which a response computes for its own time. */
const PORTS: ColumnsOf<Omit<PortRecord, 'evidence' | 'port'>> = {
  name: known('STRING'),
  country: known('STRING'),
  latitude: known('DOUBLE'),
  longitude: known('DOUBLE'),
  sources: known('LIST<STRING>'),
  last_observed: orNull('TIMESTAMP'),
  as_of: orNull('TIMESTAMP'),
  congestion_score: orNull('DOUBLE'),
  avg_wait_hours: orNull('DOUBLE'),
  at_anchor: orNull('INTEGER'),
  in_port: orNull('INTEGER'),
  first_day: orNull('DATE'),
  last_day: orNull('DATE'),
  method: orNull('STRING'),
  wait_basis: orNull('STRING'),
  stopped_since: orNull('TIMESTAMP'),
};

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

/**
 * UTC days at whose ends the row was served: from `known_from` on and before `known_to`, which is NULL for the figures of the
 * release. `backfilled` rows were computed later. `methodology` is the version that made the row, NULL where it was not recorded.
 */
const KNOWN = {
  known_from: known('DATE'),
  known_to: orNull('DATE'),
  backfilled: known('BOOLEAN'),
  methodology: orNull('STRING'),
} as const;

/** Every table by name, with its columns in their order. */
export const RELEASE_TABLES = {
  trend: { ...PORT, ...TREND, ...ORIGIN },
  waits: { ...PORT, class: known('STRING'), ...WAITS, ...ORIGIN },
  calls: { ...PORT, ...CALLS, ...ORIGIN },
  alerts: { ...PORT, ...ALERTS, ...ORIGIN },
  imports: { code: known('STRING'), ...IMPORTS, ...ORIGIN },
  ports: { ...PORT, ...PORTS, ...ORIGIN },
  vintages_trend: { ...PORT, ...TREND, ...KNOWN, ...ORIGIN },
  vintages_waits: { ...PORT, class: known('STRING'), ...WAITS, ...KNOWN, ...ORIGIN },
  vintages_alerts: { ...PORT, ...ALERTS, ...KNOWN, ...ORIGIN },
  vintages_imports: { code: known('STRING'), ...IMPORTS, ...KNOWN, ...ORIGIN },
  vintages_ports: { ...PORT, ...PORTS, ...KNOWN, ...ORIGIN },
} as const satisfies Record<string, Columns>;

export type ReleaseTable = keyof typeof RELEASE_TABLES;
/** The row of a call, checked against its columns. */
export type CallRow = Readonly<Record<keyof typeof CALLS, unknown>>;

/** Tables without a folder for each year: short, or read as a whole. */
const WITHOUT_YEARS: readonly ReleaseTable[] = ['ports', 'vintages_imports', 'vintages_ports'];
export const hasYears = (table: ReleaseTable): boolean => !WITHOUT_YEARS.includes(table);
