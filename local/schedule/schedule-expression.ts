/** Reads EventBridge Scheduler's `rate(...)` and `cron(...)` expressions, in UTC. */
import { StartError } from '../start-error.ts';

/** The next instant after `afterAt` at which the schedule is due, undefined when there is none. Epoch milliseconds. */
export type NextRun = (afterAt: number) => number | undefined;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const UNIT_MS: Readonly<Record<string, number>> = { minute: MINUTE_MS, hour: 60 * MINUTE_MS, day: DAY_MS };
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
/** A cron expression that is not due within this time never will be: 29 February recurs within eight years. */
const SEARCH_DAYS = 8 * 366;

interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** Names of the values, from `least` on. */
  readonly names?: readonly string[];
}

const FIELDS = {
  minute: { name: 'minutes', least: 0, most: 59 },
  hour: { name: 'hours', least: 0, most: 23 },
  day: { name: 'day of month', least: 1, most: 31 },
  month: { name: 'month', least: 1, most: 12, names: MONTHS },
  /** 1 is Sunday. */
  weekday: { name: 'day of week', least: 1, most: 7, names: WEEKDAYS },
  year: { name: 'year', least: 1970, most: 2199 },
} as const satisfies Record<string, Field>;

const fault = (expression: string, why: string): StartError =>
  new StartError(`schedule expression ${expression} is not supported: ${why}`);

/** A test for one field: `*`, `?`, values, ranges, steps and lists of them. L, W and # are not supported. */
function readField(text: string, field: Field, expression: string): (value: number) => boolean {
  if (text === '*' || text === '?') return () => true;
  const number = (part: string): number => {
    const named = field.names?.indexOf(part.toUpperCase()) ?? -1;
    const value = named >= 0 ? named + field.least : Number(part);
    const good = /^\d+$/.test(part) || named >= 0;
    if (!good || value < field.least || value > field.most) throw fault(expression, `${field.name} ${part}`);
    return value;
  };
  const allowed = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step] = part.split('/');
    const [from = '', to] = range.split('-');
    const first = from === '*' ? field.least : number(from);
    const lastOfStep = step === undefined ? first : field.most;
    const last = to === undefined ? lastOfStep : number(to);
    const every = step === undefined ? 1 : Number(step);
    if (!Number.isInteger(every) || every < 1 || last < first)
      throw fault(expression, `${field.name} ${part}`);
    for (let value = first; value <= last; value += every) allowed.add(value);
  }
  return (value) => allowed.has(value);
}

function readCron(body: string, expression: string): NextRun {
  const parts = body.trim().split(/\s+/);
  const [minute = '', hour = '', day = '', month = '', weekday = '', year = ''] = parts;
  if (parts.length !== 6) throw fault(expression, 'it must have six fields');
  if ((day === '?') === (weekday === '?'))
    throw fault(expression, 'one of day of month and day of week must be ?');
  const isMinute = readField(minute, FIELDS.minute, expression);
  const isHour = readField(hour, FIELDS.hour, expression);
  const isDay = readField(day, FIELDS.day, expression);
  const isMonth = readField(month, FIELDS.month, expression);
  const isWeekday = readField(weekday, FIELDS.weekday, expression);
  const isYear = readField(year, FIELDS.year, expression);
  const onDay = (date: Date): boolean =>
    isYear(date.getUTCFullYear()) &&
    isMonth(date.getUTCMonth() + 1) &&
    isDay(date.getUTCDate()) &&
    isWeekday(date.getUTCDay() + 1);

  return (afterAt) => {
    const fromAt = Math.floor(afterAt / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
    const firstDayAt = Math.floor(fromAt / DAY_MS) * DAY_MS;
    for (let index = 0; index < SEARCH_DAYS; index += 1) {
      const dayAt = firstDayAt + index * DAY_MS;
      if (!onDay(new Date(dayAt))) continue;
      for (let at = Math.max(dayAt, fromAt); at < dayAt + DAY_MS; at += MINUTE_MS) {
        const time = new Date(at);
        if (isHour(time.getUTCHours()) && isMinute(time.getUTCMinutes())) return at;
      }
    }
    return undefined;
  };
}

/** Throws `StartError` at anything but a supported rate or cron. */
export function readScheduleExpression(expression: string): NextRun {
  const cron = /^cron\((.*)\)$/.exec(expression)?.[1];
  if (cron !== undefined) return readCron(cron, expression);
  const [, count = '', unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const periodMs = Number(count) * (UNIT_MS[unit] ?? 0);
  if (!(periodMs > 0)) throw fault(expression, 'it is not a rate of minutes, hours or days');
  return (afterAt) => afterAt + periodMs;
}
