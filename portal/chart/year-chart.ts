/** The chart of twelve months: median and 90th percentile of the waits, and the year before behind them. */
import type { Table } from '../api/response-table.ts';
import type { Mark } from './alert-marks.ts';
import type { ChartLine, LineChart } from './line-chart.ts';
import type { YearSeries } from './year-series.ts';

const beforeLine = (label: string, values: ChartLine['values']): ChartLine => ({
  label,
  values,
  colour: '--muted',
  dash: [3, 4],
  width: 1,
});

export const yearChart = (
  { days, medianHours, p90Hours, yearBefore }: YearSeries,
  marks: readonly Mark[],
): LineChart => ({
  times: days,
  axisLabel: 'Wait, hours',
  fromZero: true,
  marks,
  band: [1, 0],
  lines: [
    { label: 'half waited at most, h', field: 'median of waits', values: medianHours, colour: '--line-wait' },
    {
      label: 'nine in ten at most, h',
      field: '90th percentile of waits',
      values: p90Hours,
      colour: '--line-wait-edge',
      width: 1,
    },
    ...(yearBefore === undefined
      ? []
      : [
          beforeLine('half, a year before', yearBefore.medianHours),
          beforeLine('nine in ten, a year before', yearBefore.p90Hours),
        ]),
  ],
});

const hoursCell = (hours: number | null | undefined): string => hours?.toFixed(1) ?? '';

/** The same as a table. */
export const yearTable = ({ days, medianHours, p90Hours, yearBefore }: YearSeries): Table => ({
  columns: [
    'UTC day',
    'median, h',
    '90th percentile, h',
    ...(yearBefore === undefined ? [] : ['median a year before, h', '90th percentile a year before, h']),
  ],
  rows: days.map((day, i) => [
    day,
    hoursCell(medianHours[i]),
    hoursCell(p90Hours[i]),
    ...(yearBefore === undefined
      ? []
      : [hoursCell(yearBefore.medianHours[i]), hoursCell(yearBefore.p90Hours[i])]),
  ]),
});
