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

/** The numbers of a column; other values are left out of a chart. */
export function numbers(table: Table, column: string): (number | null)[] {
  const index = table.columns.indexOf(column);
  return table.rows.map((row) => {
    const text = row[index];
    return text === undefined || text === '' || Number.isNaN(Number(text)) ? null : Number(text);
  });
}

/** The texts of a column; empty without the column. */
export function texts(table: Table, column: string): string[] {
  const index = table.columns.indexOf(column);
  return index < 0 ? [] : table.rows.map((row) => row[index] ?? '');
}
