/** Vessels berthed a day beside what is usual, vessels that wait when a day ends, and the average wait with its spread. */
import type { Stop } from '../../core/contracts/known-days.ts';
import { daysBetween } from '../../core/reference/time.ts';
import type { Table } from '../api/response-table.ts';
import type { Values } from './line-chart.ts';
import { drawnAverage, quantileOf, type WaitHistory } from './wait-spread.ts';

/** Least observed share of a day that gets a figure. */
const MIN_COVERAGE = 0.8;
/** The usual range is taken from this many days before without closures; at least `MIN_USUAL_DAYS` of them must be known. */
const USUAL_DAYS = 28;
const MIN_USUAL_DAYS = 14;
const [LOW_SHARE, HIGH_SHARE] = [0.1, 0.9];

/** The series, as the columns of the table name them. */
const COLUMNS = {
  berthed: 'berthed',
  usualLow: 'usual_low',
  usualHigh: 'usual_high',
  waiting: 'waiting',
  averageHours: 'avg_wait_hours',
  p10Hours: 'wait_p10_hours',
  p90Hours: 'wait_p90_hours',
} as const;

/** Each series has null on a day that is not covered. */
export interface Flow extends Readonly<Record<keyof typeof COLUMNS, Values>> {
  /** Every UTC day from the first with a row to the last, `YYYY-MM-DD`. */
  readonly days: readonly string[];
}

const isIn = (day: string, { first_day, last_day }: Pick<Stop, 'first_day' | 'last_day'>): boolean =>
  first_day <= day && day <= last_day;

/** The days from the first that is covered up to `lastDay`, which is over. */
export function flowOf(
  { days: rows, spreads }: WaitHistory,
  lastDay: string,
  stops: readonly Pick<Stop, 'first_day' | 'last_day'>[],
): Flow {
  const byDay = new Map(
    rows.filter(({ coverage }) => coverage >= MIN_COVERAGE).map((row) => [row.date, row]),
  );
  const [first] = [...byDay.keys()].sort();
  const days = first === undefined ? [] : daysBetween(first, lastDay);
  const covered = days.map((day) => byDay.get(day));
  const berthed = covered.map((row) => row?.berthed ?? null);
  const unstopped = days.map((day, i) => (stops.some((stop) => isIn(day, stop)) ? null : berthed[i]));
  const usual = days.map((_, i) => {
    const before = unstopped.slice(Math.max(0, i - USUAL_DAYS), i).flatMap((count) => count ?? []);
    return before.length < MIN_USUAL_DAYS ? [] : before.sort((a, b) => a - b);
  });
  const drawn = covered.map((row) => {
    const spread = row && spreads.get(row.date);
    return drawnAverage(spread) === null ? undefined : spread;
  });
  return {
    days,
    berthed,
    usualLow: usual.map((counts) => quantileOf(counts, LOW_SHARE)),
    usualHigh: usual.map((counts) => quantileOf(counts, HIGH_SHARE)),
    waiting: covered.map((row) => row?.waiting ?? null),
    averageHours: drawn.map((spread) => spread?.averageHours ?? null),
    p10Hours: drawn.map((spread) => spread?.p10Hours ?? null),
    p90Hours: drawn.map((spread) => spread?.p90Hours ?? null),
  };
}

export function flowTable(flow: Flow, stops: readonly Stop[]): Table {
  const names = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
  const stopOn = (day: string): string => {
    const at = stops.findIndex((stop) => isIn(day, stop));
    return at < 0 ? '' : String(at + 1);
  };
  return {
    columns: ['date', ...names.map((name) => COLUMNS[name]), 'stop'],
    rows: flow.days.map((day, i) => [
      day,
      ...names.map((name) => flow[name][i]?.toFixed(2).replace(/\.?0+$/, '') ?? ''),
      stopOn(day),
    ]),
  };
}

/** As a file: numbers as they are drawn, nothing where a day is not covered. */
export const csvOf = ({ columns, rows }: Table): string =>
  [columns, ...rows].map((cells) => `${cells.join(',')}\n`).join('');
