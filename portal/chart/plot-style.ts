/** The common style of all charts: font, dates in UTC, and unobtrusive axes. */
import uPlot from 'uplot';
import { dayText, monthText } from '../view/text.ts';
import { cssColour } from './canvas-colours.ts';

export const FONT = '12px ui-sans-serif, system-ui, sans-serif';
/** Dates on the axis are those of the API, not of the reader's time zone. */
const utcDate = (seconds: number): Date => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC');

/** While no pointer is on a chart, its legend shows the newest values of the first line instead of none. */
function tellNewest(plot: uPlot): void {
  const newest = plot.data[1]?.findLastIndex((value) => value !== null) ?? -1;
  const show = (): void => plot.setLegend({ idx: newest < 0 ? plot.data[0].length - 1 : newest }, false);
  plot.over.addEventListener('mouseleave', show);
  show();
}

/** Titles the labels of the legend with the names that the lines have in the API, in the order of the lines. */
export function nameFields(plot: uPlot, fields: readonly (string | undefined)[]): void {
  const labels = plot.root.querySelectorAll<HTMLElement>('.u-legend .u-label');
  for (const [i, field] of fields.entries())
    if (field !== undefined) labels[i + 1]?.setAttribute('title', `${field} in the API`);
}

/** Dashes shorter than this look like dots. */
const DOTTED_PX = 4;
/** The marker of a line in the legend is dashed as the line is. */
const legendDash = ({ series }: uPlot, index: number): string => {
  const [length] = series[index]?.dash ?? [];
  if (length === undefined) return 'solid';
  return length < DOTTED_PX ? 'dotted' : 'dashed';
};

/** Common options of all charts. */
export const COMMON = {
  legend: { live: true, markers: { dash: legendDash } },
  tzDate: utcDate,
  cursor: { drag: { x: false, y: false }, points: { size: 7 } },
  hooks: { ready: [tellNewest] as ((plot: uPlot) => void)[] },
} satisfies Partial<uPlot.Options>;

/** In the current colours, so call it at each drawing. */
export const axisStyle = (): uPlot.Axis => ({
  stroke: cssColour('--muted'),
  font: FONT,
  ticks: { show: false },
  gap: 6,
});

export const gridStyle = (): uPlot.Axis.Grid => ({ stroke: cssColour('--grid'), width: 1 });

const MONTH_S = 28 * 86_400;

/** The time axis under a chart; `text` formats its dates, which are days or, further apart, months without it. */
export const timeAxis = (text?: Intl.DateTimeFormat): uPlot.Axis => ({
  ...axisStyle(),
  grid: { show: false },
  size: 28,
  values: (_, splits, __, ___, incrementS) =>
    splits.map((seconds) => (text ?? (incrementS < MONTH_S ? dayText : monthText)).format(seconds * 1000)),
});

/** The time series, which the legend shows first. */
export const timeSeries = (label: string, text: Intl.DateTimeFormat): uPlot.Series => ({
  label,
  value: (_, seconds) => (seconds === null ? '' : text.format(seconds * 1000)),
});
