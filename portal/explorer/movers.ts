/** What changed this week: the ports whose score has moved most, each with its thirty days and a sentence. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PortChange } from '../../core/contracts/changes.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import { emptyNotice, failureNotice, loadingNotice } from '../view/notice.ts';
import { moveStyle, type ScoreLines } from '../view/score-class.ts';
import {
  averageWaitText,
  hoursText,
  isEstimate,
  isStill,
  movedText,
  nameInApi,
  scoreText,
  sentence,
  stoppedText,
  vesselsText,
} from '../view/text.ts';
import { type Explorer, findNamed } from './explorer.ts';
import { noChangeText } from './headline.ts';
import { type MapRoute, mapSearch } from './page-route.ts';
import { CHANGES, ranked, readChanges, readPorts } from './shown-ports.ts';
import { sparkline } from './sparkline.ts';

function scorePart({ congestion_score: score, congestion_score_change: change }: PortChange): string {
  if (score === null) return 'Nothing has been observed yet';
  if (change === null) return `Score ${scoreText(score)}`;
  if (isStill(change)) return `Score ${scoreText(score)}, as a week ago`;
  return `Score ${movedText(score, change)}`;
}

function anchorPart({ at_anchor: count, at_anchor_change: change }: PortChange): string {
  if (count === null) return '';
  const now = `${vesselsText(count)} at anchor`;
  if (change === null) return now;
  if (change === 0) return `${now}, unchanged`;
  return `${now}, ${Math.abs(change)} ${change > 0 ? 'more' : 'fewer'} than a week ago`;
}

/** A wait that differs by less than this is the same for a reader. Hours. */
const SAME_HOURS = 0.5;

function waitPart(
  { avg_wait_hours: hours, avg_wait_hours_change: change }: PortChange,
  basis: PortRecord['wait_basis'],
): string {
  if (hours === null) return '';
  const now = averageWaitText(hours, basis);
  if (isEstimate(basis) || change === null || Math.abs(change) < SAME_HOURS) return now;
  return `${now} (${hoursText(Math.max(0, hours - change))} a week ago)`;
}

/** For example `Score rose from 0.29 to 0.41. 21 vessels at anchor, 12 more than a week ago; average wait for a berth 29 h (21 h a week ago).` */
export function moverSentence(
  change: PortChange,
  { wait_basis = null, stopped_since = null }: Partial<PortRecord>,
): string {
  const stop = stopped_since === null ? '' : stoppedText(stopped_since);
  const figures = [anchorPart(change), waitPart(change, wait_basis)].filter((part) => part !== '');
  const parts = [stop, scorePart(change), figures.join('; ')].filter((part) => part !== '');
  return parts.map(sentence).join(' ');
}

const SHOWN = 10;
/** A line of fewer days is a speck. */
const MIN_LINE_DAYS = 7;

function arrow(change: PortChange, isStopped: boolean, lines: ScoreLines): unknown {
  const { congestion_score: score, congestion_score_change: moved } = change;
  if (isStopped) return html`<span class="tag tag-stopped">stopped</span>`;
  if (moved === null || isStill(moved)) return nothing;
  const style = `arrow-${moveStyle(moved, score, lines, isStopped)}`;
  const title = nameInApi('congestion_score_change');
  return html`<span class=${style} title=${title}>${moved > 0 ? '▲ +' : '▼ −'}${scoreText(Math.abs(moved))}</span>`;
}

function mover(explorer: Explorer, change: PortChange, route: MapRoute): TemplateResult {
  const { name, port, scores } = change;
  const isSelected = port === route.port;
  const state: Partial<PortRecord> = findNamed(readPorts(explorer).records, port) ?? {};
  const hasLine = scores.filter((score) => score !== null).length >= MIN_LINE_DAYS;
  return html`<li class="mover ${isSelected ? 'selected' : ''}">
    <p class="mover-head">
      <a href=${mapSearch({ ...route, port })} aria-current=${isSelected ? 'true' : nothing}>${name}</a> <code>${port}</code>
      ${arrow(change, typeof state.stopped_since === 'string', explorer.lines)}
    </p>
    ${hasLine ? sparkline(scores) : nothing}
    <p class="mover-text">${moverSentence(change, state)}</p>
  </li>`;
}

/** The ports that moved most; where none has moved, those that have figures, worst first. */
function shownChanges(records: readonly PortChange[], hasMoved: boolean): readonly PortChange[] {
  if (hasMoved)
    return records.filter(({ congestion_score_change: moved }) => moved !== null && !isStill(moved));
  return records
    .filter(({ congestion_score }) => congestion_score !== null)
    .toSorted((a, b) => (b.congestion_score ?? 0) - (a.congestion_score ?? 0));
}

function content(explorer: Explorer, route: MapRoute, hasMoved: boolean): unknown {
  const { responses } = explorer;
  // That the list of ports has failed is said elsewhere.
  if (readPorts(explorer).failure || responses.key === '') return nothing;
  const { records, failure, complete } = readChanges(explorer);
  if (failure) return failureNotice(failure, () => responses.retry(CHANGES));
  if (!complete) return loadingNotice('changes');
  if (records.length === 0) return emptyNotice('No port is covered yet.');
  const shown = shownChanges(ranked(records), hasMoved).slice(0, SHOWN);
  return html`<ol>${shown.map((change) => mover(explorer, change, route))}</ol>`;
}

export function movers(explorer: Explorer, route: MapRoute): TemplateResult {
  const hasMoved = noChangeText(ranked(readChanges(explorer).records), explorer.isRecorded) === '';
  return html`
  <section class="movers" aria-labelledby="movers-title">
    <header class="movers-head">
      <h2 id="movers-title">${hasMoved ? 'Changed most this week' : 'Highest scores'}</h2>
      <span class="movers-line" ?hidden=${!hasMoved}>score of 30 days</span>
    </header>
    <div class="movers-body" tabindex="0" role="region" aria-label="Ports, each with its change">${content(explorer, route, hasMoved)}</div>
  </section>`;
}
