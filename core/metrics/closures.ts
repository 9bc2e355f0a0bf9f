/** Closures of a port, hour by hour: the alerts that its berthings have stopped, and since when they have. */
import { type Severity, severityRank } from '../reference/figure-names.ts';
import { round } from '../reference/rounding.ts';
import { DAY_MS, type Day, dayOf, type Instant, startOfDay } from '../reference/time.ts';
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

/** A longer stop has become usual, and is no closure. */
const CLOSURE_DAYS = 21;
/** Closures closer together than this are one, and raise one alert of each severity. */
const REST_HOURS = DAY_HOURS;
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

/** A closure reaches a severity when the first `hours` are over. */
interface Reached {
  readonly hours: number;
  readonly severity: Severity;
  readonly window: FlowWindow;
}

/** Follows the hours `(from, to]`. An hour of which nothing is known is part of no closure. */
function followClosures(flow: FlowHours, from: number, to: number) {
  const reached: Reached[] = [];
  /** Hours that were over when each of them ended, or could be followed no more because nothing is known of the next one. */
  const ends: number[] = [];
  /** Hours that were over when the open closure was found. */
  let openedAfter: number | undefined;
  /** The same of the end of the previous closure; windows that begin earlier belong to it. */
  let backAfter = Number.NEGATIVE_INFINITY;
  let lastBroken = Number.NEGATIVE_INFINITY;
  let highest = -1;
  for (let hours = Math.max(1, from + 1); hours <= to; hours += 1) {
    if (flow.berthings.in(hours, 1) === undefined) {
      if (openedAfter !== undefined) ends.push(hours);
      openedAfter = undefined;
      continue;
    }
    const broken = brokenWindows(flow, hours).filter((window) => hours - window.hours >= backAfter);
    if (openedAfter === undefined && broken.length === 0) continue;
    if (isBack(flow, hours)) {
      if (openedAfter !== undefined) {
        backAfter = hours;
        ends.push(hours);
      }
      openedAfter = undefined;
      continue;
    }
    openedAfter ??= hours;
    const window = broken.find(isStopped) ?? broken[0];
    if (window === undefined) continue;
    if (hours - lastBroken > REST_HOURS) highest = -1;
    lastBroken = hours;
    const severity = severityOf(window);
    if (severityRank(severity) <= highest) continue;
    highest = severityRank(severity);
    reached.push({ hours, severity, window });
  }
  return { reached, openedAfter, backAfter, ends };
}

/** Rows that the closures from `fromDay` on depend on, and the hour from which they are followed. */
function followedFrom(series: readonly DailyMetrics[], fromDay: Day | undefined) {
  if (fromDay === undefined) return { flow: new FlowHours(series), from: 0 };
  const followedAt = startOfDay(fromDay) - CLOSURE_DAYS * DAY_MS;
  const firstAt = followedAt - STOP_MEMORY_DAYS * DAY_MS;
  const flow = new FlowHours(series.filter(({ day }) => startOfDay(day) >= firstAt));
  return { flow, from: flow.until(followedAt) };
}

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
  const { flow, from } = followedFrom(series, fromDay);
  const { reached } = followClosures(flow, from, flow.until(asOfAt));
  return reached.map((state) => closureAlert(flow, state));
}

function closureAlert(flow: FlowHours, { hours, severity, window }: Reached): Alert {
  const { berthings, usual } = window;
  return {
    type: 'unusual',
    metric: 'berthings',
    severity,
    changeFraction: changeFraction(usual, berthings, 1),
    asOfAt: flow.endOf(hours),
    explain: `berthings ${berthings} in ${window.hours} hours, ${round(usual, 1)} is usual in these hours (median of the 28 days before): the flow is broken, and the score says so.`,
  };
}

/** When the closure ended that an alert of `raisedAt` was of; undefined while it is open at `asOfAt`. */
export function closureEndAfter(
  series: readonly DailyMetrics[],
  raisedAt: Instant,
  asOfAt: Instant,
): Instant | undefined {
  const { flow, from } = followedFrom(series, dayOf(raisedAt));
  const { ends } = followClosures(flow, from, flow.until(asOfAt));
  return ends.map((hours) => flow.endOf(hours)).find((endAt) => endAt > raisedAt);
}

/**
 * Since when berthings have stopped, where a closure is open at `asOfAt`: the end of the hour of the last berthing
 * before the first twelve hours with at most a tenth of the usual number, or at their beginning. Until twelve such hours are
 * over, the end of the hour of the newest berthing.
 */
export function stoppedSince(series: readonly DailyMetrics[], asOfAt: Instant): Instant | undefined {
  const today = series.at(-1);
  if (today?.stoppedShare === undefined) return undefined;
  const { flow, from } = followedFrom(series, today.day);
  const hours = flow.until(asOfAt);
  const { openedAfter, backAfter } = followClosures(flow, from, hours);
  if (openedAfter === undefined) return undefined;
  let begin = hours;
  for (let end = Math.max(backAfter + BEGIN_HOURS, openedAfter - DAY_HOURS); end <= hours; end += 1) {
    const window = flowWindow(flow, end, BEGIN_HOURS);
    if (window === undefined || window.berthings > BEGIN_SHARE * window.usual) continue;
    begin = end - BEGIN_HOURS;
    break;
  }
  // Berthings with which the twelve hours begin are the last before the stop.
  while (begin < hours && (flow.berthings.in(begin + 1, 1) ?? 0) > 0) begin += 1;
  while (begin > Math.max(0, backAfter) && flow.berthings.in(begin, 1) === 0) begin -= 1;
  return flow.endOf(begin);
}
