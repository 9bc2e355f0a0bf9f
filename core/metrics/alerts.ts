/** Alerts of one port: a function of its daily metrics only, so the same days always give the same alerts. */
import { type AlertMetric, SEVERITIES, type Severity, severityRank } from '../reference/figure-names.ts';
import { round } from '../reference/rounding.ts';
import { median } from '../reference/statistics.ts';
import {
  addDays,
  DAY_MS,
  type Day,
  dayOf,
  daysBetween,
  endOfDay,
  type Instant,
  startOfDay,
} from '../reference/time.ts';
import {
  ALERT_RULES,
  type AlertRule,
  changeFraction,
  FIGURE_DAYS,
  type ThresholdLines,
  type WatchedDay,
  watchedDays,
} from './alert-rules.ts';
import { changeAlerts } from './change-alerts.ts';
import { closureAlerts, closureAt } from './closures.ts';
import type { Alert, DailyMetrics } from './figures.ts';
import { UNUSUAL_MEMORY_DAYS, unusualAlerts } from './unusual-alerts.ts';

// Threshold alerts: a figure at or above a line on two consecutive days.

/** A figure reaches a line when it is at or above it on this many consecutive calendar days. */
const DAYS_TO_REACH = 2;
/** A figure is compared with the median of this many days before. */
const NORMAL_DAYS = 28;
/** An episode ends when no line has been reached for this long, with or without data. */
const EPISODE_MEMORY_DAYS = 28;

/** One alert for each line that it reached, oldest first: the last one is served. */
type Episode = [Alert, ...Alert[]];

const servedOf = (episode: Episode): Alert => episode.at(-1) ?? episode[0];

/**
 * Episodes of one metric over completed days, oldest first, each until the figure falls to the clearing level. Where it
 * reaches a higher line, the one alert moves up to the first day on which the highest line was reached.
 */
function thresholdEpisodes(days: readonly WatchedDay[], rule: AlertRule): Episode[] {
  const { threshold } = rule;
  if (!threshold) return [];
  const episodes: Episode[] = [];
  let open: Episode | undefined;
  /** Day number on which a line was last reached. */
  let reachedOn = 0;
  for (const [i, { figure, dayNumber }] of days.entries()) {
    if (figure === undefined) continue;
    if (open && isCleared(figure, dayNumber, reachedOn, threshold)) open = undefined;
    const reached = reachedSeverity(days, i, threshold);
    if (reached === undefined) continue;
    reachedOn = dayNumber;
    if (open && severityRank(reached) <= severityRank(servedOf(open).severity)) continue;
    const alert = alertOn(days, i, reached, rule, threshold);
    if (open) {
      open.push(alert);
      continue;
    }
    open = [alert];
    episodes.push(open);
  }
  return episodes;
}

/** The highest line that the figure reaches on day `i`; undefined when it reaches none. */
function reachedSeverity(
  days: readonly WatchedDay[],
  i: number,
  { lines }: ThresholdLines,
): Severity | undefined {
  const last = days[i]?.dayNumber ?? 0;
  const run = days.slice(Math.max(0, i + 1 - DAYS_TO_REACH), i + 1);
  const figures = run.flatMap(({ figure, dayNumber }) =>
    figure !== undefined && last - dayNumber < DAYS_TO_REACH ? [figure] : [],
  );
  if (figures.length < DAYS_TO_REACH) return undefined;
  const least = Math.min(...figures);
  return SEVERITIES.findLast((severity) => least >= lines[severity]);
}

/** The end of the first day after `day` on which an episode of that day is over; undefined while none is. */
export function levelClearedAt(
  completed: readonly DailyMetrics[],
  metric: AlertMetric,
  day: Day,
): Instant | undefined {
  const rule = metric === 'berthings' ? undefined : ALERT_RULES[metric];
  if (rule?.threshold === undefined) return undefined;
  const days = watchedDays(
    completed.filter((row) => row.day >= addDays(day, -FIGURE_DAYS)),
    rule,
  );
  let reachedOn = days.find((row) => row.day === day)?.dayNumber ?? startOfDay(day) / DAY_MS;
  for (const [i, { figure, dayNumber, day: of }] of days.entries()) {
    if (of <= day || figure === undefined) continue;
    if (isCleared(figure, dayNumber, reachedOn, rule.threshold)) return endOfDay(of);
    if (reachedSeverity(days, i, rule.threshold) !== undefined) reachedOn = dayNumber;
  }
  return undefined;
}

