/** Twelve months of waits at one port: average and 90th percentile day by day, and the year before behind them. */
import { addDays, daysBetween } from '../../core/reference/time.ts';
import type { Table } from '../api/responses.ts';
import type { Mark } from './alert-marks.ts';
import { type ChartLine, fromZero, type LineChart, type Values } from './line-chart.ts';
import { drawnAverage, type WaitSpread } from './wait-spread.ts';

export interface YearSeries {
  /** Every UTC day from the first with a row to the last, `YYYY-MM-DD`, ascending; at most 366. */
  readonly days: readonly string[];
  /** The average as charts draw it, and the 90th percentile of the waits behind it; null where there is no row or no berthing. */
  readonly averageHours: Values;
  readonly p90Hours: Values;
  /** The same of the same days a year before; undefined without any. */
  readonly yearBefore: Pick<YearSeries, 'averageHours' | 'p90Hours'> | undefined;
}

const YEAR_DAYS = 366;

const yearEarlier = (day: string): string => `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;

export function yearSeries(spreads: ReadonlyMap<string, WaitSpread>, lastDay: string): YearSeries {
  const year = daysBetween(addDays(lastDay, 1 - YEAR_DAYS), lastDay);
  const first = year.findIndex((day) => spreads.has(day));
  const days = first < 0 ? [] : year.slice(first);
  const lines = (dates: readonly string[]) => ({
    averageHours: dates.map((day) => drawnAverage(spreads.get(day))),
    p90Hours: dates.map((day) => spreads.get(day)?.p90Hours ?? null),
  });
  const before = lines(days.map(yearEarlier));
  const hasBefore = before.averageHours.some((hours) => hours !== null);
  return { days, ...lines(days), yearBefore: hasBefore ? before : undefined };
}

const AVERAGE = { label: 'average, h', field: 'avg_wait_hours', colour: '--line-wait' };
const P90 = {
  label: 'nine in ten at most, h',
  field: '90th percentile of waits',
  colour: '--line-wait-edge',
  width: 1,
};
const BEFORE = { colour: '--muted', dash: [3, 4], width: 1 } as const;

export function yearChart(
  { days, averageHours, p90Hours, yearBefore }: YearSeries,
  marks: readonly Mark[],
): LineChart {
  const before: readonly ChartLine[] | undefined = yearBefore && [
    { ...BEFORE, label: 'average, a year before', values: yearBefore.averageHours },
    { ...BEFORE, label: 'nine in ten, a year before', values: yearBefore.p90Hours },
  ];
  return {
    times: days,
    left: { label: 'Wait, hours', range: fromZero() },
    marks,
    bands: [[1, 0]],
    lines: [{ ...AVERAGE, values: averageHours }, { ...P90, values: p90Hours }, ...(before ?? [])],
  };
}

export function yearTable({ days, averageHours, p90Hours, yearBefore }: YearSeries): Table {
  const before = yearBefore && [
    { label: 'average a year before, h', values: yearBefore.averageHours },
    { label: '90th percentile a year before, h', values: yearBefore.p90Hours },
  ];
  const lines = [
    { label: 'average, h', values: averageHours },
    { label: '90th percentile, h', values: p90Hours },
    ...(before ?? []),
  ];
  return {
    columns: ['UTC day', ...lines.map(({ label }) => label)],
    rows: days.map((day, i) => [day, ...lines.map(({ values }) => values[i]?.toFixed(1) ?? '')]),
  };
}
