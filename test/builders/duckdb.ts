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
