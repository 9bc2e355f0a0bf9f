/** Dates (UTC), figures and plans as they are written on the pages. */

import { html, type TemplateResult } from 'lit-html';
import { PLANS, TIERS, type Tier } from '../../core/contracts/plans.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type {
  RecordScore,
  RevisedMetric,
  Revision,
  ServiceRecord,
} from '../../core/contracts/published-files.ts';
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

const NUMBER_WORDS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');
/** `three`; in digits from thirteen on. */
export const countText = (count: number): string => NUMBER_WORDS[count] ?? String(count);

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

// What people call a field of the API, with the API's own name in a tooltip.

const FIELD_NAMES = {
  congestion_score: 'Congestion score',
  congestion_score_change: 'Change in 7 days',
  avg_wait_hours: 'Average wait',
  at_anchor: 'At anchor',
  in_port: 'In port',
  arrivals_24h: 'Arrived',
  departures_24h: 'Departed',
  berthings: 'Berthings',
  scores: 'Score by day',
  as_of: 'As of',
  date: 'UTC day',
  vessels: 'Vessels in port that day',
  month: 'Month',
  index: 'Import index',
} as const;
export type Field = keyof typeof FIELD_NAMES;
const isField = (name: string): name is Field => Object.hasOwn(FIELD_NAMES, name);

export const nameInApi = (field: Field): string => `${field} in the API`;

export const fieldName = (field: Field, words: string = FIELD_NAMES[field]): TemplateResult => {
  const title = nameInApi(field);
  return html`<span class="field-name" title=${title} aria-description=${title}>${words}</span>`;
};

const UNITS: Partial<Record<Field, string>> = { congestion_score: '0 to 1', avg_wait_hours: 'hours' };

/** The heading of a column that may be a field: its words and unit, and the tooltip. */
export function columnName(name: string): { readonly words: string; readonly title?: string } {
  if (!isField(name)) return { words: name };
  const unit = UNITS[name];
  return { words: `${FIELD_NAMES[name]}${unit === undefined ? '' : `, ${unit}`}`, title: nameInApi(name) };
}

/** `text` of the API with the field that it begins with in words. */
export function fieldFirst(text: string): (TemplateResult | string)[] {
  const [name = ''] = text.split(' ', 1);
  return isField(name) ? [fieldName(name), text.slice(name.length)] : [text];
}

// What the record says in a sentence.

export const METRIC_NAMES: Readonly<Record<RecordScore['metric'], string>> = {
  avg_wait_hours: 'average wait',
  at_anchor: 'vessels at anchor',
  congestion_score: 'congestion score',
};

export function figureText(metric: RecordScore['metric'], value: number): string {
  if (metric === 'congestion_score') return value.toFixed(3);
  return `${value.toFixed(1)}${metric === 'avg_wait_hours' ? ' h' : ''}`;
}

/** How far the last forecasts of a port were off, else of the first port of the record. Undefined where none has thirty forecasts. */
export function recordLine({ next_day: records, ports }: ServiceRecord, port?: string): string | undefined {
  const found = port === undefined ? records[0] : records.find((record) => record.port === port);
  if (found === undefined) return undefined;
  const name = ports.find(({ port: code }) => code === found.port)?.name ?? found.port;
  const which = found.made === 'issued' ? 'forecasts' : 'forecasts, made afterwards from recordings,';
  const error = figureText('avg_wait_hours', found.error);
  const before = figureText('avg_wait_hours', found.persistence);
  return `The last 30 ${which} of the next day’s wait at ${name} were off by ${error}, the value of the day before by ${before}.`;
}

/** After how many days the daily waits of a port are final; undefined where too few days are known. */
export function finalLine({ final = [] }: ServiceRecord, port: string): string | undefined {
  const found = final.find((known) => known.port === port);
  if (found === undefined) return undefined;
  const { age, days } = found;
  if (age === null) return `More than 1 % of daily waits still change after 30 days (${days} days compared).`;
  if (age === 0) return `99 % of daily waits are final when their day ends (${days} days compared).`;
  return `99 % of daily waits are final after ${age} ${age === 1 ? 'day' : 'days'} (${days} days compared).`;
}

export const REVISED_NAMES: Readonly<Record<RevisedMetric, string>> = {
  congestion_score: 'congestion score',
  avg_wait_hours: 'average wait',
  vessels: 'vessels in port',
  mean_hours: 'mean wait of the day',
  berthed: 'berthings of the day',
};

const REVISION_UNITS: Readonly<Record<RevisedMetric, readonly [decimals: number, unit: string]>> = {
  congestion_score: [3, ''],
  avg_wait_hours: [2, ' h'],
  vessels: [2, ''],
  mean_hours: [2, ' h'],
  berthed: [2, ''],
};

/** The share of days that still changed, and by how much; a change that is too small for the decimals is not shown as none. */
export function revisionText({ metric, changed, difference }: Revision): string {
  const share = `${(100 * changed).toFixed(1)} %`;
  if (difference === null || changed === 0) return share;
  const [decimals, unit] = REVISION_UNITS[metric];
  const least = 10 ** -decimals;
  const amount = difference < least / 2 ? `under ${least}` : difference.toFixed(decimals);
  return `${share}, ${amount}${unit}`;
}

// The average wait of a port in words, and what is said in its place where too few vessels have berthed to average.

type Basis = PortRecord['wait_basis'];

/** Waits that are not over are in the figure: fewer than 20 vessels berthed in 28 days. */
export const isEstimate = (basis: Basis): boolean => basis === 'mixed' || basis === 'open';

export const TOO_FEW = 'too few berthed to average';

/** `average wait for a berth 29 h`. */
export const averageWaitText = (hours: number, basis: Basis): string =>
  isEstimate(basis) ? TOO_FEW : `average wait for a berth ${hoursText(hours)}`;
