/** The wait of the score: the average of the berthings, and what the vessels that still wait will at least make of it. */
import { HOURS_DECIMALS, round } from '../reference/rounding.ts';
import { addDays, type Day, type Instant, startOfDay } from '../reference/time.ts';
import type { CallIndex } from './call-index.ts';
import { berthingsForAverage, ENOUGH_BERTHINGS, MAX_WINDOW_DAYS, openWaits } from './waits.ts';

/**
 * Greatest mean of all of `closed` and any of `open`: an open wait joins while it is longer than the mean it joins. It
 * is what the mean would be if these vessels berthed at once, and more waiting never lowers it. Hours; 0 when nothing
 * is closed.
 */
export function meanWithOpen(closed: readonly number[], open: readonly number[]): number {
  if (closed.length === 0) return 0;
  let sum = closed.reduce((total, hours) => total + hours, 0);
  let count = closed.length;
  for (const hours of [...open].sort((a, b) => b - a)) {
    if (hours * count <= sum) break;
    sum += hours;
    count += 1;
  }
  return sum / count;
}

/**
 * Wait of the wait term, hours, 1 decimal: the larger of the served average and the mean with the open waits. With fewer
 * than twenty berthings in 28 days the average, which then has open waits in it.
 */
export function pendingWait(index: CallIndex, day: Day, untilAt: Instant, avgWaitHours: number): number {
  const month = index.berthingsIn(startOfDay(addDays(day, 1 - MAX_WINDOW_DAYS)), untilAt);
  if (month.length < ENOUGH_BERTHINGS) return avgWaitHours;
  const closed = berthingsForAverage(index, day, untilAt).map(({ waitHours }) => waitHours);
  const open = openWaits(index, day, untilAt).map(({ waitHours }) => waitHours);
  return Math.max(avgWaitHours, round(meanWithOpen(closed, open), HOURS_DECIMALS));
}
