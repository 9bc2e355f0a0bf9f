/** The live part of the page of the record: forecasts drawn against what came, their scores, alerts with their outcome, and revisions. */
import { html, nothing, render, svg, type TemplateResult } from 'lit-html';
import {
  type PortRecordFile,
  RECORD,
  REVISED_METRICS,
  REVISION_AGES,
  type RecordAlert,
  type RecordMiss,
  type RecordScore,
  type RevisedMetric,
  type Revision,
  type ScoredForecast,
  type ServiceRecord,
} from '../../core/contracts/published-files.ts';
import { portalJson } from '../api/source-list.ts';
import {
  figureText,
  finalLine,
  METRIC_NAMES,
  momentText,
  REVISED_NAMES,
  recordLine,
  revisionText,
} from '../view/text.ts';

const WORST = 5;

const read = <T>(path: string): Promise<T | undefined> =>
  portalJson<T>(`/data/${path}`).catch(() => undefined);

const percent = (share: number): string => `${Math.round(100 * share)} %`;

const scoreRow = (score: RecordScore): TemplateResult => {
  const { metric, horizon, made, forecasts, error, persistence, median, within } = score;
  const figure = (value: number): string => figureText(metric, value);
  return html`<tr><td>${METRIC_NAMES[metric]}</td><td>${horizon}</td><td>${made}</td><td>${forecasts}</td><td>${figure(error)}</td><td>${figure(persistence)}</td><td>${figure(median)}</td><td>${percent(within)}</td></tr>`;
};

const scoreTable = (scores: readonly RecordScore[]): TemplateResult =>
  html`<table><thead><tr><th>Figure</th><th>Days ahead</th><th>Made</th><th>Forecasts</th><th>Off by</th><th>Newest value off by</th><th>Median of 28 days off by</th><th>In the band</th></tr></thead><tbody>${scores.map(scoreRow)}</tbody></table>`;

// One picture for each figure and horizon: the band, the forecast in it, and what came.

const WIDTH = 720;
const HEIGHT = 160;
const EDGE = 4;

type Series = PortRecordFile['forecasts'][number];

const aheadText = (horizon: number): string => (horizon === 1 ? '1 day' : `${horizon} days`);

function picture({ metric, horizon, made, rows }: Series): TemplateResult {
  const most = Math.max(...rows.map(([, , , p90, value]) => Math.max(p90, value)), Number.EPSILON);
  const x = (at: number): number => EDGE + (at / Math.max(1, rows.length - 1)) * (WIDTH - 2 * EDGE);
  const y = (value: number): number => HEIGHT - EDGE - (value / most) * (HEIGHT - 2 * EDGE);
  const line = (column: 1 | 2 | 3 | 4): string[] =>
    rows.map((row, at) => `${x(at).toFixed(1)},${y(row[column]).toFixed(1)}`);
  const band = [...line(3), ...line(1).reverse()].join(' ');
  const [first = '', last = ''] = [rows[0]?.[0], rows.at(-1)?.[0]];
  const title = `${METRIC_NAMES[metric]}, ${made} ${aheadText(horizon)} before, ${first} to ${last}`;
  return html`<figure class="record-picture"><figcaption>${title}; up to ${figureText(metric, most)}</figcaption>
    <svg role="img" aria-label=${title} viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">
      ${svg`<polygon class="record-band" points=${band}></polygon>
      <polyline class="record-said" points=${line(2).join(' ')}></polyline>
      <polyline class="record-came" points=${line(4).join(' ')}></polyline>`}
    </svg></figure>`;
}

/** The forecasts that were furthest off, worst first. */
export const worstMisses = ({ rows }: Series): ScoredForecast[] =>
  rows.toSorted((a, b) => Math.abs(b[4] - b[2]) - Math.abs(a[4] - a[2])).slice(0, WORST);

function missText(metric: Series['metric'], [day, p10, p50, p90, value]: ScoredForecast): string {
  const figure = (amount: number): string => figureText(metric, amount);
  return `${day}: said ${figure(p50)} (${figure(p10)} to ${figure(p90)}), came ${figure(value)}`;
}

const missList = (series: Series): TemplateResult =>
  html`<details><summary>Worst misses</summary><ol>${worstMisses(series).map(
    (row) => html`<li>${missText(series.metric, row)}</li>`,
  )}</ol></details>`;

const worstOfAll = (forecasts: readonly Series[]): TemplateResult =>
  html`<h3>Worst misses</h3><ul>${forecasts.map((series) => {
    const [worst] = worstMisses(series);
    return worst
      ? html`<li>${METRIC_NAMES[series.metric]}, ${aheadText(series.horizon)} before, ${missText(series.metric, worst)}</li>`
      : nothing;
  })}</ul>`;

export function courseText({ type, ended, ended_known, withdrawn, withdrawal }: RecordAlert): string {
  if (withdrawn !== null)
    return `withdrawn ${momentText(withdrawn)}: ${withdrawal === 'fell_back' ? 'the wait fell back' : 'later replies changed the figures'}`;
  // A level shift is raised, and has no end.
  if (type === 'change_point') return '';
  if (ended !== null) return `ended ${momentText(ended)}`;
  return (ended_known ?? null) === null ? 'open' : 'end not known';
}

