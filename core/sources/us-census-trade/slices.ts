/** The requests of one pass to the Census API: a level and a span of months each, small enough for one reply. */
import { addMonths, DAY_MS, type Instant, type Month, monthOf } from '../../reference/time.ts';

type Level = 'HS2' | 'HS4' | 'HS6';

export interface TradeSlice {
  readonly level: Level;
  readonly fromMonth: Month;
  readonly toMonth: Month;
}

/** 36 months are served; their index needs 15 more before them, and the rest is for late months. */
const MONTHS_READ = 54;
/** A release adds a month and revises the last few; other revisions, as in June, can wait a week. */
const MONTHS_WATCHED = 5;
/** About 100, 1,230 and 5,600 codes a month; the longest reply stays near 20,000 rows. */
const MONTHS_A_QUESTION: Readonly<Record<Level, number>> = { HS2: MONTHS_READ, HS4: 15, HS6: 3 };
const LEVELS: readonly Level[] = ['HS2', 'HS4', 'HS6'];

/** Weeks since the epoch, which began on a Thursday; they begin on Mondays. */
const weekOf = (at: Instant): number => Math.floor((at / DAY_MS + 3) / 7);

/**
 * All months on the first pass ever and on the first of each week, else those that may be new. Not once a month:
 * releases appear in its first days, and until all months have been read an index mixes two publications.
 */
export function tradeSlices(nowAt: Instant, lastFetchAt: Instant | undefined): TradeSlice[] {
  const last = monthOf(nowAt);
  const whole = lastFetchAt === undefined || weekOf(lastFetchAt) !== weekOf(nowAt);
  const first = addMonths(last, 1 - (whole ? MONTHS_READ : MONTHS_WATCHED));
  return LEVELS.flatMap((level) => {
    const slices: TradeSlice[] = [];
    for (let fromMonth = first; fromMonth <= last; ) {
      const next = addMonths(fromMonth, MONTHS_A_QUESTION[level]);
      slices.push({ level, fromMonth, toMonth: next > last ? last : addMonths(next, -1) });
      fromMonth = next;
    }
    return slices;
  });
}

/** `imports-hs6-2024-01.json`: the reply to one request. */
export const sliceFile = ({ level, fromMonth }: TradeSlice): string =>
  `imports-${level.toLowerCase()}-${fromMonth}.json`;
