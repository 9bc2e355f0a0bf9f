/** US imports: the momentum index of one commodity code by month. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { HsImportPoint } from '../../core/contracts/hs-imports.ts';
import { requestPath, toTable } from '../api/responses.ts';
import type { ListedSource } from '../api/source-list.ts';
import { type LineChart, lineChart } from '../chart/line-chart.ts';
import { noKeyNotice } from '../view/notice.ts';
import { type Panel, panel } from '../view/panel.ts';
import { valuesBehind } from '../view/table.ts';
import { monthText } from '../view/text.ts';
import type { Explorer } from './explorer.ts';
import { type ImportsRoute, importsSearch } from './page-route.ts';
import { readPorts } from './shown-ports.ts';

/** The import index is 100 where the last three months equal the same three a year before. */
const BASELINE = 100;

function importsChart(months: readonly HsImportPoint[], label: string): LineChart {
  const baseline = months.map(() => BASELINE);
  return {
    times: months.map(({ month }) => month),
    timeText: monthText,
    left: { label: 'Index, 100: as a year before' },
    lines: [
      { label, field: 'index', values: months.map(({ index }) => index), colour: '--line-score' },
      { label: 'same months a year before', values: baseline, colour: '--muted', dash: [4, 4], width: 1 },
    ],
  };
}

function momentum(months: readonly HsImportPoint[], code: string): TemplateResult | string {
  if (months.length === 0) return 'The service has no import values for this code.';
  return html`${lineChart('chart', () => importsChart(months, `index of HS ${code}`), months)}
    ${valuesBehind(toTable(months), `Import index of HS ${code}`)}`;
}

/** Where the values come from. Simulated ones are those of a start that simulates ports. */
function origin(explorer: Explorer, listed: readonly ListedSource[]): unknown {
  const { records, complete } = readPorts(explorer);
  if (!complete || records.some(({ evidence }) => evidence === 'simulated')) return nothing;
  const word = explorer.isRecorded ? html` · <span class="tag tag-plain">real, recorded</span>` : nothing;
  return listed
    .filter(({ trade }) => trade)
    .map(
      ({ name, homepage, attribution }) =>
        html`Source: ${homepage === undefined ? name : html`<a href=${homepage} rel="noopener">${name}</a>`}${word} ${attribution}`,
    );
}

export function importsView(
  explorer: Explorer,
  { code }: ImportsRoute,
  listed: readonly ListedSource[],
): TemplateResult {
  const { responses, go } = explorer;
  const show = (event: SubmitEvent): void => {
    event.preventDefault();
    go(importsSearch(String(new FormData(event.target as HTMLFormElement).get('code')).trim()));
  };
  const form = html`<form class="inline-form" @submit=${show}>
    <label for="hs-code">HS code</label>
    <input id="hs-code" name="code" inputmode="numeric" autocomplete="off" size="11" required .value=${code}>
    <button class="button" type="submit">Show</button>
  </form>`;
  const shown: Panel = {
    title: 'Import momentum of the United States',
    isTop: true,
    what: 'import index',
    path: requestPath('hsImports', { code }),
    about: code,
    controls: form,
    draw: (body) => momentum(body as HsImportPoint[], code),
  };
  return html`<div class="imports-view">
    <p class="place">
      Imports of three months against the same three months a year before; 100 means no change. By Harmonized System code: two
      digits name a chapter, such as 85 for electrical machinery. <a href="/docs/methodology.html">Method</a>. Beta.
    </p>
    ${responses.key === '' ? noKeyNotice() : panel(responses, shown)}
    <p class="place">${origin(explorer, listed)}</p>
  </div>`;
}
