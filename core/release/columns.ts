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

/** The columns of the records of a list. */
function columnsOf({ element }: ReturnType<typeof listOf>): Columns {
  const { properties } = toJsonSchema(element) as { properties: Record<string, JsonSchema> };
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, columnOf(schema)]));
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
