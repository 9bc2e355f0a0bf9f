/** Spans of days that are written as one row group: by month, so that a query of a month reads one group of many. */
import { addDays, addMonths, type Day, daysBetween } from '../reference/time.ts';

export interface Span {
  readonly firstDay: Day;
  readonly lastDay: Day;
}

/** Approximate rows of one row group. Memory grows with it. */
export const GROUP_ROWS = 12_400;

/**
 * The spans of `year` up to `lastDay`, in their order: the whole year where it fits into one group, else its months, or
 * parts of them where a month is too much.
 * @param year four digits
 * @param rowsPerDay of all ports together
 */
export function makeSpans(year: string, lastDay: Day, rowsPerDay: number): Span[] {
  const end = `${year}-12-31` < lastDay ? `${year}-12-31` : lastDay;
  const fits = Math.max(1, Math.floor(GROUP_ROWS / Math.max(1, rowsPerDay)));
  if (fits >= 366) return [{ firstDay: `${year}-01-01`, lastDay: end }];
  const months = Array.from({ length: 12 }, (_, index) => addMonths(`${year}-01`, index));
  return months.flatMap((month) => {
    const days = daysBetween(`${month}-01`, addDays(`${addMonths(month, 1)}-01`, -1));
    const length = Math.ceil(days.length / Math.ceil(days.length / fits));
    return days.flatMap((firstDay, index): Span[] => {
      if (index % length !== 0 || firstDay > end) return [];
      const last = days[Math.min(index + length, days.length) - 1] ?? firstDay;
      return [{ firstDay, lastDay: last < end ? last : end }];
    });
  });
}

/** Spans of the same days that end wherever a span of any list ends: the unit of reading when several tables are written. */
export function commonSpans(lists: readonly (readonly Span[])[]): Span[] {
  const lastDays = [...new Set(lists.flat().map(({ lastDay }) => lastDay))].sort();
  const [first] = lists.flat();
  return lastDays.map((lastDay, at) => {
    const before = lastDays[at - 1];
    return { firstDay: before === undefined ? (first?.firstDay ?? lastDay) : addDays(before, 1), lastDay };
  });
}
