/** DuckDB as the oracle of Parquet files. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

let connection: Promise<DuckDBConnection> | undefined;

async function connect(): Promise<DuckDBConnection> {
  const opened = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  await opened.run("SET TimeZone = 'UTC'");
  return opened;
}

/** The rows of a query as JSON has them: days and instants are text. */
export async function duckdbRows(query: string): Promise<Record<string, unknown>[]> {
  connection ??= connect();
  // DuckDB's own JSON writer: what comes back depends on no conversion of the Node package.
  const reader = await (await connection).runAndReadAll(`SELECT to_json(row)::VARCHAR FROM (${query}) row`);
  return reader.getRows().map(([text]) => JSON.parse(String(text)));
}

const instant = (value: unknown) =>
  value === null ? null : `${String(value).slice(0, 19).replace(' ', 'T')}Z`;

/** Rows with their instants as the API writes them; DuckDB writes `2026-02-01 00:00:00+00`. */
export const withInstants = (rows: readonly Record<string, unknown>[]) =>
  rows.map((row) => ({
    ...row,
    as_of: instant(row.as_of),
    ...('last_observed' in row ? { last_observed: instant(row.last_observed) } : {}),
  }));
