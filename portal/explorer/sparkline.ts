/** Daily scores as a small line: where a day has none, the line has a gap. */
import { html, type TemplateResult } from 'lit-html';
import { scoreText } from '../view/text.ts';

const WIDTH = 112;
const HEIGHT = 30;
const MARGIN = 3;
/** A line that moves less than this looks flat. */
const SMALLEST_SPAN = 0.15;

type Scores = readonly (number | null)[];

/** Path data of the line, in the units of the drawing; a lone day is a dot. */
export function sparklinePath(scores: Scores): string {
  const known = scores.filter((score) => score !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const middle = (low + high) / 2;
  const span = Math.max(high - low, SMALLEST_SPAN);
  const x = (i: number): number => MARGIN + (i / Math.max(1, scores.length - 1)) * (WIDTH - 2 * MARGIN);
  const y = (score: number): number => HEIGHT / 2 - ((score - middle) / span) * (HEIGHT - 2 * MARGIN);
  let previous: number | null = null;
  return scores
    .map((score, i) => {
      const begins = previous === null;
      previous = score;
      if (score === null) return '';
      const isAlone = begins && (scores[i + 1] ?? null) === null;
      return `${begins ? 'M' : 'L'}${x(i).toFixed(1)} ${y(score).toFixed(1)}${isAlone ? 'h.01' : ''}`;
    })
    .join('');
}

/** For readers who do not see the line. */
export function sparklineText(scores: Scores): string {
  const known = scores.filter((score) => score !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return 'No score.';
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return `Score of ${scores.length} days: from ${scoreText(first)} to ${scoreText(last)}, lowest ${scoreText(low)}, highest ${scoreText(high)}.`;
}

export const sparkline = (scores: Scores): TemplateResult =>
  html`<svg class="sparkline" role="img" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-label=${sparklineText(scores)}><path d=${sparklinePath(scores)}></path></svg>`;
