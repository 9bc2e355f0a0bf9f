/** The common style of all charts: font, dates in UTC, and unobtrusive axes. */
import uPlot from 'uplot';
import { colourOf } from './canvas-colours.ts';

export const FONT = '12px ui-sans-serif, system-ui, sans-serif';
export const dayText = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
export const monthText = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  year: '2-digit',
  timeZone: 'UTC',
});

/** Dates on the axis are those of the API, not of the reader's time zone. */
const utcDate = (seconds: number): Date => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC');

/** While no pointer is on a chart, its legend shows the newest values instead of none. */
function tellNewest(plot: uPlot): void {
  const show = (): void => plot.setLegend({ idx: plot.data[0].length - 1 }, false);
  plot.over.addEventListener('mouseleave', show);
  show();
}

/** Common options of all charts. */
export const COMMON = {
  tzDate: utcDate,
  cursor: { drag: { x: false, y: false }, points: { size: 7 } },
  hooks: { ready: [tellNewest] },
} satisfies Partial<uPlot.Options>;

/** In the current colours, so call it at each drawing. */
export const axisStyle = (): uPlot.Axis => ({
  stroke: colourOf('--muted'),
  font: FONT,
  ticks: { show: false },
  gap: 6,
});

export const gridStyle = (): uPlot.Axis.Grid => ({ stroke: colourOf('--grid'), width: 1 });

/** The time axis under a chart; `text` formats its dates. */
export const timeAxis = (text: Intl.DateTimeFormat): uPlot.Axis => ({
  ...axisStyle(),
  grid: { show: false },
  size: 28,
  values: (_, splits) => splits.map((seconds) => text.format(seconds * 1000)),
});

/** The time series, which the legend shows first. */
export const timeSeries = (label: string, text: Intl.DateTimeFormat): uPlot.Series => ({
  label,
  value: (_, seconds) => (seconds === null ? '' : text.format(seconds * 1000)),
});
