/**
 * Closures of a port, followed hour by hour in the rows of its days: when each began and ended, and the alerts that it raises. Alerts,
 * `stopped_since`, the files of a release and the pages take them from here.
 */

import { type Coverage, coveredShare, MIN_DAY_COVERAGE } from '../calls/port-call.ts';
import { type Severity, severityRank } from '../reference/figure-names.ts';
import { median, round } from '../reference/statistics.ts';
import { DAY_MS, type Day, dayOf, endOfDay, HOUR_MS, type Instant, startOfDay } from '../reference/time.ts';
import { ALERT_WORDS, changeFraction } from './alert-rules.ts';
import type { Alert, DayFigures, HourCounts } from './figures.ts';
import type { CallIndex } from './waits.ts';

// Berthings and arrivals of a port by hour, and their sums over windows: the input of the closure rule.

export const DAY_HOURS = 24;
/** One digit an hour of this base, so that a day is a short text in its row; more in an hour count as the largest digit. */
const BASE = 36;
const UNKNOWN = '.';
const COUNTS = new Map(Array.from({ length: BASE }, (_, count) => [count.toString(BASE), count]));

const pack = (counts: readonly (number | undefined)[]): string =>
  counts.map((count) => (count === undefined ? UNKNOWN : Math.min(count, BASE - 1).toString(BASE))).join('');

/** The hours of the day that begins at `dayAt`. Those not over, or covered by less than 80 %, are unknown. */
export function hourCounts(index: CallIndex, dayAt: Instant, coverage: Coverage): HourCounts {
  const known = Array.from({ length: DAY_HOURS }, (_, hour) => {
    const span = { fromAt: dayAt + hour * HOUR_MS, toAt: dayAt + (hour + 1) * HOUR_MS };
    return span.toAt <= index.asOfAt && coveredShare(coverage, span) >= MIN_DAY_COVERAGE;
  });
  const countsOf = (instants: readonly Instant[]): string => {
    const counts = new Uint32Array(DAY_HOURS);
    for (const at of instants) {
      const hour = Math.floor((at - dayAt) / HOUR_MS);
      counts[hour] = (counts[hour] ?? 0) + 1;
    }
    return pack(Array.from(counts, (count, hour) => (known[hour] ? count : undefined)));
  };
  const toAt = dayAt + DAY_MS;
  return {
    hourBerthings: countsOf(index.firstBerthsIn(dayAt, toAt)),
    hourArrivals: countsOf(index.cargoCallsIn(dayAt, toAt).map(({ ataAt }) => ataAt)),
  };
}

/** Sums over the hours from a first one on; windows are named by their length and the number of hours up to their end. */
export class HourSums {
  private readonly sums: Int32Array;
  private readonly unknown: Int32Array;

  constructor(digits: string) {
    this.sums = new Int32Array(digits.length + 1);
    this.unknown = new Int32Array(digits.length + 1);
    for (let hour = 0; hour < digits.length; hour += 1) {
      const count = COUNTS.get(digits[hour] ?? UNKNOWN);
      this.sums[hour + 1] = (this.sums[hour] ?? 0) + (count ?? 0);
      this.unknown[hour + 1] = (this.unknown[hour] ?? 0) + Number(count === undefined);
    }
  }

  /** Undefined where an hour of the window is unknown. */
  in(hours: number, window: number): number | undefined {
    const from = hours - window;
    if (from < 0 || hours >= this.sums.length || this.unknown[hours] !== this.unknown[from]) return undefined;
    return (this.sums[hours] ?? 0) - (this.sums[from] ?? 0);
  }

  /** Whether the median of the same window over the `days` days before can reach `least`. */
  isMedianPossible(hours: number, window: number, { least, days }: { least: number; days: number }): boolean {
    let [known, below] = [0, 0];
    for (let ago = 1; ago <= days; ago += 1) {
      const end = hours - ago * DAY_HOURS;
      const begin = end - window;
      if (begin < 0) break;
      if (this.unknown[end] !== this.unknown[begin]) continue;
      known += 1;
      if ((this.sums[end] ?? 0) - (this.sums[begin] ?? 0) < least) below += 1;
      if (2 * below > days) return false;
    }
    return 2 * below <= known;
  }
}

/** Hours of the days of some rows, numbered from the first: hour `n` ends at `endOf(n)`. */
export class FlowHours {
  readonly #fromAt: Instant;
  readonly #length: number;
  readonly berthings: HourSums;
  readonly arrivals: HourSums;

