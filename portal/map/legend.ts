/** What colours, sizes, rings and arrows of the map mean. */
import { html, type TemplateResult } from 'lit-html';
import { fieldName } from '../view/field-name.ts';
import { type ScoreLines, scoreClasses } from '../view/score-class.ts';

const SMALLEST = 4.5;
const LARGEST = 20;
/** The area grows with the vessels. */
const PER_ROOT_VESSEL = 2.4;
/** Returns the radius of a port's circle, in screen pixels, for its number of vessels at anchor. */
export const circleRadius = (atAnchor: number): number =>
  Math.min(LARGEST, SMALLEST + PER_ROOT_VESSEL * Math.sqrt(atAnchor));

const SIZES = [0, 10, 30] as const;

function circle(atAnchor: number): TemplateResult {
  const radius = circleRadius(atAnchor);
  const side = 2 * radius + 2;
  return html`<svg class="legend-circle" width=${side} height=${side} aria-hidden="true"><circle cx=${side / 2} cy=${side / 2} r=${radius}></circle></svg>`;
}

export function scoreLegend(lines: ScoreLines): TemplateResult {
  const classes = scoreClasses(lines);
  const colours = classes.map(({ rank, label, from }, i) => {
    const to = classes[i + 1]?.from;
    const range = to === undefined ? `≥ ${from}` : `${from}–${to}`;
    return html`<li><span class="swatch score-${rank}"></span>${label} <b>${range}</b></li>`;
  });
  return html`<div class="legends">
    <ul class="legend" aria-label="Colours">
      <li>${fieldName('congestion_score', 'Congestion score')}</li>${colours}
      <li><span class="swatch score-stopped"></span>stopped</li>
    </ul>
    <ul class="legend" aria-label="Sizes and signs">
      <li>${fieldName('at_anchor', 'Vessels at anchor')}</li>
      ${SIZES.map((count) => html`<li>${circle(count)}${count}</li>`)}
      <li><span class="swatch swatch-ring"></span>can be read, nothing held</li>
      <li><span class="arrow-up">▲</span><span class="arrow-down">▼</span> change in 7 days</li>
    </ul>
  </div>`;
}
