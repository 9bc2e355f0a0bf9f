/**
 * When a day has few vessels for its port: the hourly rule of closures, adapted to daily counts of vessels present. These counts
 * are too correlated for a Poisson tail, so a rank among the days of a year replaces it.
 */
import { quantile } from '../../../core/reference/statistics.ts';
import type { DailyCounts } from './tables.ts';

/** The days whose median is the usual count: a number of known days before the day, a step apart. */
export interface UsualDays {
  readonly known: number;
  readonly step: number;
}

export const USUAL_DAYS: UsualDays = { known: 28, step: 1 };
/** A day is rare if at most this many days of the year before were as low. */
const RARE = { days: 365, asLow: 3 };
/** Known days of the year before that a judgement requires. */
const LEAST_KNOWN = 180;
/** With fewer vessels, too many days have none. */
export const LEAST_USUAL = 3;

/** The knowledge of a day at its end. */
export interface JudgedDay {
  /** Median count of the days before. */
  readonly usual: number;
  /** The day's count over the usual one. */
  readonly share: number;
  readonly isRare: boolean;
}

function usualBefore(counts: DailyCounts, index: number, { known, step }: UsualDays): number {
  const before: number[] = [];
  for (let i = index - step; i >= 0 && before.length < known; i -= step) {
    const count = counts[i];
    if (count !== undefined) before.push(count);
  }
  return before.length === 0 ? 0 : quantile(Float64Array.from(before).sort(), 0.5);
}

/** Undefined for a day without a count, with too few known days before, or of a port with hardly any vessel. */
export function judgeDay(counts: DailyCounts, index: number, days = USUAL_DAYS): JudgedDay | undefined {
  const count = counts[index];
  if (count === undefined) return undefined;
  const year = counts.slice(Math.max(0, index - RARE.days), index).filter((known) => known !== undefined);
  const usual = usualBefore(counts, index, days);
  if (year.length < LEAST_KNOWN || usual < LEAST_USUAL) return undefined;
  const isRare = year.filter((known) => known <= count).length <= RARE.asLow;
  return { usual, share: count / usual, isRare };
}
