/** Import momentum: three months of import value against the same months a year before; 100 is as much as then. */

import { INDEX_DECIMALS, round } from '../reference/rounding.ts';
import { addMonths, type Month } from '../reference/time.ts';
import type { ImportIndexPoint } from './figures.ts';

/** Months back from the month of the index, itself included; values are unadjusted, so seasons are matched. */
const MONTHS_BACK = [0, 1, 2] as const;
const YEAR_MONTHS = 12;
/** Months that must be reported in both years; the newest is always among them. */
const LEAST_PAIRS = 2;
/** A base of less a month, in US dollars, is no base. */
const LEAST_BASE_PER_MONTH = 1000;
/** Where growth from next to nothing would be told in thousands. */
const GREATEST_INDEX = 1000;

/** One month of the index, for whichever commodity the values are. */
export type ImportMomentum = Omit<ImportIndexPoint, 'code'>;

/**
 * `100 * sum v(t - k) / sum v(t - 12 - k)` over those k of 0, 1, 2 for which both months are reported; oldest first.
 * `values` are one measure of one commodity in US dollars. A reported zero is data, an absent month is not. A month
 * is left out when it or its month a year before is absent, with fewer than two pairs, or with next to no base.
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
  if (pairs < LEAST_PAIRS || base < pairs * LEAST_BASE_PER_MONTH) return undefined;
  return round(Math.min(GREATEST_INDEX, (100 * now) / base), INDEX_DECIMALS);
}
