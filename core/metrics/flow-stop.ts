/** Whether the flow of berthings is surely broken: few in the last hours, against the same hours of the days before. */
import { median } from '../reference/statistics.ts';
import { DAY_HOURS, type FlowHours, type HourSums } from './flow-hours.ts';

/** Hours of the windows. At a quiet port only a long window without a berthing is more than chance. */
const WINDOWS = [6, 12, 24, 48, 72, 168];
/** The usual number is the median of the same hours over this many days, at least this many of them known. */
const USUAL_DAYS = 28;
const MIN_USUAL_DAYS = 20;
/** Weeks behind the usual number for one weekday, used where it is less than half of the general one: some ports rest on Sundays. */
const USUAL_WEEKS = 7;
const MIN_USUAL_WEEKS = 3;
const WEEK_HOURS = 7 * DAY_HOURS;
/** Days that a judgement looks back on, beside its own. */
export const STOP_MEMORY_DAYS = USUAL_WEEKS * 7 + 7;

/** Broken: at most this share of the usual number, and this improbable (Poisson). */
const BROKEN_SHARE = 0.25;
const CHANCE = 1e-5;
/** With fewer usual berthings in a window, even none is not improbable enough. */
const LEAST_USUAL = -Math.log(CHANCE);
/** A day without a berthing although vessels arrived is broken at this probability. */
const HELD_ARRIVALS = 2;
/** A vessel that arrived less than this ago may be on its way to the berth. */
const HELD_HOURS = 3;
const HELD_CHANCE = 0.01;
const HELD_USUAL = -Math.log(HELD_CHANCE);
/** Stopped is at most this share, over a day or more. */
const STOPPED_SHARE = 0.1;
/** The flow is back above this share. */
export const BACK_SHARE = 0.5;

/** Chance of at most `count` events where `mean` are usual. */
function poissonTail(count: number, mean: number): number {
  let term = Math.exp(-mean);
  let sum = term;
  for (let k = 1; k <= count; k += 1) {
    term *= mean / k;
    sum += term;
  }
  return sum;
}

/** What is usual in the `window` hours that end with the first `hours`; undefined with too few known days before. */
function usualIn(count: HourSums, hours: number, window: number): number | undefined {
  const before = (step: number, steps: number): number[] =>
    Array.from({ length: steps }, (_, i) => count.in(hours - (i + 1) * step, window)).filter(
      (known) => known !== undefined,
    );
  const days = before(DAY_HOURS, USUAL_DAYS);
  const usual = days.length < MIN_USUAL_DAYS ? undefined : median(days);
  if (usual === undefined) return undefined;
  const weeks = before(WEEK_HOURS, USUAL_WEEKS);
  const weekdayUsual = weeks.length < MIN_USUAL_WEEKS ? undefined : median(weeks);
  return weekdayUsual !== undefined && weekdayUsual < BACK_SHARE * usual ? weekdayUsual : usual;
}

export interface FlowWindow {
  readonly hours: number;
  readonly berthings: number;
  readonly usual: number;
}

export function flowWindow(flow: FlowHours, hours: number, window: number): FlowWindow | undefined {
  const berthings = flow.berthings.in(hours, window);
  if (berthings === undefined) return undefined;
  const usual = usualIn(flow.berthings, hours, window);
  return usual === undefined ? undefined : { hours: window, berthings, usual };
}

/** Part of the usual berthings that is missing, 0 to 1. */
const missingShare = ({ berthings, usual }: FlowWindow): number =>
  usual === 0 ? 0 : Math.max(0, 1 - berthings / usual);

/** Arrivals have stopped too. On a holiday vessels still arrive, and wait. */
function isWithoutArrivals(flow: FlowHours, hours: number, window: number): boolean {
  const arrivals = flow.arrivals.in(hours, window);
  const usual = usualIn(flow.arrivals, hours, window);
  return arrivals !== undefined && usual !== undefined && arrivals <= BROKEN_SHARE * usual;
}

const isUsualAgain = ({ berthings, usual }: FlowWindow): boolean => berthings > BACK_SHARE * usual;

/** Whether a window of more than a day may be judged: a day has too few berthings, and the last is not usual again. */
function isLongNeeded(flow: FlowHours, hours: number): boolean {
  const day = flowWindow(flow, hours, DAY_HOURS);
  return day !== undefined && day.usual < LEAST_USUAL && !isUsualAgain(day);
}

/** Vessels arrived in the last day and none berthed, as on at most one of the days before. */
function isHeldUp(flow: FlowHours, hours: number, { hours: length, berthings, usual }: FlowWindow): boolean {
  if (length !== DAY_HOURS || berthings > 0 || usual < HELD_USUAL) return false;
  const days = Array.from({ length: USUAL_DAYS }, (_, i) =>
    flow.berthings.in(hours - (i + 1) * DAY_HOURS, DAY_HOURS),
  );
  const held = flow.arrivals.in(hours - HELD_HOURS, length - HELD_HOURS) ?? 0;
  return held >= HELD_ARRIVALS && days.filter((day) => day === 0).length <= 1;
}

function isBroken(flow: FlowHours, hours: number, window: FlowWindow): boolean {
  const { hours: length, berthings, usual } = window;
  if (isHeldUp(flow, hours, window)) return true;
  if (berthings > BROKEN_SHARE * usual || poissonTail(berthings, usual) >= CHANCE) return false;
  // Less than a day is too short to tell a stop from a holiday by berthings alone.
  if (length < DAY_HOURS) return isWithoutArrivals(flow, hours, length);
  return length === DAY_HOURS || isLongNeeded(flow, hours);
}

/** The windows that end with the first `hours` and over which the flow is surely broken, shortest first. */
export function brokenWindows(flow: FlowHours, hours: number): FlowWindow[] {
  return WINDOWS.flatMap((length) => {
    const berthings = flow.berthings.in(hours, length);
    if (berthings === undefined) return [];
    // Nearly every window ends here, before any day is sorted.
    const least = Math.max(length === DAY_HOURS ? HELD_USUAL : LEAST_USUAL, berthings / BROKEN_SHARE);
    if (!flow.berthings.isMedianPossible(hours, length, { least, days: USUAL_DAYS })) return [];
    const window = flowWindow(flow, hours, length);
    return window !== undefined && isBroken(flow, hours, window) ? [window] : [];
  });
}

/** Over a day or more there are almost no berthings. */
export const isStopped = ({ hours, berthings, usual }: FlowWindow): boolean =>
  hours >= DAY_HOURS && berthings <= STOPPED_SHARE * usual && usual >= LEAST_USUAL;

/**
 * Missing part of the usual berthings, 0 to 1, by the largest broken window; undefined a day after the last of them.
 * During that day it is at least that of the last 24 hours and, while these have less than half of the usual number, of
 * the last 12, so that it fades as vessels berth again. Fewer berthings in 24 hours never lower it.
 */
export function stoppedShare(flow: FlowHours, hours: number): number | undefined {
  const broken = brokenWindows(flow, hours);
  const wasBroken =
    broken.length > 0 ||
    Array.from({ length: DAY_HOURS - 1 }, (_, i) => hours - i - 1).some(
      (at) => brokenWindows(flow, at).length > 0,
    );
  if (!wasBroken) return undefined;
  const day = flowWindow(flow, hours, DAY_HOURS);
  const half = day !== undefined && !isUsualAgain(day) ? flowWindow(flow, hours, DAY_HOURS / 2) : undefined;
  const windows = [...broken, day, half].filter((window) => window !== undefined);
  return Math.max(0, ...windows.map(missingShare));
}
