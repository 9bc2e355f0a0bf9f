/** A year of waits at one port day by day, with the year before it. */
import { addDays } from '../../core/reference/time.ts';
import type { WaitSpread } from './wait-spread.ts';

type Values = readonly (number | null)[];

export interface YearSeries {
  /** Every UTC day from the first with a row to the last, `YYYY-MM-DD`, ascending; at most 366. */
  readonly days: readonly string[];
  /** Median and 90th percentile of the waits behind the average of the day; null where there is no row or no berthing. */
  readonly medianHours: Values;
  readonly p90Hours: Values;
  /** The same of the same days a year before; undefined without any. */
  readonly yearBefore: Pick<YearSeries, 'medianHours' | 'p90Hours'> | undefined;
}

const YEAR_DAYS = 366;

const yearEarlier = (day: string): string => `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;

/** The year that ends with `lastDay`, of the days in `spreads`. */
export function yearSeries(spreads: ReadonlyMap<string, WaitSpread>, lastDay: string): YearSeries {
  const year = Array.from({ length: YEAR_DAYS }, (_, i) => addDays(lastDay, -(YEAR_DAYS - 1 - i)));
  const first = year.findIndex((day) => spreads.has(day));
  const days = first < 0 ? [] : year.slice(first);
  const lines = (dates: readonly string[]) => ({
    medianHours: dates.map((day) => spreads.get(day)?.medianHours ?? null),
    p90Hours: dates.map((day) => spreads.get(day)?.p90Hours ?? null),
  });
  const before = lines(days.map(yearEarlier));
  const hasBefore = before.medianHours.some((hours) => hours !== null);
  return { days, ...lines(days), yearBefore: hasBefore ? before : undefined };
}
