/** Ports by days, ranked: a row for each port, a cell for each day in the colour of its score. */
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { PortChange } from '../../core/contracts/changes.ts';
import type { Stop } from '../../core/contracts/known-days.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import { addDays } from '../../core/reference/time.ts';
import { fieldName } from '../view/field-name.ts';
import { type ScoreLines, scoreClass, scoreClasses, scoreStyle } from '../view/score-class.ts';
import { scrollTable } from '../view/table.ts';
import { scoreText } from '../view/text.ts';
import { sparklineText } from './sparkline.ts';

// The rows of the heat map: ports by days, on one calendar.

const DAYS = 30;

interface HeatRow {
  readonly port: string;
  readonly name: string;
  /** Newest score; null where nothing has been observed. */
  readonly score: number | null;
  /** One for each of the days of the heat map. */
  readonly scores: readonly (number | null)[];
  /** Berthings are stopped now. */
  readonly isStopped: boolean;
  /** Days on which they were. */
  readonly stoppedOn: ReadonlySet<string>;
}

interface HeatRows {
  /** UTC days, oldest first; empty where no port has been observed. */
  readonly days: readonly string[];
  /** Stopped ports, and then worst first. */
  readonly rows: readonly HeatRow[];
}

/** The thirty days up to the newest of any port. Each series ends with the day of its own port. */
export function heatRows(
  changes: readonly PortChange[],
  ports: readonly Pick<PortRecord, 'port' | 'stopped_since'>[],
  past: readonly Stop[] = [],
): HeatRows {
  const newest = changes.reduce((latest, { as_of }) => {
    const day = as_of?.slice(0, 10) ?? '';
    return day > latest ? day : latest;
  }, '');
  if (newest === '') return { days: [], rows: [] };
  const stops = new Map(ports.map((known) => [known.port, known.stopped_since]));
  const days = Array.from({ length: DAYS }, (_, i) => addDays(newest, i + 1 - DAYS));
  const rows = changes
    .map(({ port, name, as_of, congestion_score: score, scores }): HeatRow => {
      const last = (as_of ?? newest).slice(0, 10);
      const byDay = new Map(scores.map((value, i) => [addDays(last, i + 1 - scores.length), value]));
      const since = stops.get(port)?.slice(0, 10) ?? null;
      const ended = past.filter((stop) => stop.port === port);
      const stoppedOn = days.filter(
        (day) =>
          (since !== null && day >= since) ||
          ended.some((stop) => stop.first_day <= day && day <= stop.last_day),
      );
      return {
        port,
        name,
        score,
        scores: days.map((day) => byDay.get(day) ?? null),
        isStopped: since !== null,
        stoppedOn: new Set(stoppedOn),
      };
    })
    .filter(({ scores }) => scores.some((value) => value !== null))
    .sort(
      (a, b) =>
        Number(b.isStopped) - Number(a.isStopped) ||
        (b.score ?? -1) - (a.score ?? -1) ||
        a.name.localeCompare(b.name),
    );
  return { days, rows };
}

const CELL = 10;
/** Within a class a higher score has a fuller colour, from this share of it. */
const PALEST = 0.4;

function fullness(score: number, lines: ScoreLines): number {
  const { rank, from } = scoreClass(score, lines);
  const to = scoreClasses(lines)[rank + 1]?.from ?? 1;
  return PALEST + ((1 - PALEST) * (score - from)) / (to - from);
}

function cell({ scores, stoppedOn }: HeatRow, i: number, day: string, lines: ScoreLines): TemplateResult {
  const score = scores[i] ?? null;
  const isStopped = stoppedOn.has(day);
  const opacity = score === null || isStopped ? nothing : fullness(score, lines).toFixed(2);
  const text = `${isStopped ? 'stopped, ' : ''}${score === null ? 'no score' : scoreText(score)}`;
  return svg`<rect class="heat-cell ${scoreStyle(score, lines, isStopped)}" x=${i * CELL} width=${CELL - 1} height=${CELL} fill-opacity=${opacity}><title>${day}: ${text}</title></rect>`;
}

interface HeatOptions {
  readonly lines: ScoreLines;
  readonly portHref: (port: string) => string;
  /** Those of the last year. */
  readonly stops: readonly Stop[];
}

/** A table whose row headings lead to the ports; a sentence where there is nothing to draw. */
export function heatMap(
  changes: readonly PortChange[],
  ports: readonly PortRecord[],
  { lines, portHref, stops }: HeatOptions,
): TemplateResult {
  const { days, rows } = heatRows(changes, ports, stops);
  if (rows.length === 0) return html`<p class="notice">No port has a score of a whole day yet.</p>`;
  const box = `0 0 ${days.length * CELL} ${CELL}`;
  return scrollTable({
    label: 'Scores by port and day',
    style: 'heat-map',
    headings: [
      html`<th scope="col">Port</th>`,
      html`<th scope="col">${fieldName('scores', 'Score by day')}<span class="heat-days"><time>${days[0]}</time><time>${days.at(-1)}</time></span></th>`,
      html`<th scope="col" class="number">${fieldName('congestion_score', 'Now')}</th>`,
    ],
    rows: rows.map(
      (row) => html`<tr>
        <th scope="row"><a href=${portHref(row.port)}>${row.name}</a></th>
        <td class="heat"><svg class="heat-row" role="img" viewBox=${box} preserveAspectRatio="none" aria-label=${sparklineText(row.scores)}>
          ${days.map((day, i) => cell(row, i, day, lines))}
        </svg></td>
        <td class="number">${row.isStopped ? 'stopped, ' : ''}${row.score === null ? '' : scoreText(row.score)}</td>
      </tr>`,
    ),
  });
}
