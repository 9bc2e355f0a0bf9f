/** The calendar week of a port's last year in which the vessels that berthed had waited longest. */
import { MIN_DAY_COVERAGE } from '../calls/coverage.ts';
import type { WorstWeek } from '../contracts/known-days.ts';
import { groupBy } from '../reference/grouping.ts';
import { round } from '../reference/rounding.ts';
import { sum } from '../reference/statistics.ts';
import { addDays, DAY_MS, type Day, startOfDay } from '../reference/time.ts';
import { groupDays, type WaitDayPart } from '../store/wait-days.ts';
import type { ReleaseStores } from './release-stores.ts';

const YEAR_DAYS = 365;
const WEEK_DAYS = 7;
/** Fewer say little of a week. */
const MIN_BERTHED = 10;
/** 5 January 1970 was a Monday. */
const MONDAY = 4;
const HOURS_DECIMALS = 1;

function mondayOf(day: Day): Day {
  const since = startOfDay(day) / DAY_MS - MONDAY;
  return addDays(day, Math.floor(since / WEEK_DAYS) * WEEK_DAYS - since);
}

/** Returns the worst of the weeks with seven covered days; undefined without one. */
export function worstWeekOf(days: readonly WaitDayPart[]): Omit<WorstWeek, 'port'> | undefined {
  const covered = groupDays(days, 'all').filter(({ coverage }) => coverage >= MIN_DAY_COVERAGE);
  const weeks = [...groupBy(covered, ({ day }) => mondayOf(day))].flatMap(([first, week]) => {
    const berthed = sum(week.map((day) => day.berthed));
    if (week.length < WEEK_DAYS || berthed < MIN_BERTHED) return [];
    const hours = sum(week.flatMap(({ waits }) => waits)) / berthed;
    return [{ first_day: first, last_day: addDays(first, WEEK_DAYS - 1), berthed, hours }];
  });
  const [worst] = weeks.sort((a, b) => b.hours - a.hours);
  return worst && { ...worst, hours: round(worst.hours, HOURS_DECIMALS) };
}

/** In the year up to `lastDay`; empty where no week is covered. */
export async function findWorstWeek(
  { waits }: ReleaseStores,
  lastDay: Day,
  port: string,
): Promise<WorstWeek[]> {
  const days = await waits.current(port, { from: addDays(lastDay, -YEAR_DAYS), to: lastDay });
  const worst = worstWeekOf(days);
  return worst === undefined ? [] : [{ port, ...worst }];
}
