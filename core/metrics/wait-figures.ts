/** What the berthings up to an instant say: the served average wait, the delayed share and the wait term. */

import { HOURS_DECIMALS, round } from '../reference/rounding.ts';
import { addDays, type Day, type Instant, startOfDay } from '../reference/time.ts';
import type { CallIndex } from './call-index.ts';
import { delayedShare } from './score.ts';
import {
  type Berthing,
  DELAYED_HOURS,
  LEAST_BERTHINGS,
  WAIT_WINDOWS_DAYS,
  winsorisedMean,
} from './waiting.ts';

const hoursOf = (berthings: readonly Berthing[]): number[] => berthings.map(({ waitHours }) => waitHours);

/** Berthings of the `days` UTC days that end with `day`, up to `untilAt` (not included). */
const berthingsOf = (index: CallIndex, day: Day, days: number, untilAt: Instant): readonly Berthing[] =>
  index.berthingsIn(startOfDay(addDays(day, 1 - days)), untilAt);

/** Berthings of the narrowest window that holds enough of them; those of the widest when none does. */
export function berthingsForAverage(index: CallIndex, day: Day, untilAt: Instant): readonly Berthing[] {
  let berthings: readonly Berthing[] = [];
  for (const days of WAIT_WINDOWS_DAYS) {
    berthings = berthingsOf(index, day, days, untilAt);
    if (berthings.length >= LEAST_BERTHINGS) break;
  }
  return berthings;
}

/** Winsorised mean wait in hours, 1 decimal; undefined when there is not one berthing. */
export function averageWait(berthings: readonly Berthing[]): number | undefined {
  const mean = winsorisedMean(hoursOf(berthings));
  return mean === undefined ? undefined : round(mean, HOURS_DECIMALS);
}

/** Delayed share of some berthings, 0 to 1. */
export const delayedShareOf = (berthings: readonly Berthing[]): number =>
  delayedShare(berthings.filter(({ waitHours }) => waitHours >= DELAYED_HOURS).length, berthings.length);

/** Delayed share of the seven days that end with `day`. */
export const weekDelayedShare = (index: CallIndex, day: Day, untilAt: Instant): number =>
  delayedShareOf(berthingsOf(index, day, WAIT_WINDOWS_DAYS[0], untilAt));
