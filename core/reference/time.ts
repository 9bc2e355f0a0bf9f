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

/** The earliest of any number of instants; infinite without one. As arguments of `Math.min`, 120,000 overflow the stack. */
export const earliestOf = (instants: readonly Instant[]): Instant =>
  instants.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);

/** The latest of any number of instants; minus infinity without one. */
export const latestOf = (instants: readonly Instant[]): Instant =>
  instants.reduce((most, at) => Math.max(most, at), Number.NEGATIVE_INFINITY);

/** The earliest of the instants that are stated; undefined when none is. */
export function earliestStated(instants: readonly (Instant | undefined)[]): Instant | undefined {
  const stated = instants.filter((at) => at !== undefined);
  return stated.length === 0 ? undefined : earliestOf(stated);
}

/** The span in pieces of `length`, the last one shorter where it does not divide. */
export function dividedSpan({ fromAt, toAt }: Interval, length: number): Interval[] {
  const spans: Interval[] = [];
  for (let at = fromAt; at < toAt; at += length)
    spans.push({ fromAt: at, toAt: Math.min(at + length, toAt) });
  return spans;
}

/** Down to the whole second at or before `at`. */
export const wholeSecond = (at: number): Instant => Math.floor(at / SECOND_MS) * SECOND_MS;

/** `YYYY-MM-DDTHH:MM:SSZ`, the form of every time on the wire and in the tables. */
export const formatInstant = (at: Instant): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** Reads a full ISO 8601 date and time with an offset; undefined when it is anything else or no real date. */
export function parseInstant(text: string): Instant | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})$/.exec(text);
  if (!match) return undefined;
  const [, date = '', time = '', offset = ''] = match;
  const local = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(local) || formatInstant(local) !== `${date}T${time}Z`) return undefined;
  if (offset === 'Z') return local;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return local - (offset.startsWith('-') ? -minutes : minutes) * MINUTE_MS;
}

export const dayOf = (at: Instant): Day => new Date(at).toISOString().slice(0, 10);

/** Whether `text` is a day that exists, as `YYYY-MM-DD`. */
export const isDay = (text: string): text is Day =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(startOfDay(text)) && dayOf(startOfDay(text)) === text;

export const startOfDay = (day: Day): Instant => Date.parse(`${day}T00:00:00Z`);

/** Midnight at which `day` ends, which is when the next begins. */
export const endOfDay = (day: Day): Instant => startOfDay(day) + DAY_MS;

export const addDays = (day: Day, count: number): Day => dayOf(startOfDay(day) + count * DAY_MS);

/** Every day from `first` to `last`, both included; empty when `last` is before `first`. */
export function daysBetween(first: Day, last: Day): Day[] {
  const days: Day[] = [];
  for (let at = startOfDay(first); at <= startOfDay(last); at += DAY_MS) days.push(dayOf(at));
  return days;
}

export const monthOf = (at: Instant): Month => dayOf(at).slice(0, 7);

/** `month` moved by `count` months, back when negative. */
export function addMonths(month: Month, count: number): Month {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + count;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
}

export const hoursBetween = (fromAt: Instant, toAt: Instant): number => (toAt - fromAt) / HOUR_MS;
