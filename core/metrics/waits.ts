/** Waits before the berth: their average, and the share of calls that were delayed. */
import type { VesselClass } from '../calls/observation.ts';
import type { PortCall } from '../calls/port-call.ts';
import { HOURS_DECIMALS, round } from '../reference/rounding.ts';
import { addDays, type Day, HOUR_MS, type Instant, startOfDay } from '../reference/time.ts';
import { anchoredMsBefore, type Berthing, type CallIndex, firstBerthAt } from './call-index.ts';
import { delayedShare } from './score.ts';

/** A wait of this many hours or more is a delay. */
export const DELAYED_HOURS = 3;
/** The average is over the berthings of 7 days; with too few of them, of the next longer window. */
const WINDOWS_DAYS = [7, 14, 28] as const;
const [WEEK_DAYS, , MONTH_DAYS] = WINDOWS_DAYS;
export const MAX_WINDOW_DAYS = MONTH_DAYS;
/** A window with fewer berthings than this is too short, and a day with fewer in 28 days has no average. */
const MIN_BERTHINGS = 3;
/** With this many berthings in 28 days the average does not include open waits. */
const ENOUGH_BERTHINGS = 20;

/**
 * Quantile of values in ascending order by linear interpolation between order statistics (Hyndman and Fan 1996,
 * type 7, the default of NumPy, R and Excel). `values` must not be empty.
 */
export function quantile(ascending: ArrayLike<number>, share: number): number {
  const position = (ascending.length - 1) * share;
  const below = Math.floor(position);
  const low = ascending[below] ?? Number.NaN;
  const high = ascending[below + 1] ?? low;
  return low + (position - below) * (high - low);
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const waitHoursOf = (berthings: readonly Berthing[]): number[] => berthings.map(({ waitHours }) => waitHours);

/** Berthings of the `days` UTC days that end with `day`, before `untilAt`. */
const berthingsOf = (index: CallIndex, day: Day, days: number, untilAt: Instant): readonly Berthing[] =>
  index.berthingsIn(startOfDay(addDays(day, 1 - days)), untilAt);

/** Berthings of the shortest window with enough of them; of 28 days when none has enough. */
export function berthingsForAverage(index: CallIndex, day: Day, untilAt: Instant): readonly Berthing[] {
  const windows = WINDOWS_DAYS.map((days) => berthingsOf(index, day, days, untilAt));
  return windows.find((berthings) => berthings.length >= MIN_BERTHINGS) ?? windows.at(-1) ?? [];
}

/** A wait that is not over: the hours so far, and the class of the vessel where the source states it. */
interface OpenWait {
  readonly waitHours: number;
  readonly vesselClass?: VesselClass;
}

/** Whether the call's wait had begun before `untilAt` and neither a berth nor a departure had ended it. */
function isWaiting(call: PortCall, untilAt: Instant): boolean {
  const hasAnchored = call.legs.some(({ zone, startAt }) => zone === 'anchorage' && startAt < untilAt);
  const endedAt = Math.min(firstBerthAt(call) ?? untilAt, call.atdAt ?? untilAt);
  return hasAnchored && endedAt >= untilAt;
}

/**
 * Hours that each open wait had lasted just before `untilAt`, of cargo calls whose wait is known. A vessel that has left
 * the anchorage for its berth still counts, so that the average does not dip while it is on the way.
 */
export function openWaits(index: CallIndex, day: Day, untilAt: Instant): OpenWait[] {
  return index
    .presentOn(startOfDay(day))
    .filter(({ call, cargo, toAt }) => cargo && call.waitKnown && toAt >= untilAt && isWaiting(call, untilAt))
    .map(({ call }) => ({
      waitHours: anchoredMsBefore(call, Math.min(untilAt, index.asOfAt)) / HOUR_MS,
      vesselClass: call.vesselClass,
    }));
}

/**
 * Weight of the open waits in the average, 0 to 1. With up to three berthings every call, berthed or waiting, has the
 * same weight; from there it falls linearly to 0 at twenty, so that no single berthing moves the average far.
 */
function openWeight(berthings: number, openWaits: number): number {
  const fading = Math.min(1, (ENOUGH_BERTHINGS - berthings) / (ENOUGH_BERTHINGS - MIN_BERTHINGS));
  return (fading * openWaits) / (Math.min(berthings, MIN_BERTHINGS) + openWaits);
}

/**
 * `avg_wait_hours` however few calls there are: the mean wait of the berthings before `untilAt` in the window that ends with
 * `day`; with fewer than twenty in 28 days, the ages of the open waits count too. Hours, 1 decimal; undefined when there
 * is neither a berthing nor an open wait.
 */
export function runningWait(index: CallIndex, day: Day, untilAt: Instant): number | undefined {
  const inMonth = berthingsOf(index, day, MONTH_DAYS, untilAt).length;
  const open =
    inMonth < ENOUGH_BERTHINGS ? openWaits(index, day, untilAt).map(({ waitHours }) => waitHours) : [];
  if (inMonth + open.length === 0) return undefined;
  const weight = open.length === 0 ? 0 : openWeight(inMonth, open.length);
  const ofOpen = weight === 0 ? 0 : weight * meanOf(open);
  const ofBerthed =
    weight === 1 ? 0 : (1 - weight) * meanOf(waitHoursOf(berthingsForAverage(index, day, untilAt)));
  return round(ofOpen + ofBerthed, HOURS_DECIMALS);
}

/** `avg_wait_hours` of a day: undefined with fewer than three berthings in 28 days. */
export function averageWait(index: CallIndex, day: Day, untilAt: Instant): number | undefined {
  const isTooFew = berthingsOf(index, day, MONTH_DAYS, untilAt).length < MIN_BERTHINGS;
  return isTooFew ? undefined : runningWait(index, day, untilAt);
}

/** Mean wait of these berthings alone, hours, 1 decimal; undefined when there is none. */
export const meanWait = (berthings: readonly Berthing[]): number | undefined =>
  berthings.length === 0 ? undefined : round(meanOf(waitHoursOf(berthings)), HOURS_DECIMALS);

/** Delayed share of these berthings, 0 to 1. */
export const delayedShareOf = (berthings: readonly Berthing[]): number =>
  delayedShare(berthings.filter(({ waitHours }) => waitHours >= DELAYED_HOURS).length, berthings.length);

/** Delayed share of the seven days that end with `day`. */
export const weekDelayedShare = (index: CallIndex, day: Day, untilAt: Instant): number =>
  delayedShareOf(berthingsOf(index, day, WEEK_DAYS, untilAt));
