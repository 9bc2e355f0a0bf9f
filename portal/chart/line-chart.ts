/** Lines over days or months, on one axis or two, with bands between lines, and marks: every chart of the portal. */
import { html, type TemplateResult } from 'lit-html';
import uPlot from 'uplot';
import { dayText, dayYearText, monthText } from '../view/text.ts';
import { drawMarks, type Mark } from './alert-marks.ts';
import { cssColour, drawnBy } from './drawing.ts';

export type Values = readonly (number | null)[];

export interface ChartLine {
  readonly label: string;
  /** Its name in the API, for the tooltip. */
  readonly field?: string;
  readonly values: Values;
  /** Custom property of the style sheets, for example `--line-wait`; without one it has a value in the legend and no line. */
  readonly colour?: string;
  readonly fill?: string;
  readonly dash?: readonly [number, number];
  readonly width?: number;
  readonly axis?: 'left' | 'right';
  /** A lone point has no line. */
  readonly hasPoints?: boolean;
  /** Its values in the legend, with one decimal at most without it. */
  readonly text?: (value: number) => string;
}

interface Axis {
  readonly label?: string;
  /** Largest value of its lines to the ends of the axis; around the values without. */
  readonly range?: (most: number) => [number, number];
}

export interface LineChart {
  /** UTC days or months, `YYYY-MM-DD` or `YYYY-MM`, ascending and without gaps. */
  readonly times: readonly string[];
  readonly lines: readonly ChartLine[];
  /** Indices of two lines between which the chart is filled, the upper first. */
  readonly bands?: readonly (readonly [upper: number, lower: number])[];
  readonly left?: Axis;
  readonly right?: Axis;
  /** The times are days of one month or two: the axis has a tick at every few of them. */
  readonly isDaily?: boolean;
  /** Formats the times of axis and legend; days and months without. */
  readonly timeText?: Intl.DateTimeFormat;
  readonly marks?: readonly Mark[];
}

/** Least number of days to draw as a line; with fewer, `TOO_SHORT` is shown instead. */
export const DRAWN_DAYS = 3;
export const TOO_SHORT = 'A day or two of data: too few for a line.';

export const fromZero =
  (headroom = 1.1) =>
  (most: number): [number, number] => [0, Math.max(1, most * headroom)];

const FONT = '12px ui-sans-serif, system-ui, sans-serif';
const HEIGHT = { month: 300, year: 260 } as const;
const NARROW = 480;
/** Points of a line this short are drawn too. */
const FEW = 40;
const DAY_S = 86_400;
const MONTH_S = 28 * DAY_S;
/** Steps of the time axis, days: within a day, or a month of months, two ticks would have one text. */
const STEPS = {
  daily: [1, 2, 5, 7],
  yearly: [1, 2, 3, 5, 7, 9, 15, 30, 60, 90, 120, 180, 365, 730, 1825],
} as const;
/** Dashes shorter than this look like dots. */
const DOTTED_PX = 4;

const seconds = (time: string): number => Date.parse(time.length === 7 ? `${time}-01` : time) / 1000;
const rounded = (value: number): string => String(Math.round(value * 10) / 10);

/** The marker of a line in the legend is dashed as the line is. */
const legendDash = ({ series }: uPlot, index: number): string => {
  const [length] = series[index]?.dash ?? [];
  if (length === undefined) return 'solid';
  return length < DOTTED_PX ? 'dotted' : 'dashed';
};

/** While no pointer is on a chart, its legend shows the newest values of the first line instead of none. */
function showNewest(plot: uPlot): void {
  const newest = plot.data[1]?.findLastIndex((value) => value !== null) ?? -1;
  const show = (): void => plot.setLegend({ idx: newest < 0 ? plot.data[0].length - 1 : newest }, false);
  plot.over.addEventListener('mouseleave', show);
  show();
}

/** Titles the labels of the legend with the names that the lines have in the API. */
function nameFields(plot: uPlot, lines: readonly ChartLine[]): void {
  const labels = plot.root.querySelectorAll<HTMLElement>('.u-legend .u-label');
  for (const [i, { field }] of lines.entries())
    if (field !== undefined) labels[i + 1]?.setAttribute('title', `${field} in the API`);
}

