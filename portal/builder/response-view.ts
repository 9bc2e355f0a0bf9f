/** The response to the builder's request: chart and table, both read from its body. */

import type { DataResponse } from '../api/outcome.ts';
import { type Table, tableOf } from '../api/response-table.ts';
import type { Session } from '../api/session.ts';
import { lineChart } from '../chart/line-chart.ts';
import { importIndexOf, periodsOf, trendOf } from '../chart/response-series.ts';
import { cutNote, timeline } from '../chart/timeline.ts';
import { trendChart } from '../chart/trend-chart.ts';
import type { BuiltRequest } from '../request/built-request.ts';
import { dataTable } from '../view/data-table.ts';
import { element } from '../view/element.ts';
import { createPanel } from '../view/panel.ts';

export interface ResponseView {
  readonly node: HTMLElement;
  load(request: BuiltRequest): Promise<void>;
  loaded(): boolean;
}

const chartHost = (): HTMLElement => element('div', { class: 'chart' });

function drawTrend(body: HTMLElement, table: Table): void {
  const host = chartHost();
  body.append(host);
  trendChart(host, trendOf(table), () => ({ marks: [] }));
}

function drawImportIndex(body: HTMLElement, table: Table): void {
  const host = chartHost();
  body.append(host);
  lineChart(host, importIndexOf(table, 'index'));
}

function drawPeriods(body: HTMLElement, table: Table): void {
  const periods = periodsOf(table);
  const note = cutNote(periods);
  if (note !== '') body.append(element('p', { class: 'chart-note' }, note));
  const host = element('div', { class: 'timeline-host' });
  body.append(host);
  timeline(host, periods, `Timeline of ${periods.length} periods`);
}

/** A response that is a series has a chart; others have only a table. */
const CHARTS: Partial<Record<BuiltRequest['operation'], (body: HTMLElement, table: Table) => void>> = {
  trend: drawTrend,
  dwell: drawPeriods,
  hsImports: drawImportIndex,
};

/** Status, size, format and tag of the response in one line. */
function factsOf({ isCsv, etag }: DataResponse, { rows }: Table): HTMLElement {
  const size = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`;
  return element(
    'p',
    { class: 'chart-note' },
    element('span', { class: 'tag tag-fresh' }, '200'),
    ` ${size}, ${isCsv ? 'CSV' : 'JSON'} `,
    etag === undefined ? undefined : element('code', { title: 'ETag' }, `${etag.slice(0, 14)}…`),
  );
}

export function createResponseView(session: Session): ResponseView {
  let request: BuiltRequest | undefined;
  const panel = createPanel(session, {
    title: 'Response',
    level: 'h2',
    what: 'the response',
    draw(body, response) {
      const table = tableOf(response);
      if (table.rows.length === 0) return 'The response is an empty list.';
      body.append(factsOf(response, table));
      if (request !== undefined) CHARTS[request.operation]?.(body, table);
      body.append(dataTable(table, `Response to ${request?.path ?? ''}`));
      return undefined;
    },
  });
  return {
    node: panel.section,
    load(wanted) {
      request = wanted;
      return panel.load(wanted);
    },
    loaded: () => request !== undefined,
  };
}
