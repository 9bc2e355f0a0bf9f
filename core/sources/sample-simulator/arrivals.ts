/** Arrivals: a Poisson process whose rate follows the hours of the day and the days of the week. */
import { HOUR_MS, type Instant, SECOND_MS, wholeSecond } from '../../reference/time.ts';
import { exponential, type RandomStream } from './random.ts';

/** Monday first; the mean is 1. Liner schedules aim at the start of the working week. */
const WEEKDAY_FACTORS = [1.12, 1.08, 1.04, 1.0, 0.97, 0.92, 0.87];
const DAILY_SWING = 0.25;
const PEAK_LOCAL_HOUR = 6;
const HIGHEST_FACTOR = Math.max(...WEEKDAY_FACTORS) * (1 + DAILY_SWING);
/** 1970-01-01 was a Thursday, the fourth day of a week that begins on Monday. */
const EPOCH_WEEKDAY = 3;

/** The rate at `at` over the mean rate; its mean over a week is 1. */
function rhythm(at: Instant, utcOffsetHours: number): number {
  const localHours = at / HOUR_MS + utcOffsetHours;
  const weekday = (((Math.floor(localHours / 24) + EPOCH_WEEKDAY) % 7) + 7) % 7;
  const swing = Math.cos(((localHours - PEAK_LOCAL_HOUR) / 24) * 2 * Math.PI);
  return (WEEKDAY_FACTORS[weekday] ?? 1) * (1 + DAILY_SWING * swing);
}

/** The first arrival after `at`, by thinning a faster process (Lewis and Shedler, 1979); at least a second later. */
export function nextArrival(
  random: RandomStream,
  at: Instant,
  perDay: number,
  utcOffsetHours: number,
): Instant {
  const meanMs = (24 * HOUR_MS) / (perDay * HIGHEST_FACTOR);
  let candidateAt: number = at;
  do candidateAt += exponential(random, meanMs);
  while (random() * HIGHEST_FACTOR > rhythm(candidateAt, utcOffsetHours));
  return Math.max(wholeSecond(candidateAt), at + SECOND_MS);
}
