/** One line over days or months: the import index, and any other figure that the builder is asked for. */
import uPlot from 'uplot';
import { colourOf, drawResponsively } from './canvas-colours.ts';
import { tellNewest } from './newest-values.ts';

export interface Line {
  readonly label: string;
  /** UTC days or months, `YYYY-MM-DD` or `YYYY-MM`, ascending. */
  readonly times: readonly string[];
  readonly values: readonly (number | null)[];
  /** A level to compare with, drawn as a dashed line. */
  readonly baseline?: number;
}

const HEIGHT = 260;
const FONT = '12px ui-sans-serif, system-ui, sans-serif';
const monthText = new Intl.DateTimeFormat('en-GB', { month: 'short', year: '2-digit', timeZone: 'UTC' });
const dayText = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

function optionsOf(width: number, { label, times, baseline }: Line): uPlot.Options {
  const text = (times[0]?.length ?? 0) > 'YYYY-MM'.length ? dayText : monthText;
  const axis = { stroke: colourOf('--muted'), font: FONT, ticks: { show: false }, gap: 6 };
  return {
    width,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    padding: [12, 12, 0, 8],
    hooks: { ready: [tellNewest] },
    cursor: { drag: { x: false, y: false }, points: { size: 7 } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 64,
        values: (_, splits) => splits.map((seconds) => text.format(seconds * 1000)),
      },
      { ...axis, grid: { stroke: colourOf('--grid'), width: 1 }, size: 48 },
    ],
    series: [
      { label: 'UTC', value: (_, seconds) => (seconds === null ? '' : text.format(seconds * 1000)) },
      { label, stroke: colourOf('--line-score'), width: 2, points: { show: true, size: 5 } },
      ...(baseline === undefined
        ? []
        : [
            {
              label: 'same months a year before',
              stroke: colourOf('--muted'),
              width: 1,
              dash: [4, 4],
              points: { show: false },
            },
          ]),
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
