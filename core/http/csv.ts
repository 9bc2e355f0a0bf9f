/** CSV as RFC 4180 has it, with LF line ends and a header row always. */

type Cell = string | number | readonly string[] | undefined;

const quoted = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function cellOf(value: Cell): string {
  if (value === undefined) return '';
  return quoted(Array.isArray(value) ? value.join(' ') : String(value));
}

/** One line a row under a header of the column names; numbers as JSON writes them, a missing value is empty. */
export function csvOf(columns: readonly string[], rows: readonly object[]): string {
  const lines = rows.map((row) =>
    columns.map((column) => cellOf((row as Record<string, Cell>)[column])).join(','),
  );
  return `${[columns.join(','), ...lines].join('\n')}\n`;
}
