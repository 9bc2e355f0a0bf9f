/** The import momentum of one commodity code: a field for the code and the index by month. */
import { tableOf } from '../api/answer-table.ts';
import type { Session } from '../api/session.ts';
import { importIndexOf } from '../chart/answer-series.ts';
import { lineChart } from '../chart/line-chart.ts';
import { buildRequest } from '../request/built-request.ts';
import { exampleValues } from '../request/operation-form.ts';
import { valuesBehind } from '../view/data-table.ts';
import { element } from '../view/element.ts';
import { createPanel } from '../view/panel.ts';

export interface ImportsView {
  readonly node: HTMLElement;
  load(): Promise<void>;
}

export function createImportsView(session: Session): ImportsView {
  const input = element('input', {
    id: 'hs-code',
    inputmode: 'numeric',
    autocomplete: 'off',
    value: exampleValues('hsImports').code,
    size: 11,
    required: true,
  });
  const controls = element(
    'form',
    { class: 'inline-form' },
    element('label', { for: 'hs-code' }, 'HS code'),
    input,
    element('button', { class: 'button', type: 'submit' }, 'Show'),
  );
  const panel = createPanel(session, {
    title: 'Import momentum of the United States',
    level: 'h2',
    what: 'import index',
    controls,
    draw(body, answer) {
      const table = tableOf(answer);
      if (table.rows.length === 0) return 'No import values are held for this code.';
      const host = element('div', { class: 'chart' });
      body.append(host, valuesBehind(table, `Import index of HS ${input.value}`));
      lineChart(host, importIndexOf(table, `index of HS ${input.value}`));
      return undefined;
    },
  });
  const load = (): Promise<void> => panel.load(buildRequest('hsImports', { code: input.value.trim() }));
  controls.addEventListener('submit', (event) => {
    event.preventDefault();
    void load();
  });
  return { node: panel.section, load };
}
