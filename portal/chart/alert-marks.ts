/** The alerts of a port as marks on a chart over days. */
import type uPlot from 'uplot';
import { cssColour } from './drawing.ts';

/** A mark at a moment; several on one day share a line. */
export interface Mark {
  readonly number: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly tone: 'low' | 'medium' | 'high' | 'fall';
}

const FLAG = 9;
const DOT = 4;
const DAY_S = 86_400;

function drawDayLine({ ctx, bbox }: uPlot, x: number, colour: string): void {
  const ratio = devicePixelRatio;
  ctx.strokeStyle = colour;
  ctx.lineWidth = ratio;
  ctx.setLineDash([3 * ratio, 3 * ratio]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** The flag of a mark, the `row`th of its day; without a number a dot. */
function drawFlag({ ctx, bbox }: uPlot, text: string, x: number, row: number, colour: string): void {
  const ratio = devicePixelRatio;
  const radius = text === '' ? DOT : FLAG;
  const y = bbox.top + (radius + row * (2 * radius + 3)) * ratio;
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.arc(x, y, radius * ratio, 0, 2 * Math.PI);
  ctx.fill();
  ctx.fillStyle = cssColour('--on-tone');
  ctx.fillText(text, x, y);
}

/** Draws the marks on the day of their alert, one flag under the other: numbered, or dots where days are narrow. */
export function drawMarks(plot: uPlot, marks: readonly Mark[], numbered: boolean): void {
  const { ctx } = plot;
  const [firstDay = 0, lastDay = 0] = [plot.data[0][0], plot.data[0].at(-1)];
  const flagsOn = new Map<number, number>();
  ctx.save();
  ctx.font = `600 ${10 * devicePixelRatio}px ui-sans-serif, system-ui, sans-serif`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  for (const { number, at, tone } of marks) {
    const day = Math.floor(at / 1000 / DAY_S) * DAY_S;
    if (day < firstDay || day > lastDay) continue;
    const x = plot.valToPos(day, 'x', true);
    const row = flagsOn.get(day) ?? 0;
    flagsOn.set(day, row + 1);
    const colour = cssColour(`--tone-${tone}`);
    if (row === 0) drawDayLine(plot, x, colour);
    drawFlag(plot, numbered ? String(number) : '', x, row, colour);
  }
  ctx.restore();
}
