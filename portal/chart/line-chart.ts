/** One line over days or months, such as the import index. */
import uPlot from 'uplot';
import { colourOf, drawResponsively } from './canvas-colours.ts';
import { axisStyle, COMMON, dayText, gridStyle, monthText, timeAxis, timeSeries } from './plot-style.ts';
import type { Line } from './response-series.ts';

const HEIGHT = 260;

const baselineSeries = (): uPlot.Series => ({
  label: 'same months a year before',
  stroke: colourOf('--muted'),
  width: 1,
  dash: [4, 4],
  points: { show: false },
});

function optionsOf(width: number, { label, times, baseline }: Line): uPlot.Options {
  const text = (times[0]?.length ?? 0) > 'YYYY-MM'.length ? dayText : monthText;
  return {
    ...COMMON,
    width,
    height: HEIGHT,
    padding: [12, 12, 0, 8],
    axes: [
      { ...timeAxis(text), space: 64 },
      { ...axisStyle(), grid: gridStyle(), size: 48 },
    ],
    series: [
      timeSeries('UTC', text),
      { label, stroke: colourOf('--line-score'), width: 2, points: { show: true, size: 5 } },
      ...(baseline === undefined ? [] : [baselineSeries()]),
    ],
  };
}

export function lineChart(host: HTMLElement, line: Line): void {
  const seconds = line.times.map((time) => Date.parse(time.length === 7 ? `${time}-01` : time) / 1000);
  const data: uPlot.AlignedData = [
    seconds,
    [...line.values],
    ...(line.baseline === undefined ? [] : [seconds.map(() => line.baseline ?? null)]),
  ];
  let plot: uPlot | undefined;
  drawResponsively(host, (width) => {
    plot?.destroy();
    plot = new uPlot(optionsOf(width, line), data, host);
  });
}