function series(line: ChartLine): uPlot.Series {
  const { label, values, colour, fill, dash, width = 2, axis = 'left', text = rounded } = line;
  const { hasPoints = dash === undefined && values.length <= FEW } = line;
  return {
    label,
    scale: colour === undefined ? 'undrawn' : axis,
    width,
    ...(colour === undefined ? { stroke: 'transparent', paths: () => null } : { stroke: cssColour(colour) }),
    ...(fill === undefined ? {} : { fill: cssColour(fill) }),
    ...(dash ? { dash: [...dash] } : {}),
    points: { show: hasPoints && colour !== undefined, size: 5 },
    value: (_, value) => (value === null || value === undefined ? '' : text(value)),
  };
}

const axisStyle = (): uPlot.Axis => ({
  stroke: cssColour('--muted'),
  font: FONT,
  ticks: { show: false },
  gap: 6,
});

const figureAxis = (scale: 'left' | 'right', { label }: Axis): uPlot.Axis => ({
  ...axisStyle(),
  scale,
  size: 42,
  // Two grids would be one over the other.
  ...(scale === 'left'
    ? { grid: { stroke: cssColour('--grid'), width: 1 } }
    : { side: 1, grid: { show: false } }),
  ...(label === undefined ? {} : { label, labelSize: 18, labelFont: FONT }),
});

function timeAxis(width: number, { isDaily, timeText }: LineChart): uPlot.Axis {
  const yearSpace = width < NARROW ? 48 : 64;
  return {
    ...axisStyle(),
    grid: { show: false },
    size: 28,
    space: isDaily ? 56 : yearSpace,
    incrs: STEPS[isDaily ? 'daily' : 'yearly'].map((days) => days * DAY_S),
    values: (_, splits, __, ___, incrementS) =>
      splits.map((at) => (timeText ?? (incrementS < MONTH_S ? dayText : monthText)).format(at * 1000)),
  };
}

const scale = ({ range }: Axis): uPlot.Scale =>
  range === undefined ? {} : { range: (_, __, most) => range(most ?? 1) };

function options(width: number, chart: LineChart): uPlot.Options {
  const { lines, bands = [], left = {}, right, isDaily = false, timeText, marks = [] } = chart;
  const legendTime = timeText ?? (isDaily ? dayText : dayYearText);
  return {
    width,
    height: HEIGHT[isDaily ? 'month' : 'year'],
    padding: [12, right ? 8 : 20, 0, 8],
    legend: { live: true, markers: { dash: legendDash } },
    // Dates on the axis are those of the API, not of the reader's time zone.
    tzDate: (at) => uPlot.tzDate(new Date(at * 1000), 'Etc/UTC'),
    cursor: { drag: { x: false, y: false }, points: { size: 7 } },
    scales: { x: { time: true }, left: scale(left), ...(right ? { right: scale(right) } : {}) },
    axes: [timeAxis(width, chart), figureAxis('left', left), ...(right ? [figureAxis('right', right)] : [])],
    series: [
      {
        label: isDaily ? 'UTC day' : 'UTC',
        value: (_, at) => (at === null ? '' : legendTime.format(at * 1000)),
      },
      ...lines.map(series),
    ],
    bands: bands.map(([upper, lower]) => ({
      series: [upper + 1, lower + 1],
      fill: cssColour('--line-wait-fill'),
    })),
    hooks: {
      ready: [showNewest, (plot) => nameFields(plot, lines)],
      draw: [(plot) => drawMarks(plot, marks, isDaily)],
    },
  };
}

const plots = new WeakMap<Element, uPlot>();

/** `data` is what `describe` draws: the chart is drawn again when one of them is another. */
export const lineChart = (
  style: string,
  describe: () => LineChart,
  ...data: readonly unknown[]
): TemplateResult => {
  const draw = (host: HTMLElement, width: number): void => {
    plots.get(host)?.destroy();
    const chart = describe();
    const columns = chart.lines.map(({ values }) => [...values]);
    plots.set(host, new uPlot(options(width, chart), [chart.times.map(seconds), ...columns], host));
  };
  return html`<div class=${style} ${drawnBy(draw, ...data)}></div>`;
};
