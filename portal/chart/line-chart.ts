/** Lines of one unit over days or months: the year of a port, ports compared, the import index. */
import uPlot from 'uplot';
import { dayYearText } from '../view/text.ts';
import { drawMarks, type Mark } from './alert-marks.ts';
import { cssColour, drawResponsively } from './canvas-colours.ts';
import { axisStyle, COMMON, FONT, gridStyle, nameFields, timeAxis, timeSeries } from './plot-style.ts';

export interface ChartLine {
  readonly label: string;
  /** Its name in the API, for the tooltip. */
  readonly field?: string;
  readonly values: readonly (number | null)[];
  /** Custom property of the style sheets, for example `--line-wait`. */
  readonly colour: string;
  readonly dash?: readonly [number, number];
  readonly width?: number;
}

export interface LineChart {
  /** UTC days or months, `YYYY-MM-DD` or `YYYY-MM`, ascending and without gaps. */
  readonly times: readonly string[];
  readonly lines: readonly ChartLine[];
  /** Indices of two lines between which the chart is filled, the upper first. */
  readonly band?: readonly [upper: number, lower: number];
  readonly axisLabel?: string;
  /** Formats the times of axis and legend; days and months without. */
  readonly timeText?: Intl.DateTimeFormat;
  readonly marks?: readonly Mark[];
  /** The axis begins at zero. */
  readonly fromZero?: boolean;
}

/** Fewer days are no line, and this is said instead. */
export const DRAWN_DAYS = 3;
export const TOO_SHORT = 'A day or two of data: too few for a line.';

const HEIGHT = 260;
const NARROW = 480;
/** Points of a line this short are drawn too: a lone one has no line. */
const FEW = 40;

const series = ({ label, values, colour, dash, width = 2 }: ChartLine, hasPoints: boolean): uPlot.Series => ({
  label,
  stroke: cssColour(colour),
  width,
  ...(dash ? { dash: [...dash] } : {}),
  points: { show: hasPoints && values.length <= FEW, size: 5 },
  value: (_, value) => (value === null || value === undefined ? '' : String(Math.round(value * 10) / 10)),
});

function options(width: number, chart: LineChart): uPlot.Options {
  const { lines, band, axisLabel, timeText, marks = [], fromZero } = chart;
  const filled: uPlot.Band | undefined = band && {
    series: [band[0] + 1, band[1] + 1],
    fill: cssColour('--line-wait-fill'),
  };
  return {
    ...COMMON,
    width,
    height: HEIGHT,
    padding: [12, 20, 0, 8],
    ...(fromZero ? { scales: { y: { range: (_, __, most) => [0, Math.max(1, (most ?? 1) * 1.1)] } } } : {}),
    axes: [
      { ...timeAxis(timeText), space: width < NARROW ? 48 : 64 },
      {
        ...axisStyle(),
        grid: gridStyle(),
        size: 42,
        ...(axisLabel === undefined ? {} : { label: axisLabel, labelSize: 18, labelFont: FONT }),
      },
    ],
    series: [
      timeSeries('UTC', timeText ?? dayYearText),
      ...lines.map((line) => series(line, line.dash === undefined)),
    ],
    ...(filled ? { bands: [filled] } : {}),
    hooks: {
      ready: [
        ...COMMON.hooks.ready,
        (plot) =>
          nameFields(
            plot,
            lines.map(({ field }) => field),
          ),
      ],
      draw: [(plot) => drawMarks(plot, marks, false)],
    },
  };
}

const seconds = (time: string): number => Date.parse(time.length === 7 ? `${time}-01` : time) / 1000;

/** `chartNow` is called at each drawing, as marks and lines may load after the first. */
export function lineChart(host: HTMLElement, chartNow: () => LineChart): void {
  let plot: uPlot | undefined;
  drawResponsively(host, (width) => {
    plot?.destroy();
    const chart = chartNow();
    const data: uPlot.AlignedData = [
      chart.times.map(seconds),
      ...chart.lines.map(({ values }) => [...values]),
    ];
    plot = new uPlot(options(width, chart), data, host);
  });
}
