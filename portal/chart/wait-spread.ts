/** What an average wait is based on: the average of each day, the number of its berthings, and the spread of their waits. */
import type { WaitDay } from '../../core/contracts/waits.ts';
import { mean, quantile } from '../../core/reference/statistics.ts';
import { addDays, DAY_MS } from '../../core/reference/time.ts';
import { TOO_FEW } from '../view/text.ts';

export type SpreadDay = Pick<
  WaitDay,
  | 'date'
  | 'coverage'
  | 'berthed'
  | 'waits'
  | 'waiting'
  | 'waiting_hours'
  | 'recent_arrivals'
  | 'recent_wait_hours'
>;

export interface WaitSpread {
  /** Days of the window: seven, and more where too few vessels berthed. */
  readonly days: number;
  readonly berthings: number;
  /** `avg_wait_hours` of the day; null with fewer than three berthings in 28 days. */
  readonly averageHours: number | null;
  /** Waits that are not over and are in the average, as few vessels berthed. */
  readonly openWaits: number;
  /** Percentiles of the waits of these berthings, zeros included; null without a berthing. */
  readonly p10Hours: number | null;
  readonly medianHours: number | null;
  readonly p90Hours: number | null;
}

/** Windows and figures of the methodology, "Average wait" and "Few berthings". */
const WINDOW_DAYS = [7, 14, 28] as const;
const MAX_WINDOW_DAYS = 28;
const MIN_BERTHINGS = 3;
const ENOUGH_BERTHINGS = 20;
const PRIOR_ARRIVALS = 6;

/** Null without a value. */
export const quantileOf = (ascending: readonly number[], share: number): number | null =>
  ascending.length === 0 ? null : quantile(ascending, share);

const waitsOn = ({ berthed, waits }: SpreadDay): number[] => [
  ...Array.from({ length: berthed - waits.length }, () => 0),
  ...waits,
];

/** `avg_wait_hours` of `day`, as the methodology recomputes it "From the waits", and the open waits in it. */
function average(
  day: SpreadDay,
  inWindow: readonly number[],
  inMonth: readonly number[],
): Pick<WaitSpread, 'averageHours' | 'openWaits'> {
  const n = inMonth.length;
  if (n < MIN_BERTHINGS) return { averageHours: null, openWaits: 0 };
  const berthedMean = mean(inWindow);
  const openWaits = n < ENOUGH_BERTHINGS ? (day.waiting ?? 0) : 0;
  if (openWaits === 0) return { averageHours: Math.round(berthedMean * 10) / 10, openWaits };
  const allMean = (mean(inMonth) * n + (day.waiting_hours ?? 0)) / (n + openWaits);
  const flow =
    ((day.recent_wait_hours ?? 0) + PRIOR_ARRIVALS * allMean) / ((day.recent_arrivals ?? 0) + PRIOR_ARRIVALS);
  const weight = Math.min(1, (ENOUGH_BERTHINGS - n) / (ENOUGH_BERTHINGS - MIN_BERTHINGS));
  const hours = weight * Math.min(allMean, flow) + (1 - weight) * berthedMean;
  return { averageHours: Math.round(hours * 10) / 10, openWaits };
}

/** The wait days of a port, oldest first, and by its day the spread behind each average. */
export interface WaitHistory {
  readonly days: readonly SpreadDay[];
  readonly spreads: ReadonlyMap<string, WaitSpread>;
}

/**
 * A day's spread is right if the 27 days before it are among `waitDays`. For days before the first covered one a source
 * states some vessels only: they count in later averages, and have none.
 */
export function waitHistory(waitDays: readonly SpreadDay[]): WaitHistory {
  const waitsBy = new Map(waitDays.map((day) => [Date.parse(day.date) / DAY_MS, waitsOn(day)]));
  const spreadOn = (day: SpreadDay): WaitSpread => {
    const last = Date.parse(day.date) / DAY_MS;
    const window = (days: number): number[] =>
      Array.from({ length: days }, (_, ago) => waitsBy.get(last - ago) ?? []).flat();
    const days = WINDOW_DAYS.find((count) => window(count).length >= MIN_BERTHINGS) ?? MAX_WINDOW_DAYS;
    const waits = window(days);
    const ascending = waits.toSorted((a, b) => a - b);
    return {
      days,
      berthings: waits.length,
      ...average(day, waits, window(MAX_WINDOW_DAYS)),
      p10Hours: quantileOf(ascending, 0.1),
      medianHours: quantileOf(ascending, 0.5),
      p90Hours: quantileOf(ascending, 0.9),
    };
  };
  const first = waitDays.findIndex(({ coverage }) => coverage > 0);
  const covered = first < 0 ? [] : waitDays.slice(first);
  return { days: waitDays, spreads: new Map(covered.map((day) => [day.date, spreadOn(day)])) };
}

/** The average as charts draw it: null also where it is an estimate, because too few vessels have berthed. */
export const drawnAverage = (spread: WaitSpread | undefined): number | null =>
  spread === undefined || spread.openWaits > 0 ? null : spread.averageHours;

export function spreadText(
  { days, berthings, openWaits, medianHours, p90Hours }: WaitSpread,
  day: string,
): string {
  if (medianHours === null || p90Hours === null) return `No vessel berthed in the ${days} days up to ${day}.`;
  const vessels = berthings === 1 ? '1 berthing' : `${berthings} berthings`;
  if (openWaits > 0)
    return `${openWaits} cargo ${openWaits === 1 ? 'vessel' : 'vessels'} waiting on ${day}, ${TOO_FEW}: ${vessels} in ${days} days. The estimates are among the values.`;
  return `The average of ${day} is based on ${vessels} in ${days} days: half of them waited at most ${medianHours.toFixed(1)} h, nine in ten at most ${p90Hours.toFixed(1)} h.`;
}

// What wait is usual at a port: the middle of its own daily averages, of the same month a year before where they are
// known.

export interface UsualWait {
  readonly hours: number;
  /** The month that they are of, for example `October 2025`; undefined for the 90 days before the week. */
  readonly month: string | undefined;
}

/** Least number of days to compare with that must have an average. */
const MIN_DAYS_OF_MONTH = 20;
const MIN_DAYS_BEFORE = 28;
const DAYS_BEFORE = 90;
/** The averages of the week that is compared share berthings with it. */
const WEEK_DAYS = 7;

const monthText = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/**
 * What was usual before `day`: the median of the daily averages of its month a year before; with fewer than 20 of these, of the
 * 90 days that end a week before it; undefined with fewer than 28 of those.
 */
export function usualWait(spreads: ReadonlyMap<string, WaitSpread>, day: string): UsualWait | undefined {
  const median = (isCompared: (date: string) => boolean, least: number): number | null => {
    const hours = [...spreads].flatMap(([date, { averageHours }]) =>
      isCompared(date) ? (averageHours ?? []) : [],
    );
    const ascending = hours.toSorted((a, b) => a - b);
    return hours.length < least ? null : quantileOf(ascending, 0.5);
  };
  const month = `${Number(day.slice(0, 4)) - 1}${day.slice(4, 7)}`;
  const inMonth = median((date) => date.startsWith(month), MIN_DAYS_OF_MONTH);
  if (inMonth !== null)
    return { hours: inMonth, month: monthText.format(Date.parse(`${month}-01T00:00:00Z`)) };
  const [first, last] = [addDays(day, -(WEEK_DAYS + DAYS_BEFORE - 1)), addDays(day, -WEEK_DAYS)];
  const before = median((date) => date >= first && date <= last, MIN_DAYS_BEFORE);
  return before === null ? undefined : { hours: before, month: undefined };
}
