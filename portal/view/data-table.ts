/** A table of a response, with numbers exactly as the API writes them. */
import type { Table } from '../api/response-table.ts';
import { element } from './element.ts';
import { columnName } from './field-name.ts';

/** Rows beyond this number are counted, not listed, so that the page stays fast. */
const MAX_ROWS = 500;

const isNumeric = (rows: Table['rows'], column: number): boolean =>
  rows.length > 0 && rows.every((row) => row[column] === '' || !Number.isNaN(Number(row[column])));

/** Scrolls within itself, by keyboard too. */
function dataTable(table: Table, caption: string): HTMLElement {
  const shown = table.rows.slice(0, MAX_ROWS);
  const numeric = table.columns.map((_, column) => isNumeric(shown, column));
  const row = (cells: readonly string[]): HTMLElement =>
    element(
      'tr',
      {},
      ...cells.map((text, column) => element('td', numeric[column] ? { class: 'number' } : {}, text)),
    );
  const left = table.rows.length - shown.length;
  return element(
    'div',
    { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': caption },
    element(
      'table',
      { class: 'data' },
      element(
        'caption',
        {},
        left > 0 ? `${caption}: the first ${MAX_ROWS} of ${table.rows.length} rows` : caption,
      ),
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...table.columns.map((name, column) => {
            const { words, title } = columnName(name);
            return element('th', { scope: 'col', title, class: numeric[column] && 'number' }, words);
          }),
        ),
      ),
      element('tbody', {}, ...shown.map(row)),
    ),
  );
}

/** The same behind a button, for the values under a chart. */
export const valuesBehind = (table: Table, caption: string): HTMLElement =>
  element('details', { class: 'values' }, element('summary', {}, 'Values'), dataTable(table, caption));
