/** Vessels berthed a day beside what is usual, vessels that wait when a day ends, and the average wait with its spread. */
import type { Stop } from '../../core/contracts/known-days.ts';
import { daysBetween } from '../../core/reference/time.ts';
import type { Table } from '../api/response-table.ts';
import type { Values } from './line-chart.ts';
import { drawnAverage, quantile, type WaitHistory } from './wait-spread.ts';

/** A day of which less is observed has no figure. */
const MIN_COVERAGE = 0.8;
/** The usual range of a day is that of the observed ones of so many days before without stops, of which at least so many are known. */
const USUAL_DAYS = 28;
const MIN_USUAL_DAYS = 14;
const [LOW_SHARE, HIGH_SHARE] = [0.1, 0.9];

export interface Flow {
  /** Every UTC day from the first with a row to the last, `YYYY-MM-DD`. */
  readonly days: readonly string[];
  /** Null on a day that is not covered, in each of the series. */
  readonly berthed: Values;
  readonly usualLow: Values;
  readonly usualHigh: Values;
  readonly waiting: Values;
  readonly averageHours: Values;
  readonly p10Hours: Values;
  readonly p90Hours: Values;
}

/** The days from the first that is covered up to `lastDay`, which is over. */
export function flowOf(
  { days: rows, spreads }: WaitHistory,
  lastDay: string,
  stops: readonly Pick<Stop, 'first_day' | 'last_day'>[],
): Flow {
  const isStopped = (day: string): boolean =>
    stops.some(({ first_day, last_day }) => first_day <= day && day <= last_day);
  const byDay = new Map(
    rows.filter(({ coverage }) => coverage >= MIN_COVERAGE).map((row) => [row.date, row]),
  );
  const [first] = [...byDay.keys()].sort();
  const days = first === undefined ? [] : daysBetween(first, lastDay);
  const covered = (day: string) => byDay.get(day);
  const berthed = new Map(days.map((day) => [day, covered(day)?.berthed ?? null]));
  const usual = new Map(
    days.map((day, i) => {
      const before = days
        .slice(Math.max(0, i - USUAL_DAYS), i)
        .flatMap((earlier) => (isStopped(earlier) ? [] : (berthed.get(earlier) ?? [])))
        .sort((a, b) => a - b);
      const isKnown = before.length >= MIN_USUAL_DAYS;
      return [day, isKnown ? [quantile(before, LOW_SHARE), quantile(before, HIGH_SHARE)] : [null, null]];
    }),
  );
  const spreadOf = (day: string) => {
    const spread = covered(day) && spreads.get(day);
    return spread && drawnAverage(spread) !== null ? spread : undefined;
  };
  return {
    days,
    berthed: days.map((day) => berthed.get(day) ?? null),
    usualLow: days.map((day) => usual.get(day)?.[0] ?? null),
    usualHigh: days.map((day) => usual.get(day)?.[1] ?? null),
    waiting: days.map((day) => covered(day)?.waiting ?? null),
    averageHours: days.map((day) => spreadOf(day)?.averageHours ?? null),
    p10Hours: days.map((day) => spreadOf(day)?.p10Hours ?? null),
    p90Hours: days.map((day) => spreadOf(day)?.p90Hours ?? null),
  };
}

const COLUMNS = {
  berthed: 'berthed',
  usualLow: 'usual_low',
  usualHigh: 'usual_high',
  waiting: 'waiting',
  averageHours: 'avg_wait_hours',
  p10Hours: 'wait_p10_hours',
  p90Hours: 'wait_p90_hours',
} as const;

export function flowTable(flow: Flow, stops: readonly Stop[]): Table {
  const names = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
  const stopOn = (day: string): string => {
    const at = stops.findIndex(({ first_day, last_day }) => first_day <= day && day <= last_day);
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