  /** `rows` are oldest first and may have gaps. */
  constructor(rows: readonly Pick<DayFigures, 'day' | keyof HourCounts>[]) {
    this.#fromAt = rows[0] === undefined ? 0 : startOfDay(rows[0].day);
    const nothing = UNKNOWN.repeat(DAY_HOURS);
    let [berthings, arrivals] = ['', ''];
    for (const { day, hourBerthings = nothing, hourArrivals = nothing } of rows) {
      const gap = UNKNOWN.repeat((startOfDay(day) - this.#fromAt) / HOUR_MS - berthings.length);
      berthings += gap + hourBerthings;
      arrivals += gap + hourArrivals;
    }
    this.#length = berthings.length;
    this.berthings = new HourSums(berthings);
    this.arrivals = new HourSums(arrivals);
  }

  until(at: Instant): number {
    return Math.min(this.#length, Math.floor((at - this.#fromAt) / HOUR_MS));
  }

  endOf(hours: number): Instant {
    return this.#fromAt + hours * HOUR_MS;
  }
}

// The rule: few berthings in the last hours, compared with the same hours of the days before.

/** Hours of the windows. At a quiet port only a long window without a berthing is more than chance. */
const WINDOWS = [6, 12, 24, 48, 72, 168];
/** The usual number is the median of the same hours over this many days, at least this many of them known. */
const USUAL_DAYS = 28;
const MIN_USUAL_DAYS = 20;
/** Weeks behind the usual number for one weekday, used where it is less than half of the general one: some ports rest on Sundays. */
const USUAL_WEEKS = 7;
const MIN_USUAL_WEEKS = 3;
const WEEK_HOURS = 7 * DAY_HOURS;
/** Days before its own that the rule reads. */
export const CLOSURE_MEMORY_DAYS = USUAL_WEEKS * 7 + 7;

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

function flowWindow(flow: FlowHours, hours: number, window: number): FlowWindow | undefined {
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
  // Over less than a day, berthings alone do not distinguish a closure from a holiday.
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
const isStopped = ({ hours, berthings, usual }: FlowWindow): boolean =>
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

/** Longest closure. A port that has had no berthings for longer is taken to have changed, not closed. */
const CLOSURE_DAYS = 21;
/** Berthings that are back for this long end a closure; a shorter return is part of it. */
const RETURN_HOURS = DAY_HOURS;
/** The port is open again by the shortest of these windows in which anything is usual. */
const BACK_WINDOWS = [6, 12, 24];
/** With fewer usual berthings, a single one says nothing. */
const MIN_USUAL = 3;
/** A closure begins with at most a tenth of the usual number over these hours. */
const BEGIN_HOURS = 12;
const BEGIN_SHARE = 0.1;

const severityOf = (window: FlowWindow): Severity => (isStopped(window) ? 'high' : 'medium');

/** Whether berthings are back: more than half of the usual number in the shortest window in which it is enough. */
function isBack(flow: FlowHours, hours: number): boolean {
  const windows = BACK_WINDOWS.flatMap((length) => flowWindow(flow, hours, length) ?? []);
  const window = windows.find(({ usual }) => usual >= MIN_USUAL) ?? windows.at(-1);
  return window !== undefined && window.berthings > BACK_SHARE * window.usual;
}

/** A severity that a closure reaches, known at `at`, the end of its hour. */
interface Reached {
  readonly at: Instant;
  readonly severity: Severity;
  readonly window: FlowWindow;
}

/**
 * A maximal chain of broken hours, joined across returns of berthings shorter than 24 h. An hour is broken where berthings are not
 * back and a window that ends with it is broken; a window that reaches behind the latest return does not count.
 */
export interface Closure {
  /** The earliest beginning that any of its hours gives. It no longer moves once `isBeginKnown`, twelve hours later. */
  readonly beganAt: Instant;
  readonly isBeginKnown: boolean;
  /** One of each severity, oldest first. The closure was found with the first. */
  readonly reached: readonly Reached[];
  /** An hour of the last 24 was broken, and berthings have not come back since. */
  readonly isStopped: boolean;
  /** When berthings came back. Known 24 hours later, if no broken hour follows. */
  readonly endedAt?: Instant;
  /** The end of the last known hour, after which the closure could not be followed: no end is stated. */
  readonly lostAt?: Instant;
}

/** A closure in numbers of hours that are over. */
interface Followed {
  readonly found: number;
  /** No window of it begins earlier: berthings came back then after the closure before, or an unknown hour ended. */
  readonly notBefore: number;
  readonly reached: { readonly hours: number; readonly severity: Severity; readonly window: FlowWindow }[];
  /** Hours that were broken, and those in which a return began: oldest first. */
  readonly broken: number[];
  readonly returns: number[];
  /** The newest hour that was followed. */
  until: number;
  /** The beginning of the latest return, while berthings are back. */
  back: number | undefined;
  state: 'open' | 'ended' | 'lost';
}

/** Follows the hours `(from, to]`. */
function followClosures(flow: FlowHours, from: number, to: number): Followed[] {
  const closures: Followed[] = [];
  let open: Followed | undefined;
  let notBefore = 0;
  for (let hours = Math.max(1, from + 1); hours <= to; hours += 1) {
    if (flow.berthings.in(hours, 1) === undefined) {
      if (open !== undefined) open.state = 'lost';
      open = undefined;
      notBefore = hours;
      continue;
    }
    if (open?.back !== undefined && hours - open.back >= RETURN_HOURS) {
      open.state = 'ended';
      open = undefined;
    }
    if (open !== undefined) open.until = hours;
    const broken = brokenWindows(flow, hours).filter((window) => hours - window.hours >= notBefore);
    const window = broken.find(isStopped) ?? broken[0];
    const isDown = open !== undefined && open.back === undefined;
    if (window === undefined && !isDown) continue;
    if (isBack(flow, hours)) {
      if (open !== undefined && isDown) {
        notBefore = open.back = hours;
        open.returns.push(hours);
      }
      continue;
    }
    if (window === undefined) continue;
    if (open === undefined) {
      open = {
        found: hours,
        notBefore,
        reached: [],
        broken: [],
        returns: [],
        until: hours,
        back: undefined,
        state: 'open',
      };
      closures.push(open);
    }
    open.broken.push(hours);
    open.back = undefined;
    const severity = severityOf(window);
    const highest = open.reached.at(-1);
    if (highest === undefined || severityRank(severity) > severityRank(highest.severity))
      open.reached.push({ hours, severity, window });
  }
  return closures;
}

/** Whether an hour of the last 24 is broken when `hours` are over, and no return has begun since. */
function isStoppedAfter({ broken, returns, until, state }: Followed, hours: number): boolean {
  const newest = broken.findLast((at) => at <= hours);
  if (newest === undefined || hours - newest >= DAY_HOURS || (state === 'lost' && hours > until))
    return false;
  return !returns.some((at) => at > newest && at <= hours);
}

/**
 * The hours that were over when a closure began. Each of its hours gives a beginning: the end of the hour of the last berthing before
 * the first twelve hours with at most a tenth of the usual number, or at their beginning; until these are over, the end of the hour of
 * the newest berthing. The earliest is that of the hour in which the closure was found, or of these twelve hours.
 */
function beginningOf(flow: FlowHours, { found, notBefore, until }: Followed): number {
  const afterLastBerthing = (hours: number): number => {
    let begin = hours;
    while (begin > notBefore && flow.berthings.in(begin, 1) === 0) begin -= 1;
    return begin;
  };
  const newest = afterLastBerthing(found);
  // Twelve hours that begin later give no earlier beginning.
  const lastEnd = Math.min(until, newest + BEGIN_HOURS);
  for (let end = Math.max(notBefore + BEGIN_HOURS, found - DAY_HOURS); end <= lastEnd; end += 1) {
    const window = flowWindow(flow, end, BEGIN_HOURS);
    if (window === undefined || window.berthings > BEGIN_SHARE * window.usual) continue;
    let begin = end - BEGIN_HOURS;
    // Berthings with which the twelve hours begin are the last before the closure.
    while (begin < newest && (flow.berthings.in(begin + 1, 1) ?? 0) > 0) begin += 1;
    return Math.min(newest, afterLastBerthing(begin));
  }
  return newest;
}

/** Rows that the closures from `fromDay` on depend on, and the hour from which they are followed. */
function followedFrom(series: readonly DayFigures[], fromDay: Day | undefined) {
  if (fromDay === undefined) return { flow: new FlowHours(series), from: 0 };
  const followedAt = startOfDay(fromDay) - CLOSURE_DAYS * DAY_MS;
  const firstAt = followedAt - CLOSURE_MEMORY_DAYS * DAY_MS;
  const flow = new FlowHours(series.filter(({ day }) => startOfDay(day) >= firstAt));
  return { flow, from: flow.until(followedAt) };
}

/** The closures of the 21 days before `fromDay` and later, oldest first, as known at `asOfAt`; all where `fromDay` is absent. */
export function closuresOf(
  series: readonly DayFigures[],
  asOfAt: Instant,
  fromDay?: Day | undefined,
): Closure[] {
  const { flow, from } = followedFrom(series, fromDay);
  const to = flow.until(asOfAt);
  return followClosures(flow, from, to).map((followed) => {
    const { reached, until, back, state } = followed;
    const begin = beginningOf(flow, followed);
    return {
      beganAt: flow.endOf(begin),
      isBeginKnown: until - begin >= BEGIN_HOURS,
      reached: reached.map(({ hours, ...rest }) => ({ at: flow.endOf(hours), ...rest })),
      isStopped: isStoppedAfter(followed, to),
      ...(state === 'ended' && back !== undefined && { endedAt: flow.endOf(back) }),
      ...(state === 'lost' && { lostAt: flow.endOf(until) }),
    };
  });
}

/** The closure of an alert of `raisedAt`, as known at `asOfAt`. */
export const closureAt = (
  series: readonly DayFigures[],
  raisedAt: Instant,
  asOfAt: Instant,
): Closure | undefined =>
  closuresOf(series, asOfAt, dayOf(raisedAt)).find(
    ({ endedAt, lostAt }) => (endedAt ?? lostAt ?? Number.POSITIVE_INFINITY) >= raisedAt,
  );

/**
 * An alert of each severity that a closure reaches, as of the hour at which that was known. `series` may end with the
 * running day.
 */
export function closureAlerts(
  series: readonly DayFigures[],
  asOfAt: Instant,
  fromDay: Day | undefined,
): Alert[] {
  // Skips the search at most ports, which have had no closure for a long time.
  if (!series.some(({ day, stoppedShare }) => stoppedShare !== undefined && day >= (fromDay ?? '')))
    return [];
  return closuresOf(series, asOfAt, fromDay).flatMap((closure) =>
    closure.reached.map((reached) => closureAlert(closure, reached)),
  );
}

function closureAlert({ beganAt, isBeginKnown }: Closure, { at, severity, window }: Reached): Alert {
  const { berthings, usual } = window;
  return {
    type: 'unusual',
    metric: 'berthings',
    severity,
    changeFraction: changeFraction(usual, berthings, 1),
    asOfAt: at,
    explain: ALERT_WORDS.closure.explain({ berthings, hours: window.hours, usual: round(usual, 1) }),
    ...(isBeginKnown && { beganAt }),
  };
}

/** What is known of closures at the end of a day. */
export interface KnownClosures {
  /** Hours since the beginning of the closure in which the port is stopped then. */
  readonly age: number;
  /** Hours of the closures whose end was known by then. */
  readonly lengths: readonly number[];
}

/** By day on whose end the port was stopped; none knows an hour after its day. `series` is oldest first. */
export function stoppedDays(series: readonly DayFigures[]): Map<Day, KnownClosures> {
  if (!series.some(({ stoppedShare }) => stoppedShare !== undefined)) return new Map();
  const flow = new FlowHours(series);
  const closures = followClosures(flow, 0, flow.until(Number.POSITIVE_INFINITY));
  const lengthsAfter = (hours: number): number[] =>
    closures.flatMap((followed) => {
      const { back, state } = followed;
      if (state !== 'ended' || back === undefined || back + RETURN_HOURS > hours) return [];
      return [back - beginningOf(flow, followed)];
    });
  return new Map(
    series.flatMap(({ day }): [Day, KnownClosures][] => {
      const hours = flow.until(endOfDay(day));
      const open = closures.findLast(({ found }) => found <= hours);
      if (open === undefined || !isStoppedAfter(open, hours)) return [];
      const begin = beginningOf(flow, { ...open, until: Math.min(open.until, hours) });
      return [[day, { age: hours - begin, lengths: lengthsAfter(hours) }]];
    }),
  );
}

/** Since when berthings have stopped: the beginning of the closure whose hours are broken at `asOfAt`. */
export function stoppedSince(series: readonly DayFigures[], asOfAt: Instant): Instant | undefined {
  const today = series.at(-1);
  // No hour of the last 24 is broken.
  if (today?.stoppedShare === undefined) return undefined;
  const newest = closuresOf(series, asOfAt, today.day).at(-1);
  return newest?.isStopped ? newest.beganAt : undefined;
}
