/** Two or three ports in one chart: the wait of each over twelve months, by address, so that a link can be sent. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PortRecord } from '../../core/contracts/ports.ts';
import { dataOf, isOutsidePlan, type Outcome, requestPath } from '../api/responses.ts';
import {
  type ComparedMeasure,
  type ComparedPort,
  comparedChart,
  comparedTable,
  MEASURES,
} from '../chart/compared.ts';
import { DRAWN_DAYS, lineChart, TOO_SHORT } from '../chart/line-chart.ts';
import { type SpreadDay, waitHistory } from '../chart/wait-spread.ts';
import { isEstimate, TOO_FEW } from '../view/average-wait.ts';
import { choiceRow } from '../view/choice.ts';
import { copyButton } from '../view/copy-button.ts';
import { fieldName } from '../view/field-name.ts';
import { memoized } from '../view/memo.ts';
import { emptyNotice, failureNotice, loadingNotice, noKeyNotice } from '../view/notice.ts';
import { valuesBehind } from '../view/table.ts';
import { dateText, hoursText, latestOf, planText } from '../view/text.ts';
import { type Explorer, findNamed } from './explorer.ts';
import { COMPARED_PORTS, type CompareRoute, compareSearch, mapSearch } from './page-route.ts';
import { readPorts } from './port-index.ts';
import { yearPath } from './year-waits.ts';

function chip(
  code: string,
  place: number,
  codes: readonly string[],
  known: readonly PortRecord[],
): TemplateResult {
  const { name = code, avg_wait_hours: wait = null, wait_basis: basis = null } = findNamed(known, code) ?? {};
  const others = codes.filter((other) => other !== code);
  return html`<li>
    <span class="line-key line-key-${place}"></span><a href=${mapSearch({ port: code, window: '30d' })}>${name}</a> <code>${code}</code>
    ${wait === null ? nothing : fieldName('avg_wait_hours', isEstimate(basis) ? TOO_FEW : `average wait ${hoursText(wait)}`)}
    ${others.length === 0 ? nothing : html`<a class="remove" href=${compareSearch(others)} aria-label="Remove ${name}">×</a>`}
  </li>`;
}

function findByText(known: readonly PortRecord[], text: string): string | undefined {
  const wanted = text.trim().toLowerCase();
  return known.find(({ port, name }) =>
    [port, name, `${name} (${port})`].some((form) => form.toLowerCase() === wanted),
  )?.port;
}

function addForm(
  { go, choose }: Explorer,
  codes: readonly string[],
  known: readonly PortRecord[],
): TemplateResult {
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const text = String(new FormData(form).get('port'));
    const port = findByText(known, text);
    if (port === undefined) {
      choose({ addFault: `${text} is not among the covered ports.` });
      return;
    }
    form.reset();
    go(compareSearch([...new Set([...codes, port])]));
  };
  return html`<form class="inline-form" @submit=${add} ?hidden=${codes.length >= COMPARED_PORTS}>
      <label for="compare-add">Add a port</label>
      <input id="compare-add" name="port" list="compare-ports" autocomplete="off" size="22" required placeholder="Name or UN/LOCODE">
      <button class="button" type="submit">Add</button>
    </form>
    <datalist id="compare-ports">${known.map(({ port, name }) => html`<option value="${name} (${port})"></option>`)}</datalist>`;
}

function waitsPaths(codes: readonly string[], known: readonly PortRecord[]): string[] {
  const lastDay = latestOf(codes.map((code) => findNamed(known, code)?.last_day ?? null));
  return codes.map((code) =>
    lastDay === undefined ? requestPath('waits', { UNLOCODE: code }) : yearPath(code, lastDay),
  );
}

const comparedPorts = memoized(
  (
    codes: readonly string[],
    known: readonly PortRecord[],
    ...outcomes: readonly (Outcome | undefined)[]
  ): ComparedPort[] =>
    codes.flatMap((code, place) => {
      const days = dataOf<SpreadDay[]>(outcomes[place]);
      const { name = code } = findNamed(known, code) ?? {};
      return days ? [{ place, name, spreads: waitHistory(days).spreads }] : [];
    }),
);

function chart(served: readonly ComparedPort[], measure: ComparedMeasure): TemplateResult {
  const ports = served.filter(({ spreads }) => spreads.size > 0);
  const values = comparedTable(ports, measure);
  const newest = dateText(values.rows.at(-1)?.[0] ?? '');
  return html`${
    values.rows.length < DRAWN_DAYS
      ? emptyNotice(TOO_SHORT)
      : lineChart('chart chart-year', () => comparedChart(ports, measure), served, measure)
  }
    <p class="chart-note">Hours at anchor before the berth, twelve months up to ${newest}. Each day is that of the vessels that berthed in the week up to it, or in 14 or 28 days where fewer than three did. An average of too few berthings is a gap.</p>
    <div>${valuesBehind(values, `${MEASURES[measure].label}, twelve months, hours`)}</div>`;
}

function comparison(explorer: Explorer, codes: readonly string[]): unknown {
  const { responses, chosen } = explorer;
  if (responses.key === '') return noKeyNotice();
  const { records, complete } = readPorts(explorer);
  const paths = complete ? waitsPaths(codes, records) : [];
  const asked = paths.map((path) => ({ path, outcome: responses.read(path) }));
  const outcomes = asked.map(({ outcome }) => outcome);
  if (!complete || outcomes.includes(undefined)) return loadingNotice('waits of twelve months');
  if (outcomes.some(isOutsidePlan)) return emptyNotice(planText('Waits day by day', 'waits'));
  const served = comparedPorts(codes, records, ...outcomes);
  const empty = served.filter(({ spreads }) => spreads.size === 0);
  return html`${asked.map(({ path, outcome }) =>
    outcome === undefined || outcome.kind === 'data'
      ? nothing
      : failureNotice(outcome, () => responses.retry(path)),
  )}${empty.map(({ name }) =>
    emptyNotice(`Nothing has been observed of ${name} in these twelve months.`),
  )}${served.length > empty.length ? chart(served, chosen.measure) : nothing}`;
}

const MEASURE_TEXTS = Object.fromEntries(
  Object.entries(MEASURES).map(([measure, { label }]) => [measure, label]),
) as Record<ComparedMeasure, string>;

export function compareView(explorer: Explorer, { ports: codes }: CompareRoute): TemplateResult {
  const { chosen, choose } = explorer;
  const { records } = readPorts(explorer);
  return html`<section class="compare-view" aria-labelledby="compare-title">
    <header class="view-head">
      <h2 id="compare-title" tabindex="-1">Ports compared</h2>${copyButton('Copy the link', () => location.href)}
    </header>
    <ul class="compared" aria-label="Ports compared">${codes.map((code, place) => chip(code, place, codes, records))}</ul>
    <div class="compare-controls">
      ${addForm(explorer, codes, records)}
      ${choiceRow('Measure', MEASURE_TEXTS, chosen.measure, (measure) => choose({ measure }))}
    </div>
    <p class="compare-fault" role="alert">${chosen.addFault}</p>
    <section class="panel" aria-label="Waits of twelve months"><div class="compare-body">${comparison(explorer, codes)}</div></section>
  </section>`;
}
