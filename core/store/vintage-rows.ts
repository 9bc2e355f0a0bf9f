/** The rows of `vintages`, as `series.ts` describes them. */
import { addDays, type Day, daysBetween } from '../reference/time.ts';
import type { Row } from './table.ts';

/** At most so many days are filled of the lists by day when one value replaces another: the time that port calls are kept. */
const MAX_LISTED_DAYS = 400;

/** The days that ended with a value which is known since `from` and is replaced on `day`. */
export function listedDays(from: Day, day: Day): Day[] {
  const earliest = addDays(day, -MAX_LISTED_DAYS);
  return daysBetween(from > earliest ? from : earliest, addDays(day, -1));
}

/** The attributes of a value that vintages keep. */
export const pick = (value: object, names: readonly string[]): Row =>
  Object.fromEntries(
    Object.entries(value).filter(([name, field]) => field !== undefined && names.includes(name)),
  );

export const flagged = (backfilled: boolean | undefined) => (backfilled ? { backfilled: true as const } : {});

export const seriesKey = (name: string, part: string): string => `${name}#${part}`;

export const vintageRow = (series: string, key: string, since: Day, attributes: Row): Row => ({
  series,
  at: `${key}#${since}`,
  ...attributes,
  knownOn: since,
});
