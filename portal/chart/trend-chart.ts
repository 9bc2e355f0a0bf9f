/**
 * The trend on two axes, score and waiting hours: behind the hours a band from the median to the 90th percentile of the
 * waits that they average, and a numbered mark at each alert.
 */
import uPlot from 'uplot';
import { colourOf, drawResponsively } from './canvas-colours.ts';
import { axisStyle, COMMON, dayText, FONT, gridStyle, timeAxis, timeSeries } from './plot-style.ts';
import type { TrendSeries } from './response-series.ts';
import type { WaitSpread } from './wait-spread.ts';

/** A mark at a moment; several on one day share a flag. */
export interface Mark {
  readonly number: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly tone: 'low' | 'medium' | 'high' | 'fall';
}

const HEIGHT = 300;
const FLAG = 9;
const DAY_S = 86_400;

const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;

/** What is drawn over the trend once it is known. */
export interface Overlay {
  readonly marks: readonly Mark[];
  /** The spread behind the average of a day; undefined when there is none to draw. */
  readonly spreadOf?: (day: string) => WaitSpread;
}

/** Every day from the first to the last: a day without a row is a gap in the line. */
function withGaps(
  { days, scores, waitHours }: TrendSeries,
  spreadOf: Overlay['spreadOf'],
): uPlot.AlignedData {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [[], [], []];
  const spreads = spreadOf === undefined ? undefined : days.map(spreadOf);
  const index = new Map(days.map((day, i) => [secondsOf(day), i]));
  const length = Math.round((secondsOf(last) - secondsOf(first)) / DAY_S) + 1;
  const times = Array.from({ length }, (_, i) => secondsOf(first) + i * DAY_S);
  const at = (values: readonly (number | null)[]) =>
    times.map((time) => values[index.get(time) ?? -1] ?? null);
  const lines = [times, at(scores), at(waitHours)] as const;
  if (spreads === undefined) return [...lines];
  return [
    ...lines,
    at(spreads.map(({ p90Hours }) => p90Hours)),
    at(spreads.map(({ medianHours }) => medianHours)),
    at(spreads.map(({ berthings }) => berthings)),
  ];
}

/** The dashed line through the day of a mark. */
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

/** The numbered flag of a mark, the `row`th of its day. */
function drawFlag({ ctx, bbox }: uPlot, number: number, x: number, row: number, colour: string): void {
  const ratio = devicePixelRatio;
  const y = bbox.top + (FLAG + row * (2 * FLAG + 3)) * ratio;
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.arc(x, y, FLAG * ratio, 0, 2 * Math.PI);
  ctx.fill();
  ctx.fillStyle = colourOf('--on-tone');
  ctx.fillText(String(number), x, y);
}

/** Draws the marks on the day of their alert, one flag under the other. */
function drawMarks(plot: uPlot, marks: readonly Mark[]): void {
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
    const colour = colourOf(`--tone-${tone}`);
    if (row === 0) drawDayLine(plot, x, colour);
    drawFlag(plot, number, x, row, colour);
  }
  ctx.restore();
}

const figureAxis = (scale: string, label: string): uPlot.Axis => ({
  ...axisStyle(),
  scale,
  size: 42,
  label,
  labelSize: 18,
  labelFont: FONT,
});

/** Days at the bottom, the score at the left, hours at the right; only the score has grid lines. */
const axes = (): uPlot.Axis[] => [
  { ...timeAxis(dayText), space: 56, incrs: [1, 2, 5, 7].map((days) => days * DAY_S) },
  { ...figureAxis('score', 'congestion_score'), grid: gridStyle() },
  { ...figureAxis('hours', 'avg_wait_hours'), side: 1, grid: { show: false } },
];

/** Hours are dashed, so that the lines also differ without colour. */
const lines = (points: boolean): uPlot.Series[] => [
  {
    label: 'congestion_score',
    scale: 'score',
    stroke: colourOf('--line-score'),
    fill: colourOf('--line-score-fill'),
    width: 2,
    points: { show: points, size: 6 },
  },
  {
    label: 'avg_wait_hours',
    scale: 'hours',
    stroke: colourOf('--line-wait'),
    width: 2,
    dash: [6, 4],
    points: { show: points, size: 6 },
  },
];

/** The edges of the band, and the number of berthings, which has a value in the legend and no line. */
const spreadSeries = (): uPlot.Series[] => [
  ...['90th percentile', 'median'].map((label) => ({
    label,
    scale: 'hours',
    stroke: colourOf('--line-wait-edge'),
    width: 1,
    points: { show: false },
    value: (_: uPlot, hours: number | null) => hours?.toFixed(1) ?? '',
  })),
  {
    label: 'berthings',
    scale: 'berthings',
    stroke: 'transparent',
    paths: () => null,
    points: { show: false },
  },
];
/** Indices of the edges among the series. */
const BAND: [number, number] = [3, 4];

const optionsOf = (width: number, { marks, spreadOf }: Overlay, points: boolean): uPlot.Options => ({
  ...COMMON,
  width,
  height: HEIGHT,
  padding: [12, 8, 0, 8],
  legend: { live: true },
  scales: {
    x: { time: true },
    score: { range: [0, 1] },
    hours: { range: (_, __, most) => [0, Math.max(1, (most ?? 1) * 1.15)] },
  },
  axes: axes(),
  series: [timeSeries('UTC day', dayText), ...lines(points), ...(spreadOf ? spreadSeries() : [])],
  ...(spreadOf ? { bands: [{ series: BAND, fill: colourOf('--line-wait-fill') }] } : {}),
  hooks: { ...COMMON.hooks, draw: [(plot) => drawMarks(plot, marks)] },
});

/** A short series also has its points drawn. */
const FEW = 10;

/** `overlay` is called at each drawing: alerts and waits may load after the trend. */
export function trendChart(host: HTMLElement, series: TrendSeries, overlay: () => Overlay): void {
  let plot: uPlot | undefined;
  drawResponsively(host, (width) => {
    plot?.destroy();
    const now = overlay();
    const data = withGaps(series, now.spreadOf);
    plot = new uPlot(optionsOf(width, now, data[0].length <= FEW), data, host);
  });
}
