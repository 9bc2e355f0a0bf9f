/** The answer to the builder's request: its chart and its table, both read from the body that came. */
import { numbersOf, type Table, tableOf, textsOf } from '../api/answer-table.ts';
import type { Session } from '../api/session.ts';
import { lineChart } from '../chart/line-chart.ts';
import { type Period, timeline } from '../chart/timeline.ts';
import { trendChart } from '../chart/trend-chart.ts';
import type { BuiltRequest } from '../request/built-request.ts';
import { dataTable } from '../view/data-table.ts';
import { element } from '../view/element.ts';
import { createPanel } from '../view/panel.ts';

export interface AnswerView {
  readonly node: HTMLElement;
  load(request: BuiltRequest): Promise<void>;
  loaded(): boolean;
}

const MOST_BARS = 3000;

function drawPeriods(host: HTMLElement, table: Table): void {
  const [starts, ends, kinds, hours] = ['start', 'end', 'kind', 'hours'].map((name) => textsOf(table, name));
  const periods = (starts ?? []).map(
    (start, i): Period => ({
      startAt: Date.parse(start),
      endAt: Date.parse(ends?.[i] ?? ''),
      kind: kinds?.[i] === 'wait' ? 'wait' : 'berth',
      hours: Number(hours?.[i]),
    }),
  );
  timeline(host, periods.slice(-MOST_BARS), `Timeline of ${periods.length} periods`);
}

/** Answers that are a series have a drawing; the others are a table only. */
const CHARTS: Partial<Record<BuiltRequest['operation'], (host: HTMLElement, table: Table) => void>> = {
  trend: (host, table) =>
    trendChart(
      host,
      {
        days: textsOf(table, 'date'),
        scores: numbersOf(table, 'congestion_score'),
        waitHours: numbersOf(table, 'avg_wait_hours'),
      },
      () => [],
    ),
  dwell: drawPeriods,
  hsImports: (host, table) =>
    lineChart(host, {
      label: 'index',
      times: textsOf(table, 'month'),
      values: numbersOf(table, 'index'),
      baseline: 100,
    }),
};

export function createAnswerView(session: Session): AnswerView {
  let request: BuiltRequest | undefined;
  const panel = createPanel(session, {
    title: 'Answer',
    level: 'h2',
    what: 'the answer',
    draw(body, answer) {
      const table = tableOf(answer);
      const operation = request?.operation ?? 'health';
      const chart = CHARTS[operation];
      const facts = [
        `${table.rows.length} ${table.rows.length === 1 ? 'row' : 'rows'}`,
        answer.isCsv ? 'CSV' : 'JSON',
      ];
      const tag =
        answer.etag === undefined ? [] : [element('code', { title: 'ETag' }, `${answer.etag.slice(0, 14)}…`)];
      body.append(
        element(
          'p',
          { class: 'chart-note' },
          element('span', { class: 'tag tag-fresh' }, '200'),
          ` ${facts.join(', ')} `,
          ...tag,
        ),
      );
      if (table.rows.length === 0) return 'The answer is an empty list.';
      if (chart) {
        const host = element('div', { class: operation === 'dwell' ? 'timeline-host' : 'chart' });
        body.append(host);
        chart(host, table);
      }
      body.append(dataTable(table, `Answer to ${request?.path ?? ''}`));
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
