/** A forecast from a day on which the port is stopped: whether it still will be, by how long closures have lasted. */

import type { KnownClosures } from './closures.ts';
import { DAY_HOURS } from './flow-hours.ts';

/** Before any is known, half of the closures last longer than two days, and few much longer (log-logistic). */
const USUAL_HOURS = 48;
const STEEPNESS = 4;
/** Weight of that, in closures. */
const PRIOR_CLOSURES = 4;
/** Below the first chance the closure counts as over, above the second as lasting, and as a part of both in between. */
const OVER = 0.3;
const LASTING = 0.7;

const lastsLonger = (hours: number): number => 1 / (1 + (hours / USUAL_HOURS) ** STEEPNESS);

/** The chance that a closure of `age` hours is still open `days` later, by the closures that had ended before. */
export function chanceOpen({ age, lengths }: KnownClosures, days: number): number {
  const then = age + days * DAY_HOURS;
  const longer = (hours: number): number =>
    PRIOR_CLOSURES * lastsLonger(hours) + lengths.filter((length) => length > hours).length;
  return longer(then) / longer(age);
}

/** The share of the closed value in a forecast, from 0 to 1. The median of two outcomes would jump from one to the other. */
export const closedShare = (chance: number): number =>
  Math.min(1, Math.max(0, (chance - OVER) / (LASTING - OVER)));
