/** The table in a response: the page lists and draws the values exactly as returned. */

export interface Table {
  readonly columns: readonly string[];
  /** Texts exactly as in the response. */
  readonly rows: readonly (readonly string[])[];
}

const cell = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.join(' ');
  return String(value);
};

/** Fields of objects inside an object get a name with a dot, as in `vessels.in_port`. */
function flat(record: object, prefix = ''): [string, unknown][] {
  return Object.entries(record).flatMap(([name, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flat(value, `${prefix}${name}.`)
      : [[prefix + name, value]],
  );
}

/** One row for each record; a single object is one row. */
export function toTable(body: unknown): Table {
  const records = (Array.isArray(body) ? body : [body]).map((record: object) => new Map(flat(record)));
  const columns = [...new Set(records.flatMap((record) => [...record.keys()]))];
  return { columns, rows: records.map((record) => columns.map((name) => cell(record.get(name)))) };
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
