/** Instants, UTC days and windows: the service's only notion of time. Nothing here reads a clock. */

/** Milliseconds since the Unix epoch, on a whole second. */
export type Instant = number;
/** A UTC calendar day, `YYYY-MM-DD`; compares as text. */
export type Day = string;
/** A calendar month, `YYYY-MM`; compares as text. */
export type Month = string;
/** Where "now" comes from; passed in, never reached for. */
export type Clock = () => Instant;

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Port calls of the sources are younger; an older time is a typing error. */
export const EARLIEST_EVENT_AT: Instant = Date.UTC(2000, 0, 1);

/** The half-open span `[fromAt, toAt)`. */
export interface Interval {
  readonly fromAt: Instant;
  readonly toAt: Instant;
}

/** Down to the whole second at or before `at`. */
/** The earliest of any number of instants; infinite without one. As arguments of `Math.min`, 120,000 overflow the stack. */
export const earliestOf = (instants: readonly Instant[]): Instant =>
  instants.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);

/** The latest of any number of instants; minus infinity without one. */
export const latestOf = (instants: readonly Instant[]): Instant =>
  instants.reduce((most, at) => Math.max(most, at), Number.NEGATIVE_INFINITY);

export const wholeSecond = (at: number): Instant => Math.floor(at / SECOND_MS) * SECOND_MS;

const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
/** Days that were written or read of late, both ways: a response or a file has many times of few days. */
const dayTexts = new Map<number, string>();
const dayNumbers = new Map<string, number>();
const MOST_DAYS = 400;

/** Days since the epoch as `YYYY-MM-DDT`. */
function dayTextOf(dayNumber: number): string {
  const known = dayTexts.get(dayNumber);
  if (known !== undefined) return known;
  const text = new Date(dayNumber * DAY_MS).toISOString().slice(0, 11);
  if (dayTexts.size >= MOST_DAYS) {
    dayTexts.clear();
    dayNumbers.clear();
  }
  dayTexts.set(dayNumber, text);
  dayNumbers.set(text, dayNumber);
  return text;
}

/** `YYYY-MM-DDTHH:MM:SSZ`, the form of every time on the wire and in the tables. */
export function formatInstant(at: Instant): string {
  const dayNumber = Math.floor(at / DAY_MS);
  const second = Math.floor((at - dayNumber * DAY_MS) / SECOND_MS);
  const minute = Math.floor(second / 60);
  return `${dayTextOf(dayNumber)}${TWO_DIGITS[Math.floor(minute / 60)]}:${TWO_DIGITS[minute % 60]}:${TWO_DIGITS[second % 60]}Z`;
}

/** The number below `limit` that two digits at `from` write; NaN without two digits. */
function twoDigits(text: string, from: number, limit: number): number {
  const [tens, ones] = [text.charCodeAt(from) - 48, text.charCodeAt(from + 1) - 48];
  const value = tens * 10 + ones;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 && value < limit ? value : Number.NaN;
}

/** Reads what formatInstant writes, of a day that is known; undefined for all else. */
function parseKnownDay(text: string): Instant | undefined {
  if (text.length !== 20 || text[13] !== ':' || text[16] !== ':' || text[19] !== 'Z') return undefined;
  const dayNumber = dayNumbers.get(text.slice(0, 11));
  if (dayNumber === undefined) return undefined;
  const seconds = (twoDigits(text, 11, 24) * 60 + twoDigits(text, 14, 60)) * 60 + twoDigits(text, 17, 60);
  return Number.isNaN(seconds) ? undefined : dayNumber * DAY_MS + seconds * SECOND_MS;
}

/** Reads a full ISO 8601 date and time with an offset; undefined when it is anything else or no real date. */
export function parseInstant(text: string): Instant | undefined {
  const known = parseKnownDay(text);
  if (known !== undefined) return known;
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})$/.exec(text);
  if (!match) return undefined;
  const [, date = '', time = '', offset = ''] = match;
  const local = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(local) || formatInstant(local) !== `${date}T${time}Z`) return undefined;
  if (offset === 'Z') return local;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return local - (offset.startsWith('-') ? -minutes : minutes) * MINUTE_MS;
}

/** The UTC day of `at`. */
export const dayOf = (at: Instant): Day => new Date(at).toISOString().slice(0, 10);

/** Whether `text` is a day that exists, as `YYYY-MM-DD`. */
export const isDay = (text: string): text is Day =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(startOfDay(text)) && dayOf(startOfDay(text)) === text;

/** Midnight at which `day` begins. */
export const startOfDay = (day: Day): Instant => Date.parse(`${day}T00:00:00Z`);

/** Midnight at which `day` ends, which is when the next begins. */
export const endOfDay = (day: Day): Instant => startOfDay(day) + DAY_MS;

/** `day` moved by `count` days, back when negative. */
export const addDays = (day: Day, count: number): Day => dayOf(startOfDay(day) + count * DAY_MS);

/** Every day from `first` to `last`, both included; empty when `last` is before `first`. */
export function daysBetween(first: Day, last: Day): Day[] {
  const days: Day[] = [];
  for (let at = startOfDay(first); at <= startOfDay(last); at += DAY_MS) days.push(dayOf(at));
  return days;
}

/** The month of `at`. */
export const monthOf = (at: Instant): Month => dayOf(at).slice(0, 7);

/** `month` moved by `count` months, back when negative. */
export function addMonths(month: Month, count: number): Month {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + count;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
}

/** Hours between two instants. */
export const hoursBetween = (fromAt: Instant, toAt: Instant): number => (toAt - fromAt) / HOUR_MS;
