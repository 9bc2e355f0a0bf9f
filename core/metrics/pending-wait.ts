/** The wait of the score: the average of the berthings, and what the vessels that still wait will at least make of it. */
import { HOURS_DECIMALS, round } from '../reference/rounding.ts';
import { addDays, DAY_MS, type Day, type Instant, startOfDay } from '../reference/time.ts';
import type { CallIndex } from './call-index.ts';
import {
  berthingsForAverage,
  ENOUGH_BERTHINGS,
  MAX_WINDOW_DAYS,
  MIN_BERTHINGS,
  openWaits,
  WINDOWS_DAYS,
} from './waits.ts';

const [WEEK_DAYS] = WINDOWS_DAYS;
/** The berthings of the last days of a week fade: of the seventh a third counts, of the sixth two thirds. */
const FADING_STEPS = 3;

/** A wait that is over: its hours, and how much it counts, above 0 to 1. */
export interface CountedWait {
  readonly hours: number;
  readonly weight: number;
}

/**
 * Greatest mean of all of `closed` and any of `open`, each of which counts 1: an open wait joins while it is longer than the
 * mean it joins. It is what the mean would be if these vessels berthed at once, and more waiting never lowers it. Hours; 0 when
 * nothing is closed.
 */
export function meanWithOpen(closed: readonly CountedWait[], open: readonly number[]): number {
  if (closed.length === 0) return 0;
  let sum = closed.reduce((total, { hours, weight }) => total + weight * hours, 0);
  let count = closed.reduce((total, { weight }) => total + weight, 0);
  for (const hours of [...open].sort((a, b) => b - a)) {
    if (hours * count <= sum) break;
    sum += hours;
    count += 1;
  }
  return sum / count;
}

/**
 * The berthings that the average has. Those of its two oldest days of seven count less, so that a long wait leaves the score in three
 * steps; where seven days are too few, all of the longer window count alike.
 */
function closedWaits(index: CallIndex, day: Day, untilAt: Instant): CountedWait[] {
  const weekAt = startOfDay(addDays(day, 1 - WEEK_DAYS));
  const isTooFew = index.berthingsIn(weekAt, untilAt).length < MIN_BERTHINGS;
  return berthingsForAverage(index, day, untilAt).map(({ waitHours, berthedAt }) => {
    const dayOfWeek = Math.floor((berthedAt - weekAt) / DAY_MS) + 1;
    return { hours: waitHours, weight: isTooFew ? 1 : Math.min(1, dayOfWeek / FADING_STEPS) };
  });
}

/**
 * Wait of the wait term, hours, 1 decimal: the mean of the berthings with the open waits. With fewer than twenty berthings in 28
 * days it is the served average, which then already includes the open waits.
 */
export function pendingWait(index: CallIndex, day: Day, untilAt: Instant, avgWaitHours: number): number {
  const month = index.berthingsIn(startOfDay(addDays(day, 1 - MAX_WINDOW_DAYS)), untilAt);
  if (month.length < ENOUGH_BERTHINGS) return avgWaitHours;
  const open = openWaits(index, day, untilAt).map(({ waitHours }) => waitHours);
  return round(meanWithOpen(closedWaits(index, day, untilAt), open), HOURS_DECIMALS);
}
