/** Dates (UTC), figures and plans as they are written on the pages. */
import { PLANS, TIERS, type Tier } from '../../core/contracts/plans.ts';
import type { Route } from '../../core/contracts/route.ts';
import { type OperationId, ROUTES } from '../../core/contracts/routes.ts';

export const dayText = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
export const dayYearText = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
export const monthText = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  year: '2-digit',
  timeZone: 'UTC',
});

const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});
/** `20 Nov 2026, 12:05 UTC`, of an instant as the API writes it. */
export const momentText = (instant: string): string => `${moment.format(Date.parse(instant))} UTC`;

/** `23 September 2025`. */
export const longDayText = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
/** `23 September`, of a UTC day or an instant. */
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
export const dayOfYearText = (day: string): string => dayOfYear.format(Date.parse(day));

// Figures as people say them: with a unit, and a change as a word.

const WORDS = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
/** `three`; in digits from thirteen on. */
export const countText = (count: number): string => WORDS[count] ?? String(count);

/** `1 vessel`, `21 vessels`, `no vessel`. */
export function vesselsText(count: number): string {
  if (count === 0) return 'no vessel';
  return count === 1 ? '1 vessel' : `${count} vessels`;
}

/** `29 h`; below ten hours with its decimal, `2.5 h`. */
export const hoursText = (hours: number): string =>
  `${Math.abs(hours) < 10 ? Number(hours.toFixed(1)) : Math.round(hours)} h`;

/** Two of the three decimals that the API gives, halves up: `0.11` for 0.105. */
export const scoreText = (score: number): string =>
  (Math.round(Math.round(score * 1000) / 10) / 100).toFixed(2);

/** `rose from 0.29 to 0.41`, of a score of now that has changed by `change`. */
export const movedText = (score: number, change: number): string =>
  `${change > 0 ? 'rose' : 'fell'} from ${scoreText(score - change)} to ${scoreText(score)}`;

/** `stopped since 22 Sep 2025, 14:00 UTC`, of a port at which berthings have stopped. */
export const stoppedText = (since: string): string => `stopped since ${momentText(since)}`;

/** A change of the score that is too small to be read off its text. */
export const isStill = (change: number): boolean => Math.abs(change) < 0.005;

/** `33.75° N, 118.25° W`. */
export const placeText = ({ latitude, longitude }: Record<'latitude' | 'longitude', number>): string =>
  `${Math.abs(latitude).toFixed(2)}° ${latitude < 0 ? 'S' : 'N'}, ${Math.abs(longitude).toFixed(2)}° ${longitude < 0 ? 'W' : 'E'}`;

// Which plans have an endpoint, for a reader whose key does not.

const list = new Intl.ListFormat('en-GB');

/** `what` names the data, as in "Waits day by day". */
export function planText(what: string, operation: OperationId): string {
  const { excludedPlans = [] } = ROUTES[operation] as Pick<Route, 'excludedPlans'>;
  const titles = TIERS.filter((tier: Tier) => !excludedPlans.includes(tier)).map((tier) => PLANS[tier].title);
  return `${what} come with the plans ${list.format(titles)}; the plan of this key does not have them.`;
}
