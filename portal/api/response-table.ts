/** The table in a response: the page lists and draws the values exactly as returned. */

export interface Table {
  readonly columns: readonly string[];
  /** Texts exactly as in the response. */
  readonly rows: readonly (readonly string[])[];
}

export function toTable(records: readonly object[]): Table {
  const rows = records.map((record) => new Map<string, unknown>(Object.entries(record)));
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  return { columns, rows: rows.map((row) => columns.map((name) => String(row.get(name) ?? ''))) };
}
