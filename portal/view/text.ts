/** Dates (UTC), figures and plans as they are written on the pages. */
import { PLANS, TIERS, type Tier } from '../../core/contracts/plans.ts';
import type { Route } from '../../core/contracts/route.ts';
import { type OperationId, ROUTES } from '../../core/contracts/routes.ts';
import { dayOf } from '../../core/reference/time.ts';

const utc = (parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' });

export const dayText = utc({ day: 'numeric', month: 'short' });
export const dayYearText = utc({ day: 'numeric', month: 'short', year: 'numeric' });
export const monthText = utc({ month: 'short', year: '2-digit' });

const moment = utc({ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });
/** `20 Nov 2026, 12:05 UTC`, of an instant as the API writes it. */
export const momentText = (instant: string): string => `${moment.format(Date.parse(instant))} UTC`;

/** `23 Sept 2025`, of a UTC day or an instant. */
export const dateText = (day: string): string => dayYearText.format(Date.parse(day));

const longDay = utc({ day: 'numeric', month: 'long', year: 'numeric' });
/** `23 September 2025`, of a UTC day. */
export const longDayText = (day: string): string => longDay.format(Date.parse(day));

const monthOfYear = utc({ month: 'short' });
/** `Jan`, of a UTC day. */
export const monthOfYearText = (day: string): string => monthOfYear.format(Date.parse(day));

const dayOfYear = utc({ day: 'numeric', month: 'long' });
/** `23 September`, of a UTC day or an instant. */
export const dayOfYearText = (day: string): string => dayOfYear.format(Date.parse(day));

/** The UTC day of an instant as the API writes it; midnight ends the day before. */
export const dayUpTo = (instant: string): string => dayOf(Date.parse(instant) - 1);

/** `3 to 9 June`, `30 September to 6 October`, of two UTC days. */
export const daysText = (first: string, last: string): string =>
  `${first.slice(0, 7) === last.slice(0, 7) ? Number(first.slice(8)) : dayOfYearText(first)} to ${dayOfYearText(last)}`;

/** The latest of UTC days or instants as the API writes them; undefined without any. */
export const latestOf = (times: readonly (string | null)[]): string | undefined =>
  times
    .filter((time) => time !== null)
    .toSorted()
    .at(-1);

/** With a capital letter and a full stop; an empty text stays empty. */
export const sentence = (text: string): string =>
  text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const WORDS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');
/** `three`; in digits from thirteen on. */
export const countText = (count: number): string => WORDS[count] ?? String(count);

/** `once`, `twice`, `three times`. */
export const timesText = (count: number): string =>
  count < 3 ? (count === 1 ? 'once' : 'twice') : `${countText(count)} times`;

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

const countries = new Intl.DisplayNames(['en'], { type: 'region' });
/** `Taiwan`, of a code of ISO 3166. */
export const countryText = (code: string): string => countries.of(code) ?? code;

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
