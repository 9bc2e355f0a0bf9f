/** US imports: the momentum index of one commodity code by month. */

import { numbers, type Table, texts, toTable } from '../api/response-table.ts';
import { requestPath, type Session } from '../api/session.ts';
import { type LineChart, lineChart } from '../chart/line-chart.ts';
import { valuesBehind } from '../view/data-table.ts';
import { element } from '../view/element.ts';
import { noKeyNotice } from '../view/notice.ts';
import { createPanel } from '../view/panel.ts';
import { monthText } from '../view/text.ts';
import type { ImportsRoute } from './page-route.ts';

interface ImportsView {
  readonly node: HTMLElement;
  show(route: ImportsRoute): void;
  /** Requests the index again. */
  reload(): void;
}

/** The import index is 100 where the last three months equal the same three a year before. */
const BASELINE = 100;

const importIndexChart = (table: Table, label: string): LineChart => {
  const times = texts(table, 'month');
  return {
    times,
    timeText: monthText,
    axisLabel: 'Index, 100: as a year before',
    lines: [
      { label, field: 'index', values: numbers(table, 'index'), colour: '--line-score' },
      {
        label: 'same months a year before',
        values: times.map(() => BASELINE),
        colour: '--muted',
        dash: [4, 4],
        width: 1,
      },
    ],
  };
};

/** Calls `choose` with the code that the reader enters. */
export function createImportsView(session: Session, choose: (code: string) => void): ImportsView {
  let asked = '';
  const input = element('input', {
    id: 'hs-code',
    inputmode: 'numeric',
    autocomplete: 'off',
    size: 11,
    required: true,
  });
  const form = element(
    'form',
    { class: 'inline-form' },
    element('label', { for: 'hs-code' }, 'HS code'),
    input,
    element('button', { class: 'button', type: 'submit' }, 'Show'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    choose(input.value.trim());
  });
  const panel = createPanel(session, {
    title: 'Import momentum of the United States',
    level: 'h2',
    what: 'import index',
    controls: form,
    draw(body, { text }) {
      const table = toTable(text);
      if (table.rows.length === 0) return 'The service has no import values for this code.';
      const host = element('div', { class: 'chart' });
      body.append(host, valuesBehind(table, `Import index of HS ${input.value}`));
      const chart = importIndexChart(table, `index of HS ${input.value}`);
      lineChart(host, () => chart);
      return undefined;
    },
  });
  const fault = element('div', {});
  const reload = (): void => {
    asked = `${session.key} ${input.value}`;
    const hasKey = session.key !== '';
    fault.replaceChildren(...(hasKey ? [] : [noKeyNotice()]));
    panel.section.hidden = !hasKey;
    if (!hasKey) return;
    void panel.load(requestPath('hsImports', { code: input.value.trim() }));
  };
  const about = element(
    'p',
    { class: 'place' },
    'Imports of three months against the same three months a year before; 100 is no change. By Harmonized System code: ' +
      'two digits name a chapter, such as 85 for electrical machinery. ',
    element('a', { href: '/docs/methodology.html' }, 'Method'),
    '. Beta.',
  );
  return {
    node: element('div', { class: 'imports-view' }, about, fault, panel.section),
    show({ code }) {
      input.value = code;
      if (asked !== `${session.key} ${code}`) reload();
    },
    reload,
  };
}