const isCleared = (figure: number, dayNumber: number, reachedOn: number, { clearAt }: ThresholdLines) =>
  figure <= clearAt || dayNumber - reachedOn > EPISODE_MEMORY_DAYS;

function alertOn(
  days: readonly WatchedDay[],
  i: number,
  severity: Severity,
  rule: AlertRule,
  { lines }: ThresholdLines,
): Alert {
  const { day = '', dayNumber = 0, figure = 0 } = days[i] ?? {};
  const before = days
    .slice(Math.max(0, i - NORMAL_DAYS), i)
    .flatMap((row) =>
      row.figure !== undefined && dayNumber - row.dayNumber <= NORMAL_DAYS ? [row.figure] : [],
    );
  const { metric, decimals, floor } = rule;
  const normal = round(median(before) ?? figure, decimals);
  return {
    type: 'threshold',
    metric,
    severity,
    changeFraction: changeFraction(normal, figure, floor),
    asOfAt: endOfDay(day),
    explain:
      `${metric} ${figure} is at or above ${lines[severity]} for ${DAYS_TO_REACH} days ` +
      `(${NORMAL_DAYS}-day median ${normal}).`,
  };
}

/** Days before `fromDay` in which episodes and cool-downs that reach into it may have begun. */
const LEVEL_MEMORY_DAYS = 180;
/**
 * A rise is reported nine days after its first day at the earliest. A threshold or an unusual figure in these days
 * has reported it already. `docs/accuracy.md` counts how often.
 */
export const EARLIER_ALERT_DAYS = 9;
/** Days that `series` needs before `fromDay`. */
export const ALERT_MEMORY_DAYS = UNUSUAL_MEMORY_DAYS + EARLIER_ALERT_DAYS;

interface AlertSpan {
  /** Newest observation. A day that ends after it is still running, and only its unusual figures raise alerts. */
  readonly asOfAt: Instant;
  /** Return only alerts of this day and later: those with `asOfAt > startOfDay(fromDay)`. All when absent. */
  readonly fromDay?: Day;
}

/**
 * All alerts of the days, newest first, then by metric and type. `series` is oldest first and may have gaps. The result
 * replaces every stored alert after the start of `fromDay`: one that reaches a higher line moves to a later day.
 */
export function evaluateAlerts(series: readonly DailyMetrics[], { asOfAt, fromDay }: AlertSpan): Alert[] {
  const afterAt = fromDay === undefined ? Number.NEGATIVE_INFINITY : startOfDay(fromDay);
  const completed = series.filter(({ day }) => endOfDay(day) <= asOfAt);
  // When only the running day is asked for, completed days add nothing.
  const last = completed.at(-1);
  const firstDay = fromDay === undefined ? '' : addDays(fromDay, -LEVEL_MEMORY_DAYS);
  const isAsked = (alert: Alert): boolean => alert.asOfAt > afterAt;
  const lineAlerts =
    last !== undefined && endOfDay(last.day) > afterAt
      ? levelAlerts(
          completed.filter(({ day }) => day >= firstDay),
          isAsked,
          (day) => unusualAlerts(completed, asOfAt, day),
        )
      : [];
  return [...lineAlerts, ...unusualAlerts(series, asOfAt, fromDay), ...closureAlerts(series, asOfAt, fromDay)]
    .filter(isAsked)
    .sort(byNewest);
}

