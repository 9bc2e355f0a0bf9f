/** A table of a response, with numbers exactly as the API writes them. */
import type { Table } from '../api/response-table.ts';
import { element } from './element.ts';
import { columnName } from './field-name.ts';
import { scrollTable } from './scroll-table.ts';

/** Rows beyond this number are counted, not listed, so that the page stays fast. */
const MAX_ROWS = 500;

const isNumeric = (rows: Table['rows'], column: number): boolean =>
  rows.length > 0 && rows.every((row) => row[column] === '' || !Number.isNaN(Number(row[column])));

function dataTable(table: Table, caption: string): HTMLElement {
  const shown = table.rows.slice(0, MAX_ROWS);
  const numeric = table.columns.map((_, column) => isNumeric(shown, column));
  const heading = (name: string, column: number): HTMLElement => {
    const { words, title } = columnName(name);
    return element('th', { scope: 'col', title, class: numeric[column] && 'number' }, words);
  };
  const row = (cells: readonly string[]): HTMLElement =>
    element(
      'tr',
      {},
      ...cells.map((text, column) => element('td', numeric[column] ? { class: 'number' } : {}, text)),
    );
  const isCut = table.rows.length > shown.length;
  return scrollTable({
    label: caption,
    caption: isCut ? `${caption}: the first ${MAX_ROWS} of ${table.rows.length} rows` : caption,
    headings: table.columns.map(heading),
    body: element('tbody', {}, ...shown.map(row)),
  });
}

/** The same behind a button, for the values under a chart. */
export const valuesBehind = (table: Table, caption: string): HTMLElement =>
  element('details', { class: 'values' }, element('summary', {}, 'Values'), dataTable(table, caption));
