/** The calendar week in which the vessels that berthed had waited longest. */
import { groupBy } from '../../core/reference/grouping.ts';
import { sum } from '../../core/reference/statistics.ts';
import { addDays, DAY_MS } from '../../core/reference/time.ts';
import { MIN_COVERAGE } from './flow.ts';
import type { SpreadDay } from './wait-spread.ts';

export interface Week {
  /** Its Monday and its Sunday, UTC days. */
  readonly first: string;
  readonly last: string;
  readonly berthed: number;
  /** Their average wait. */
  readonly hours: number;
}

const WEEK_DAYS = 7;
/** Fewer say little of a week. */
const MIN_BERTHED = 10;
/** 5 January 1970 was a Monday. */
const MONDAY = 4;

function mondayOf(day: string): string {
  const since = Date.parse(day) / DAY_MS - MONDAY;
  return addDays(day, Math.floor(since / WEEK_DAYS) * WEEK_DAYS - since);
}

/** Of the weeks whose seven days are all covered; undefined without one. */
export function worstWeek(days: readonly SpreadDay[]): Week | undefined {
  const weeks = groupBy(
    days.filter(({ coverage }) => coverage >= MIN_COVERAGE),
    ({ date }) => mondayOf(date),
  );
  const found = [...weeks].flatMap(([first, covered]): Week[] => {
    const berthed = sum(covered.map((day) => day.berthed));
    if (covered.length < WEEK_DAYS || berthed < MIN_BERTHED) return [];
    const waited = sum(covered.flatMap(({ waits }) => waits));
    return [{ first, last: addDays(first, WEEK_DAYS - 1), berthed, hours: waited / berthed }];
  });
  return found.toSorted((a, b) => b.hours - a.hours)[0];
}
