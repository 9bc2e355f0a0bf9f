/** Ports by days, ranked: a row for each port, a cell for each day in the colour of its score. */
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { PortChange } from '../../core/contracts/changes.ts';
import type { Stop } from '../../core/contracts/known-days.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import { addDays, daysBetween } from '../../core/reference/time.ts';
import { fieldName } from '../view/field-name.ts';
import { type ScoreLines, scoreClass, scoreClasses, scoreStyle } from '../view/score-class.ts';
import { scrollTable } from '../view/table.ts';
import { latestOf, scoreText } from '../view/text.ts';
import { type Explorer, findNamed } from './explorer.ts';
import { type MapRoute, mapSearch } from './page-route.ts';
import { readChanges, readPorts, worstFirst } from './port-index.ts';
import { sparklineText } from './sparkline.ts';

const DAYS = 30;

/** A port with the thirty days up to the newest of any port; a day without a score has null. */
interface HeatRow extends PortChange {
  readonly stopped_since: string | null;
  readonly cells: readonly {
    readonly day: string;
    readonly score: number | null;
    readonly isStopped: boolean;
  }[];
}

/** Stopped ports, and then worst first. The scores of a port end with the day of its own newest figures. */
export function heatRows(
  changes: readonly PortChange[],
  ports: readonly Pick<PortRecord, 'port' | 'stopped_since'>[],
  past: readonly Stop[],
): readonly HeatRow[] {
  const newest = latestOf(changes.map(({ as_of }) => as_of))?.slice(0, 10);
  if (newest === undefined) return [];
  const days = daysBetween(addDays(newest, 1 - DAYS), newest);
  return changes
    .map((change): HeatRow => {
      const { port, as_of, scores } = change;
      const last = (as_of ?? newest).slice(0, 10);
      const scoreOf = new Map(scores.map((score, i) => [addDays(last, i + 1 - scores.length), score]));
      const stopped_since = findNamed(ports, port)?.stopped_since ?? null;
      const ended = past.filter((stop) => stop.port === port);
      const isStopped = (day: string): boolean =>
        (stopped_since !== null && day >= stopped_since.slice(0, 10)) ||
        ended.some((stop) => stop.first_day <= day && day <= stop.last_day);
      const cells = days.map((day) => ({ day, score: scoreOf.get(day) ?? null, isStopped: isStopped(day) }));
      return { ...change, stopped_since, cells };
    })
    .filter(({ cells }) => cells.some(({ score }) => score !== null))
    .sort(worstFirst);
}

const CELL = 10;
/** Within a class a higher score has a fuller colour, from this share of it. */
const PALEST = 0.4;

function fullness(score: number, lines: ScoreLines): number {
  const { rank, from } = scoreClass(score, lines);
  const to = scoreClasses(lines)[rank + 1]?.from ?? 1;
  return PALEST + ((1 - PALEST) * (score - from)) / (to - from);
}

function cell(
  { day, score, isStopped }: HeatRow['cells'][number],
  i: number,
  lines: ScoreLines,
): TemplateResult {
  const opacity = score === null || isStopped ? nothing : fullness(score, lines).toFixed(2);
  const text = `${isStopped ? 'stopped, ' : ''}${score === null ? 'no score' : scoreText(score)}`;
  return svg`<rect class="heat-cell ${scoreStyle(score, lines, isStopped)}" x=${i * CELL} width=${CELL - 1} height=${CELL} fill-opacity=${opacity}><title>${day}: ${text}</title></rect>`;
}

/** A table whose row headings lead to the ports; a sentence where there is nothing to draw. */
export function heatMap(explorer: Explorer, route: MapRoute): TemplateResult {
  const { lines, days } = explorer;
  const rows = heatRows(
    readChanges(explorer).records,
    readPorts(explorer).records,
    days.index()?.stops ?? [],
  );
  const shownDays = rows[0]?.cells.map(({ day }) => day);
  if (shownDays === undefined) return html`<p class="notice">No port has a score of a whole day yet.</p>`;
  const box = `0 0 ${DAYS * CELL} ${CELL}`;
  return scrollTable({
    label: 'Scores by port and day',
    style: 'heat-map',
    headings: [
      html`<th scope="col">Port</th>`,
      html`<th scope="col">${fieldName('scores', 'Score by day')}<span class="heat-days"><time>${shownDays[0]}</time><time>${shownDays.at(-1)}</time></span></th>`,
      html`<th scope="col" class="number">${fieldName('congestion_score', 'Now')}</th>`,
    ],
    rows: rows.map(
      ({ port, name, congestion_score: score, stopped_since: since, cells }) => html`<tr>
        <th scope="row"><a href=${mapSearch({ ...route, port })}>${name}</a></th>
        <td class="heat"><svg class="heat-row" role="img" viewBox=${box} preserveAspectRatio="none" aria-label=${sparklineText(cells.map((shown) => shown.score))}>
          ${cells.map((shown, i) => cell(shown, i, lines))}
        </svg></td>
        <td class="number">${since === null ? '' : 'stopped, '}${score === null ? '' : scoreText(score)}</td>
      </tr>`,
    ),
  });
}
