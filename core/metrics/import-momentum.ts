/** Import momentum: three months of import value relative to the same months a year before, times 100. */
import { INDEX_DECIMALS, round } from '../reference/statistics.ts';
import { addMonths, type Month } from '../reference/time.ts';
import type { ImportIndexPoint } from './figures.ts';

/** The months of an index. Values are not seasonally adjusted, so the same months are compared. */
const MONTHS_BACK = [0, 1, 2] as const;
const YEAR_MONTHS = 12;
/** Least number of months reported in both years, the newest among them. */
const MIN_PAIRS = 2;
/** Least base per month, in US dollars. */
const MIN_BASE_PER_MONTH = 1000;
/** Limits the index where the base is small. */
const MAX_INDEX = 1000;

/** One month of the index of a commodity. */
type ImportMomentum = Omit<ImportIndexPoint, 'code'>;

/**
 * `100 * sum v(t - k) / sum v(t - 12 - k)` over the k of 0, 1, 2 for which both months are reported; oldest first.
 * `values` are one measure of one commodity in US dollars. A reported zero is data. A month is omitted when it or its
 * month a year before is absent, with fewer than two pairs, or with a base below the least.
 */
export function importMomentum(values: ReadonlyMap<Month, number>): ImportMomentum[] {
  return [...values.keys()].sort().flatMap((month) => {
    const index = indexOf(month, values);
    return index === undefined ? [] : [{ month, index }];
  });
}

function indexOf(month: Month, values: ReadonlyMap<Month, number>): number | undefined {
  let now = 0;
  let base = 0;
  let pairs = 0;
  for (const back of MONTHS_BACK) {
    const value = values.get(addMonths(month, -back));
    const yearBefore = values.get(addMonths(month, -back - YEAR_MONTHS));
    if (value === undefined || yearBefore === undefined) {
      if (back === 0) return undefined;
      continue;
    }
    now += value;
    base += yearBefore;
    pairs += 1;
  }
  if (pairs < MIN_PAIRS || base < pairs * MIN_BASE_PER_MONTH) return undefined;
  return round(Math.min(MAX_INDEX, (100 * now) / base), INDEX_DECIMALS);
}
