/**
 * The trend on two axes, score and waiting hours: behind the hours a band from the median to the 90th percentile of the
 * waits that they average, after them the fan of their forecast, and a numbered mark at each alert.
 */
import uPlot from 'uplot';
import { dayText } from '../view/text.ts';
import { drawMarks, type Mark } from './alert-marks.ts';
import { cssColour, drawResponsively } from './canvas-colours.ts';
import type { ServedForecast } from './forecast-text.ts';
import { axisStyle, COMMON, FONT, gridStyle, nameFields, timeAxis, timeSeries } from './plot-style.ts';
import type { TrendSeries } from './response-series.ts';
import type { WaitSpread } from './wait-spread.ts';

const HEIGHT = 300;
const DAY_S = 86_400;

const seconds = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;

/** What is drawn over the trend once it is known. */
export interface Overlay {
  readonly marks: readonly Mark[];
  /** The spread behind the average of a day; undefined when there is none to draw. */
  readonly findSpread?: ((day: string) => WaitSpread | undefined) | undefined;
  /** Days of a forecast of the average wait, drawn as a fan after the trend. */
  readonly forecast?: ServedForecast['rows'] | undefined;
}

/** Figures of the band and of the fan, in the order of their lines. */
const SPREAD_FIELDS = ['p90Hours', 'medianHours', 'berthings'] as const;
const FAN_FIELDS = ['p90', 'p10', 'p50'] as const;

/** Every day from the first to the last, of the forecast where there is one: a day without a row is a gap in the line. */
function withGaps(
  { days, scores, waitHours }: TrendSeries,
  { findSpread, forecast = [] }: Overlay,
): uPlot.AlignedData {
  const [first, last] = [days[0], forecast.at(-1)?.date ?? days.at(-1)];
  if (first === undefined || last === undefined) return [[], [], []];
  const length = Math.round((seconds(last) - seconds(first)) / DAY_S) + 1;
  const times = Array.from({ length }, (_, i) => seconds(first) + i * DAY_S);
  const column = (dates: readonly string[], values: readonly (number | null | undefined)[]) => {
    const valueAt = new Map(dates.map((day, i) => [seconds(day), values[i]]));
    return times.map((time) => valueAt.get(time) ?? null);
  };
  const spreads = findSpread === undefined ? [] : days.map(findSpread);
  const dates = forecast.map(({ date }) => date);
  return [
    times,
    column(days, scores),
    column(days, waitHours),
    ...(findSpread === undefined ? [] : SPREAD_FIELDS).map((field) =>
      column(
        days,
        spreads.map((spread) => spread?.[field]),
      ),
    ),
    ...(forecast.length === 0 ? [] : FAN_FIELDS).map((field) =>
      column(
        dates,
        forecast.map((row) => row[field]),
      ),
    ),
  ];
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
  { ...figureAxis('score', 'Congestion score, 0 to 1'), grid: gridStyle() },
  { ...figureAxis('hours', 'Average wait, hours'), side: 1, grid: { show: false } },
];

/** Hours are dashed, so that the lines also differ without colour. */
const lines = (points: boolean): uPlot.Series[] => [
  {
    label: 'Congestion score',
    scale: 'score',
    stroke: cssColour('--line-score'),
    fill: cssColour('--line-score-fill'),
    width: 2,
    points: { show: points, size: 6 },
  },
  {
    label: 'Average wait, h',
    scale: 'hours',
    stroke: cssColour('--line-wait'),
    width: 2,
    dash: [6, 4],
    points: { show: points, size: 6 },
  },
];

/** The edges of the band, and the number of berthings, which has a value in the legend and no line. */
const spreadSeries = (): uPlot.Series[] => [
  ...['nine in ten at most, h', 'half waited at most, h'].map((label) => ({
    label,
    scale: 'hours',
    stroke: cssColour('--line-wait-edge'),
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
/** The edges of the fan, dashed as the hours are, and its middle. */
const fanSeries = (): uPlot.Series[] =>
  ['likely at most, h', 'likely at least, h', 'forecast, h'].map((label, i) => ({
    label,
    scale: 'hours',
    stroke: cssColour(i === 2 ? '--line-wait' : '--line-wait-edge'),
    width: i === 2 ? 2 : 1,
    dash: [2, 3],
    points: { show: false },
    value: (_: uPlot, hours: number | null) => hours?.toFixed(1) ?? '',
  }));

const LINES = 2;
/** The filled areas, by the indices of their edges among the series. */
function bands(hasSpread: boolean, hasFan: boolean): uPlot.Band[] {
  const fill = cssColour('--line-wait-fill');
  const fan = LINES + (hasSpread ? SPREAD_FIELDS.length : 0) + 1;
  return [
    ...(hasSpread ? [{ series: [LINES + 1, LINES + 2] as [number, number], fill }] : []),
    ...(hasFan ? [{ series: [fan, fan + 1] as [number, number], fill }] : []),
  ];
}

const options = (
  width: number,
  { marks, findSpread, forecast = [] }: Overlay,
  points: boolean,
): uPlot.Options => ({
  ...COMMON,
  width,
  height: HEIGHT,
  padding: [12, 8, 0, 8],
  scales: {
    x: { time: true },
    score: { range: [0, 1] },
    hours: { range: (_, __, most) => [0, Math.max(1, (most ?? 1) * 1.15)] },
  },
  axes: axes(),
  series: [
    timeSeries('UTC day', dayText),
    ...lines(points),
    ...(findSpread ? spreadSeries() : []),
    ...(forecast.length > 0 ? fanSeries() : []),
  ],
  bands: bands(findSpread !== undefined, forecast.length > 0),
  hooks: {
    ready: [
      ...COMMON.hooks.ready,
      (plot) =>
        nameFields(plot, [
          'congestion_score',
          'avg_wait_hours',
          ...(findSpread ? ['90th percentile of waits', 'median of waits', 'berthed'] : []),
          ...(forecast.length > 0 ? FAN_FIELDS : []),
        ]),
    ],
    draw: [(plot) => drawMarks(plot, marks, true)],
  },
});

/** A short series also has its points drawn. */
const FEW = 10;

/** `overlay` is called at each drawing: alerts, waits and forecast may load after the trend. */
export function trendChart(host: HTMLElement, series: TrendSeries, overlay: () => Overlay): void {
  let plot: uPlot | undefined;
  drawResponsively(host, (width) => {
    plot?.destroy();
    const now = overlay();
    const data = withGaps(series, now);
    plot = new uPlot(options(width, now, series.days.length <= FEW), data, host);
  });
}
