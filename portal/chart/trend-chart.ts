/** The trend on two axes, score and waiting hours, with a numbered mark at each alert. */
import uPlot from 'uplot';
import { colourOf, drawResponsively } from './canvas-colours.ts';
import { tellNewest } from './newest-values.ts';

export interface TrendSeries {
  /** UTC days, `YYYY-MM-DD`, ascending. */
  readonly days: readonly string[];
  readonly scores: readonly (number | null)[];
  readonly waitHours: readonly (number | null)[];
}

/** A mark at a moment; several on one day share a flag. */
export interface Mark {
  readonly number: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly severity: 'low' | 'medium' | 'high';
}

const HEIGHT = 300;
const FLAG = 9;
const DAY_S = 86_400;
const FONT = '12px ui-sans-serif, system-ui, sans-serif';
const dayText = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;

/** Every day from the first to the last: a day that the service left out is a gap in the line, not a bridge. */
function withGaps({ days, scores, waitHours }: TrendSeries): uPlot.AlignedData {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [[], [], []];
  const index = new Map(days.map((day, i) => [secondsOf(day), i]));
  const length = Math.round((secondsOf(last) - secondsOf(first)) / DAY_S) + 1;
  const times = Array.from({ length }, (_, i) => secondsOf(first) + i * DAY_S);
  const at = (values: readonly (number | null)[]) =>
    times.map((time) => values[index.get(time) ?? -1] ?? null);
  return [times, at(scores), at(waitHours)];
}

/** Draws the marks on the day their alert speaks of, one flag under the other. */
function drawMarks(plot: uPlot, marks: readonly Mark[]): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const taken = new Map<number, number>();
  ctx.save();
  ctx.font = `600 ${10 * ratio}px ui-sans-serif, system-ui, sans-serif`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  for (const { number, at, severity } of marks) {
    const day = Math.floor(at / 1000 / DAY_S) * DAY_S;
    const [firstDay = 0, lastDay = 0] = [plot.data[0][0], plot.data[0].at(-1)];
    if (day < firstDay || day > lastDay) continue;
    const x = plot.valToPos(day, 'x', true);
    const row = taken.get(day) ?? 0;
    taken.set(day, row + 1);
    const y = bbox.top + (FLAG + row * (2 * FLAG + 3)) * ratio;
    const colour = colourOf(`--severity-${severity}`);
    if (row === 0) {
      ctx.strokeStyle = colour;
      ctx.lineWidth = ratio;
      ctx.setLineDash([3 * ratio, 3 * ratio]);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.setLineDash([]);
    }
    ctx.fillStyle = colour;
    ctx.beginPath();
    ctx.arc(x, y, FLAG * ratio, 0, 2 * Math.PI);
    ctx.fill();
    ctx.fillStyle = colourOf('--on-severity');
    ctx.fillText(String(number), x, y);
  }
  ctx.restore();
}

function optionsOf(width: number, marks: readonly Mark[], bars: boolean): uPlot.Options {
  const grid = { stroke: colourOf('--grid'), width: 1 };
  const axis = { stroke: colourOf('--muted'), font: FONT, ticks: { show: false }, gap: 6 };
  return {
    width,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    padding: [12, 8, 0, 8],
    cursor: { drag: { x: false, y: false }, points: { size: 7 } },
    legend: { live: true },
    scales: {
      x: { time: true },
      score: { range: [0, 1] },
      hours: { range: (_, __, most) => [0, Math.max(1, (most ?? 1) * 1.15)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 56,
        incrs: [1, 2, 5, 7].map((days) => days * DAY_S),
        values: (_, splits) => splits.map((seconds) => dayText.format(seconds * 1000)),
      },
      { ...axis, scale: 'score', grid, size: 42, label: 'congestion_score', labelSize: 18, labelFont: FONT },
      {
        ...axis,
        scale: 'hours',
        side: 1,
        grid: { show: false },
        size: 42,
        label: 'avg_wait_hours',
        labelSize: 18,
        labelFont: FONT,
      },
    ],
    series: [
      { label: 'UTC day', value: (_, seconds) => (seconds === null ? '' : dayText.format(seconds * 1000)) },
      {
        label: 'congestion_score',
        scale: 'score',
        stroke: colourOf('--line-score'),
        fill: colourOf('--line-score-fill'),
        width: 2,
        points: { show: bars, size: 6 },
      },
      {
        label: 'avg_wait_hours',
        scale: 'hours',
        stroke: colourOf('--line-wait'),
        width: 2,
        dash: [6, 4],
        points: { show: bars, size: 6 },
      },
    ],
    hooks: { draw: [(plot) => drawMarks(plot, marks)], ready: [tellNewest] },
  };
}

/** Few points are drawn as points too. */
const FEW = 10;

export function trendChart(host: HTMLElement, series: TrendSeries, marks: () => readonly Mark[]): void {
  const data = withGaps(series);
  let plot: uPlot | undefined;
  drawResponsively(host, (width) => {
    plot?.destroy();
    plot = new uPlot(optionsOf(width, marks(), data[0].length <= FEW), data, host);
  });
}
