/** What wait is usual at a port: the middle of its own daily averages, of the same month a year before where they are known. */
import { addDays } from '../../core/reference/time.ts';
import { quantileOf, type WaitSpread } from './wait-spread.ts';

export interface UsualWait {
  readonly hours: number;
  /** The month that they are of, for example `October 2025`; undefined for the 90 days before the week. */
  readonly month: string | undefined;
}

/** Least number of days to compare with that must have an average. */
const MIN_DAYS_OF_MONTH = 20;
const MIN_DAYS_BEFORE = 28;
const DAYS_BEFORE = 90;
/** The averages of the week that is compared share berthings with it. */
const WEEK_DAYS = 7;

const monthText = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/**
 * What was usual before `day`: the median of the daily averages of its month a year before; with fewer than 20 of these, of the
 * 90 days that end a week before it; undefined with fewer than 28 of those.
 */
export function usualWait(spreads: ReadonlyMap<string, WaitSpread>, day: string): UsualWait | undefined {
  const median = (isCompared: (date: string) => boolean, least: number): number | null => {
    const hours = [...spreads].flatMap(([date, { averageHours }]) =>
      isCompared(date) ? (averageHours ?? []) : [],
    );
    const ascending = hours.toSorted((a, b) => a - b);
    return hours.length < least ? null : quantileOf(ascending, 0.5);
  };
  const month = `${Number(day.slice(0, 4)) - 1}${day.slice(4, 7)}`;
  const inMonth = median((date) => date.startsWith(month), MIN_DAYS_OF_MONTH);
  if (inMonth !== null)
    return { hours: inMonth, month: monthText.format(Date.parse(`${month}-01T00:00:00Z`)) };
  const [first, last] = [addDays(day, -(WEEK_DAYS + DAYS_BEFORE - 1)), addDays(day, -WEEK_DAYS)];
  const before = median((date) => date >= first && date <= last, MIN_DAYS_BEFORE);
  return before === null ? undefined : { hours: before, month: undefined };
}
