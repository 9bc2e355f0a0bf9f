/** The calendar week of a port's last year in which the vessels that berthed had taken longest since their arrival. */
import { berthingAt } from '../calls/berth-wait.ts';
import { MIN_DAY_COVERAGE } from '../calls/coverage.ts';
import type { PortCall } from '../calls/port-call.ts';
import type { WorstWeek } from '../contracts/known-days.ts';
import { groupBy } from '../reference/grouping.ts';
import { round } from '../reference/rounding.ts';
import { mean } from '../reference/statistics.ts';
import {
  addDays,
  DAY_MS,
  type Day,
  dayOf,
  daysBetween,
  endOfDay,
  HOUR_MS,
  startOfDay,
} from '../reference/time.ts';
import type { ReleaseStores } from './release-stores.ts';

const YEAR_DAYS = 365;
const WEEK_DAYS = 7;
/** Smallest number of berthings of a week that is compared. */
const MIN_BERTHED = 10;
/** 5 January 1970 was a Monday. */
const MONDAY = 4;
const HOURS_DECIMALS = 1;

function mondayOf(day: Day): Day {
  const since = startOfDay(day) / DAY_MS - MONDAY;
  return addDays(day, Math.floor(since / WEEK_DAYS) * WEEK_DAYS - since);
}

/**
 * Returns the week, hours from arrival to berth averaged over all its vessels, whatever their type. Compares weeks whose seven days
 * are covered; undefined without one.
 */
export function worstWeekOf(
  calls: readonly PortCall[],
  isCovered: (day: Day) => boolean,
): Omit<WorstWeek, 'port'> | undefined {
  const berthed = calls.flatMap((call) => {
    const at = berthingAt(call);
    return at === undefined ? [] : [{ at, hours: (at - call.ataAt) / HOUR_MS }];
  });
  const weeks = [...groupBy(berthed, ({ at }) => mondayOf(dayOf(at)))].flatMap(([first, week]) => {
    const last = addDays(first, WEEK_DAYS - 1);
    if (week.length < MIN_BERTHED || !daysBetween(first, last).every(isCovered)) return [];
    return [
      { first_day: first, last_day: last, berthed: week.length, hours: mean(week.map(({ hours }) => hours)) },
    ];
  });
  const [worst] = weeks.sort((a, b) => b.hours - a.hours);
  return worst && { ...worst, hours: round(worst.hours, HOURS_DECIMALS) };
}

/** In the year up to `lastDay`; empty where no single calls are stored. */
export async function findWorstWeek(
  { calls, waits }: ReleaseStores,
  lastDay: Day,
  port: string,
): Promise<WorstWeek[]> {
  const from = addDays(lastDay, -YEAR_DAYS);
  const days = await waits.current(port, { from, to: lastDay });
  const covered = new Set(days.filter(({ coverage }) => coverage >= MIN_DAY_COVERAGE).map(({ day }) => day));
  const found = await calls.between(port, startOfDay(from), endOfDay(lastDay));
  const worst = worstWeekOf(found, (day) => covered.has(day));
  return worst === undefined ? [] : [{ port, ...worst }];
}
