/** Berthings as a flow: how many a port usually has on a weekday, and how many there were in 24 hours. */
import { type Coverage, coveredShare, MIN_DAY_COVERAGE } from '../calls/coverage.ts';
import { DAY_MS, type Instant, type Interval } from '../reference/time.ts';
import { median } from './alert-statement.ts';
import type { CallIndex } from './call-index.ts';

/** The usual number is taken from the days of eight weeks, and needs this many of them. */
export const USUAL_DAYS = 56;
const MIN_USUAL_DAYS = 28;
const WEEK_DAYS = 7;

/** Berthings of each day that is covered, by the midnight at which it begins. */
export type DayBerthings = ReadonlyMap<Instant, number>;

/**
 * Berthings a day that are usual on the weekday of the day that begins at `dayAt` and its two neighbours: their median
 * over the eight weeks before. Undefined with fewer than 28 days known.
 */
export function usualBerthings(dayAt: Instant, known: DayBerthings): number | undefined {
  const counts: number[] = [];
  let days = 0;
  for (let ago = 1; ago <= USUAL_DAYS; ago += 1) {
    const count = known.get(dayAt - ago * DAY_MS);
    if (count === undefined) continue;
    days += 1;
    if ((ago + 1) % WEEK_DAYS <= 2) counts.push(count);
  }
  return days < MIN_USUAL_DAYS ? undefined : median(counts);
}

/** Berthings in the 24 hours before `untilAt`; undefined when less than 80 % of them is covered. */
export function berthingsIn24h(index: CallIndex, untilAt: Instant, coverage: Coverage): number | undefined {
  const span = { fromAt: untilAt - DAY_MS, toAt: Math.min(untilAt, index.asOfAt) };
  if (coveredShare(coverage, span) < MIN_DAY_COVERAGE) return undefined;
  return index.berthingsIn(span.fromAt, untilAt).length;
}

/**
 * Fewest berthings in any 24 hours that end in `[fromAt, toAt]`, a day or a part of it. It can only fall as the day goes
 * on. Undefined when no such span is covered.
 */
export function leastBerthings(
  index: CallIndex,
  { fromAt, toAt }: Interval,
  coverage: Coverage,
): number | undefined {
  // The count falls only where a berthing becomes older than a day.
  const falls = index
    .berthingsIn(fromAt - DAY_MS, toAt - DAY_MS)
    .map(({ berthedAt }) => berthedAt + DAY_MS + 1);
  const counts = [fromAt, ...falls, toAt].flatMap((at) => berthingsIn24h(index, at, coverage) ?? []);
  return counts.length === 0 ? undefined : Math.min(...counts);
}
