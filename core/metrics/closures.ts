/**
 * Closures of a port, followed hour by hour in the rows of its days: when each began and ended, and the alerts that it raises. Alerts,
 * `stopped_since`, the files of a release and the pages take them from here.
 */
import { type Severity, severityRank } from '../reference/figure-names.ts';
import { round } from '../reference/rounding.ts';
import { DAY_MS, type Day, dayOf, endOfDay, type Instant, startOfDay } from '../reference/time.ts';
import { changeFraction } from './alert-rules.ts';
import type { Alert, DailyMetrics } from './figures.ts';
import { DAY_HOURS, FlowHours } from './flow-hours.ts';
import {
  BACK_SHARE,
  brokenWindows,
  type FlowWindow,
  flowWindow,
  isStopped,
  STOP_MEMORY_DAYS,
} from './flow-stop.ts';

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
    // Berthings with which the twelve hours begin are the last before the stop.
    while (begin < newest && (flow.berthings.in(begin + 1, 1) ?? 0) > 0) begin += 1;
    return Math.min(newest, afterLastBerthing(begin));
  }
  return newest;
}

/** Rows that the closures from `fromDay` on depend on, and the hour from which they are followed. */
function followedFrom(series: readonly DailyMetrics[], fromDay: Day | undefined) {
  if (fromDay === undefined) return { flow: new FlowHours(series), from: 0 };
  const followedAt = startOfDay(fromDay) - CLOSURE_DAYS * DAY_MS;
  const firstAt = followedAt - STOP_MEMORY_DAYS * DAY_MS;
  const flow = new FlowHours(series.filter(({ day }) => startOfDay(day) >= firstAt));
  return { flow, from: flow.until(followedAt) };
}

/** The closures of the 21 days before `fromDay` and later, oldest first, as known at `asOfAt`; all where `fromDay` is absent. */
export function closuresOf(
  series: readonly DailyMetrics[],
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
  series: readonly DailyMetrics[],
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
  series: readonly DailyMetrics[],
  asOfAt: Instant,
  fromDay: Day | undefined,
): Alert[] {
  // Most ports have had no closure for long.
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
    explain: `berthings ${berthings} in ${window.hours} hours, ${round(usual, 1)} is usual in these hours (median of the 28 days before): the flow is broken, and the score says so.`,
    ...(isBeginKnown && { beganAt }),
  };
}

/** What the end of a day says of closures. */
export interface KnownClosures {
  /** Hours since the beginning of the closure in which the port is stopped then. */
  readonly age: number;
  /** Hours of the closures whose end was known by then. */
  readonly lengths: readonly number[];
}

/** By day on whose end the port was stopped; none knows an hour after its day. `series` is oldest first. */
export function stoppedDays(series: readonly DailyMetrics[]): Map<Day, KnownClosures> {
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
export function stoppedSince(series: readonly DailyMetrics[], asOfAt: Instant): Instant | undefined {
  const today = series.at(-1);
  // No hour of the last 24 is broken.
  if (today?.stoppedShare === undefined) return undefined;
  const newest = closuresOf(series, asOfAt, today.day).at(-1);
  return newest?.isStopped ? newest.beganAt : undefined;
}
