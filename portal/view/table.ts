/** Tables that scroll within themselves, by keyboard too; of a response, with numbers exactly as the API writes them. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Table } from '../api/responses.ts';
import { columnName } from './text.ts';

interface ScrollTable {
  readonly label: string;
  readonly headings: readonly TemplateResult[];
  /** Rows of the table, by group. */
  readonly groups: readonly unknown[];
  readonly caption?: string;
}

export const scrollTable = ({ label, headings, groups, caption }: ScrollTable): TemplateResult => html`
  <div class="table-scroll" tabindex="0" role="region" aria-label=${label}>
    <table class="data">
      ${caption === undefined ? nothing : html`<caption>${caption}</caption>`}
      <thead><tr>${headings}</tr></thead>
      ${groups.map((rows) => html`<tbody>${rows}</tbody>`)}
    </table>
  </div>`;

/** Rows beyond this number are counted, not listed, so that the page stays fast. */
const MAX_ROWS = 500;

const isNumeric = (rows: Table['rows'], column: number): boolean =>
  rows.length > 0 && rows.every((row) => row[column] === '' || !Number.isNaN(Number(row[column])));

function dataTable({ columns, rows }: Table, caption: string): TemplateResult {
  const shown = rows.slice(0, MAX_ROWS);
  const styles = columns.map((_, column) => (isNumeric(shown, column) ? 'number' : ''));
  return scrollTable({
    label: caption,
    caption:
      rows.length > shown.length ? `${caption}: the first ${MAX_ROWS} of ${rows.length} rows` : caption,
    headings: columns.map((name, i) => {
      const { words, title } = columnName(name);
      return html`<th scope="col" title=${title ?? nothing} class=${styles[i]}>${words}</th>`;
    }),
    groups: [
      shown.map(
        (cells) => html`<tr>${cells.map((text, i) => html`<td class=${styles[i]}>${text}</td>`)}</tr>`,
      ),
    ],
  });
}

/** The same behind a button, for the values under a chart. */
export const valuesBehind = (table: Table, caption: string): TemplateResult =>
  html`<details class="values"><summary>Values</summary>${dataTable(table, caption)}</details>`;
