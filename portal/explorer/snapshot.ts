/** The newest figures of a port, and how old they are. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Snapshot } from '../../core/contracts/snapshot.ts';
import { durationText, freshnessBudget, minutesSince, sourcesBehind } from '../api/source-list.ts';
import { evidenceWords } from '../view/evidence.ts';
import { scoreClass, scoreStyle } from '../view/score-class.ts';
import { type Field, fieldName, momentText, stoppedText, TOO_FEW } from '../view/text.ts';
import type { Explorer } from './explorer.ts';
import type { About } from './port-head.ts';

/** What the estimate in place of an average is made from. */
const ESTIMATE_BASIS = {
  mixed: 'vessels that berthed in 28 days, fewer than 20, and vessels that still wait',
  open: 'vessels that still wait, as none has berthed',
} as const;

const figure = (value: string, field: Field, note: unknown, style?: string): TemplateResult => html`
  <div class="figure">
    <dt>${fieldName(field)}</dt>
    <dd>${style === undefined ? nothing : html`<span class="swatch ${style}"></span>`}<b>${value}</b><span>${note}</span></dd>
  </div>`;

/** The average wait; where too few vessels have berthed, how many wait, with the estimate behind a click. */
function waitFigure({ avg_wait_hours, vessels }: Snapshot, basis: PortRecord['wait_basis']): TemplateResult {
  const hours = `${avg_wait_hours.toFixed(1)} h`;
  if (basis !== 'mixed' && basis !== 'open')
    return figure(hours, 'avg_wait_hours', 'at anchor before the berth');
  const estimate = html`${TOO_FEW}<details class="estimate">
    <summary>Estimate</summary>
    ${hours}, from ${ESTIMATE_BASIS[basis]}. <a href="/docs/methodology.html#few-berthings">Method</a>
  </details>`;
  return figure(`${vessels.at_anchor} waiting`, 'avg_wait_hours', estimate);
}

function ageNotice(
  explorer: Explorer,
  { sources, now }: About,
  port: PortRecord,
  asOf: string,
): TemplateResult {
  const budget = freshnessBudget(sourcesBehind(sources, port.sources));
  const minutes = minutesSince(asOf, now());
  const age = durationText(minutes);
  const time = html`as of <time datetime=${asOf}>${momentText(asOf)}</time>`;
  if (explorer.isRecorded || port.evidence === 'given')
    return html`<p class="age"><span class="tag tag-late">${evidenceWords(port).word}</span> ${time}</p>`;
  if (minutes <= budget)
    return html`<p class="age"><span class="tag tag-fresh">current</span> ${time}, ${age} ago </p>`;
  return html`<p class="age age-stale" role="status">
    <span class="tag tag-stale">stale</span> ${time}, ${age} ago: older than the ${durationText(budget)} that its source
    is allowed. The figures are the last good ones. <a href="/docs/status.html">Status of the sources</a>
  </p>`;
}

export function snapshotFigures(
  explorer: Explorer,
  about: About,
  port: PortRecord,
  snapshot: Snapshot,
): TemplateResult {
  const { lines } = explorer;
  const { vessels, congestion_score: score } = snapshot;
  const { stopped_since: since } = port;
  const note = since === null ? `${scoreClass(score, lines).label} (from 0 to 1)` : stoppedText(since);
  const counted = (field: keyof typeof vessels, note: string): TemplateResult =>
    figure(String(vessels[field]), field, `${vessels[field] === 1 ? 'vessel' : 'vessels'}${note}`);
  return html`${ageNotice(explorer, about, port, snapshot.as_of)}
    <dl class="figures">
      ${figure(score.toFixed(3), 'congestion_score', note, scoreStyle(score, lines, since !== null))}
      ${waitFigure(snapshot, port.wait_basis)}
      ${counted('at_anchor', '')} ${counted('in_port', ', those at anchor too')}
      ${counted('arrivals_24h', ' in 24 h')} ${counted('departures_24h', ' in 24 h')}
    </dl>`;
}