/** When a closure began, and empty for another alert. */
const beganText = ({ began, since }: RecordAlert): string => {
  const at = began ?? since;
  return at === null ? '' : momentText(at);
};

const alertRow = (alert: RecordAlert): TemplateResult =>
  html`<tr><td>${momentText(alert.raised)}${alert.replayed ? ' (replayed)' : nothing}</td><td>${alert.type.replace('_', ' ')}, <code>${alert.metric}</code></td><td>${alert.severities.join(', ')}</td><td>${beganText(alert)}</td><td>${courseText(alert)}</td><td>${alert.outcome ?? ''}</td><td>${alert.explain}</td></tr>`;

const alertTable = (alerts: readonly RecordAlert[]): TemplateResult =>
  alerts.length === 0
    ? html`<p>No alert in the last year.</p>`
    : html`<table><thead><tr><th>Raised</th><th>Alert</th><th>Severity</th><th>Began</th><th>Then</th><th>Outcome</th><th>Why</th></tr></thead><tbody>${alerts.map(alertRow)}</tbody></table>`;

const daysText = (counts: readonly number[]): string => {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? `${least} days` : `${least} to ${most} days`;
};

/** How long until a figure is final: a row for each figure, a column for each age of a day. */
function revisionPart(
  revisions: readonly Revision[],
  line: string | undefined,
): TemplateResult | typeof nothing {
  if (revisions.length === 0) return nothing;
  const row = (metric: RevisedMetric): TemplateResult => {
    const of = revisions.filter((revision) => revision.metric === metric);
    const cell = (age: number): string => {
      const found = of.find((revision) => revision.age === age);
      return found === undefined ? '' : revisionText(found);
    };
    return html`<tr><td>${REVISED_NAMES[metric]}</td>${REVISION_AGES.map((age) => html`<td>${cell(age)}</td>`)}<td>${daysText(of.map(({ days }) => days))}</td></tr>`;
  };
  const metrics = REVISED_METRICS.filter((metric) =>
    revisions.some((revision) => revision.metric === metric),
  );
  return html`<h3 id="revisions">How long until a figure is final?</h3>
    <p>Share of days whose figure still changed after that many days, and the mean absolute change over all of them.${line === undefined ? '' : ` ${line}`}</p>
    <table><thead><tr><th>Figure</th>${REVISION_AGES.map((age) => html`<th>${aheadText(age)}</th>`)}<th>Compared</th></tr></thead><tbody>${metrics.map(row)}</tbody></table>`;
}

const portPart = (
  { name, port, scores, forecasts, alerts, revisions = [] }: PortRecordFile,
  service: ServiceRecord,
): TemplateResult =>
  html`<h2 id="port">${name} <code>${port}</code></h2>
    ${scores.length === 0 ? html`<p>No forecast has an outcome yet.</p>` : html`${scoreTable(scores)}${worstOfAll(forecasts)}`}
    ${forecasts.map((series) => html`${picture(series)}${missList(series)}`)}
    <h3>Alerts as they were raised</h3>
    ${alertTable(alerts)}
    ${revisionPart(revisions, finalLine(service, port))}`;

const missesOfAll = (misses: readonly RecordMiss[], ports: ServiceRecord['ports']): TemplateResult =>
  html`<h2 id="misses">Worst misses${ports.length > 1 ? ' of all ports' : nothing}</h2><ol>${misses.map(
    ({ port, metric, horizon, row, times }) =>
      html`<li><a href="?port=${port}#port">${ports.find((listed) => listed.port === port)?.name ?? port}</a>, ${METRIC_NAMES[metric]}, ${aheadText(horizon)} before, ${missText(metric, row)}: ${times.toFixed(1)} times the usual error</li>`,
  )}</ol>`;

function servicePart(record: ServiceRecord): TemplateResult {
  const { release, scores, misses, closures, ports } = record;
  const alerted = closures.confirmed + closures.false;
  const line = recordLine(record);
  return html`<p>Release ${release}.${line === undefined ? '' : ` ${line}`}</p>
    <p>${alerted === 0 ? 'No closure was alerted.' : `Of ${alerted} closures that were alerted, ${closures.confirmed} came true.`}</p>
    ${misses.length > 0 ? missesOfAll(misses, ports) : nothing}
    ${ports.length > 1 && scores.length > 0 ? html`<h2 id="service">All ports together</h2>${scoreTable(scores)}` : nothing}
    <p>${ports.map(({ port, name }) => html`<a href="?port=${port}#port">${name}</a> `)}</p>`;
}

/** Fills `host`: all ports, and the port that the address names. Without a release it says so. */
export async function startRecord(host: HTMLElement): Promise<void> {
  const record = await read<ServiceRecord>(RECORD);
  const wanted = new URLSearchParams(location.search).get('port');
  const chosen = record?.ports.find(({ port }) => port === wanted) ?? record?.ports[0];
  const portFile = chosen && (await read<PortRecordFile>(chosen.path));
  host.replaceChildren();
  render(
    record === undefined
      ? html`<p role="alert">There is no record here yet: the first release of the dataset makes one.</p>`
      : html`${servicePart(record)}${portFile === undefined ? nothing : portPart(portFile, record)}`,
    host,
  );
}