/** Alerts that wait for the end of the day. `unusualSince` gives the unusual figures of a day and later. */
function levelAlerts(
  completed: readonly DailyMetrics[],
  isAsked: (alert: Alert) => boolean,
  unusualSince: (day: Day) => readonly Alert[],
): Alert[] {
  const watched = Object.values(ALERT_RULES).map((rule) => ({ rule, days: watchedDays(completed, rule) }));
  const episodes = watched.flatMap(({ rule, days }) => thresholdEpisodes(days, rule));
  const changes = watched.flatMap(({ rule, days }) => changeAlerts(days, rule)).filter(isAsked);
  const firstAt = Math.min(...changes.map(({ asOfAt }) => asOfAt)) - EARLIER_ALERT_DAYS * DAY_MS;
  const earlier = changes.length === 0 ? [] : [...episodes.flat(), ...unusualSince(dayOf(firstAt - 1))];
  return [...episodes.map(servedOf), ...changes.map((change) => withoutRepetition(change, earlier))];
}

/** Lowers a rise to `low` if a threshold or an unusual figure of any metric has reported it. A fall is never lowered: no other alert reports one. */
function withoutRepetition(change: Alert, earlier: readonly Alert[]): Alert {
  const isReported = earlier.some(
    ({ asOfAt }) => asOfAt <= change.asOfAt && asOfAt >= change.asOfAt - EARLIER_ALERT_DAYS * DAY_MS,
  );
  return change.changeFraction > 0 && isReported ? { ...change, severity: 'low' } : change;
}

/** Newest first, then metric, then type, both in the order of their names. */
const byNewest = (a: Alert, b: Alert): number =>
  b.asOfAt - a.asOfAt || compareText(a.metric, b.metric) || compareText(a.type, b.type);

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

// Alerts by calendar quarter. Those of a quarter follow from the daily metrics of the `ALERT_MEMORY_DAYS` days before it
// and of its own days alone, and not from when, or how often, they were evaluated.

const QUARTER_MONTHS = 3;
export const MAX_PERIOD_DAYS = 92;

export function periodStart(day: Day): Day {
  const month = Number(day.slice(5, 7));
  const first = month - ((month - 1) % QUARTER_MONTHS);
  return `${day.slice(0, 4)}-${String(first).padStart(2, '0')}-01`;
}

/** First day of the metrics that the alerts of the quarter of `day` are made from. */
export const memoryStart = (day: Day): Day => addDays(periodStart(day), -ALERT_MEMORY_DAYS);

/** Days from an alert of a closure to the one on which its beginning is known. */
const BEGINNING_DAYS = 1;

/** The first day whose alerts can change on `today`: that of a closure whose beginning was not known yet, where it is recent. */
export function unsettledSince(alerts: readonly Alert[], today: Day): Day {
  const recent = addDays(today, -BEGINNING_DAYS);
  const days = alerts.flatMap(({ metric, beganAt, asOfAt }) =>
    metric === 'berthings' && beganAt === undefined && dayOf(asOfAt - 1) >= recent ? [dayOf(asOfAt - 1)] : [],
  );
  return days.sort()[0] ?? today;
}

/**
 * All alerts of the quarter of `fromDay` and of later ones, newest first. `series` is oldest first, begins at
 * `memoryStart` of `fromDay` or with the first day of the port, and may end with the running day.
 */
export function alertsSince(series: readonly DailyMetrics[], asOfAt: Instant, fromDay: Day): Alert[] {
  const today = series.at(-1)?.day ?? fromDay;
  const starts = [...new Set(daysBetween(periodStart(fromDay), today).map(periodStart))].reverse();
  const alerts = starts.flatMap((start, i) => {
    const next = starts[i - 1] ?? addDays(today, 1);
    const rows = series.filter(({ day }) => day >= memoryStart(start) && day < next);
    return evaluateAlerts(rows, { asOfAt: Math.min(asOfAt, startOfDay(next)), fromDay: start });
  });
  // The beginning of a closure at the turn of the quarter is known from hours of the next one.
  return alerts.map((alert) => withBeginning(alert, series, asOfAt));
}

function withBeginning(alert: Alert, series: readonly DailyMetrics[], asOfAt: Instant): Alert {
  if (alert.metric !== 'berthings' || alert.beganAt !== undefined) return alert;
  const { beganAt, isBeginKnown = false } = closureAt(series, alert.asOfAt, asOfAt) ?? {};
  return isBeginKnown ? { ...alert, beganAt } : alert;
}
