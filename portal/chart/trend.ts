/**
 * The trend on two axes, score and waiting hours: behind the hours a band from the median to the 90th percentile of the
 * waits that they average, after them the fan of their forecast, and a numbered mark at each alert.
 */
import type { Forecast } from '../../core/contracts/forecast.ts';
import type { TrendPoint } from '../../core/contracts/trend.ts';
import { daysBetween } from '../../core/reference/time.ts';
import type { Mark } from './alert-marks.ts';
import { type ChartLine, fromZero, type LineChart, type Values } from './line-chart.ts';
import { drawnAverage, type WaitSpread } from './wait-spread.ts';

export interface Overlay {
  readonly marks: readonly Mark[];
  readonly spreads?: ReadonlyMap<string, WaitSpread> | undefined;
  /** Days of a forecast of the average wait, drawn as a fan after the trend. */
  readonly forecast?: Forecast['rows'] | undefined;
}

/** Hours are dashed, so that the lines also differ without colour. */
const EDGE = {
  axis: 'right',
  colour: '--line-wait-edge',
  width: 1,
  hasPoints: false,
  text: (hours: number) => hours.toFixed(1),
} as const;
const FAN = { ...EDGE, dash: [2, 3] } as const;

/** The edges of the band, and the number of berthings, which has no line. */
function spreadLines(spreads: readonly (WaitSpread | undefined)[]): ChartLine[] {
  const valuesOf = (figure: 'p90Hours' | 'medianHours' | 'berthings'): Values =>
    spreads.map((spread) => spread?.[figure] ?? null);
  const [p90, median] = ['90th percentile of waits', 'median of waits'];
  return [
    { ...EDGE, label: 'nine in ten at most, h', field: p90, values: valuesOf('p90Hours') },
    { ...EDGE, label: 'half waited at most, h', field: median, values: valuesOf('medianHours') },
    { label: 'berthings', field: 'berthed', values: valuesOf('berthings'), text: String },
  ];
}

/** The edges of the fan, dashed as the hours are, and its middle. */
function fanLines(forecast: Forecast['rows'], times: readonly string[]): ChartLine[] {
  const rows = new Map(forecast.map((row) => [row.date, row]));
  const valuesOf = (field: 'p10' | 'p50' | 'p90'): Values =>
    times.map((day) => rows.get(day)?.[field] ?? null);
  return [
    { ...FAN, label: 'likely at most, h', field: 'p90', values: valuesOf('p90') },
    { ...FAN, label: 'likely at least, h', field: 'p10', values: valuesOf('p10') },
    { ...FAN, label: 'forecast, h', field: 'p50', values: valuesOf('p50'), colour: '--line-wait', width: 2 },
  ];
}

/** A short series also has its points drawn. */
const FEW = 10;
const SCORE = {
  label: 'Congestion score',
  field: 'congestion_score',
  colour: '--line-score',
  fill: '--line-score-fill',
  text: String,
} as const;
const WAIT = {
  label: 'Average wait, h',
  field: 'avg_wait_hours',
  axis: 'right',
  colour: '--line-wait',
  dash: [6, 4],
  text: String,
} as const;

/** Every day from the first to the last, of the forecast where there is one: a day without a row is a gap in the line. */
export function trendChart(
  points: readonly Omit<TrendPoint, 'vessels'>[],
  { marks, spreads, forecast = [] }: Overlay,
): LineChart {
  const days = points.map(({ date }) => date);
  const times = daysBetween(days[0] ?? '', forecast.at(-1)?.date ?? days.at(-1) ?? '');
  const pointOn = new Map(points.map((point) => [point.date, point]));
  const column = (name: 'congestion_score' | 'avg_wait_hours'): Values =>
    times.map((day) => pointOn.get(day)?.[name] ?? null);
  const isGap = (day: string): boolean =>
    spreads?.has(day) === true && drawnAverage(spreads.get(day)) === null;
  const averages = column(WAIT.field).map((hours, i) => (isGap(times[i] ?? '') ? null : hours));
  const hasPoints = days.length <= FEW;
  const spreadOn = (day: string): WaitSpread | undefined =>
    pointOn.has(day) && !isGap(day) ? spreads?.get(day) : undefined;
  const band = spreads ? spreadLines(times.map(spreadOn)) : [];
  const fan = forecast.length > 0 ? fanLines(forecast, times) : [];
  const fanAt = 2 + band.length;
  return {
    times,
    isDaily: true,
    left: { label: 'Congestion score, 0 to 1', range: () => [0, 1] },
    right: { label: 'Average wait, hours', range: fromZero(1.15) },
    marks,
    lines: [
      { ...SCORE, values: column(SCORE.field), hasPoints },
      { ...WAIT, values: averages, hasPoints },
      ...band,
      ...fan,
    ],
    bands: [...(spreads ? [[2, 3] as const] : []), ...(fan.length > 0 ? [[fanAt, fanAt + 1] as const] : [])],
  };
}
