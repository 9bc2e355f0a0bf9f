/**
 * Alerts against a port's own normal: a queue or a wait that its last year has hardly seen. A queue is compared on the
 * running day too, because a maximum only grows.
 */
import {
  type AlertMetric,
  type LevelMetric,
  SEVERITIES,
  type Severity,
  severityRank,
} from '../reference/figure-names.ts';
import { HOURS_DECIMALS, round } from '../reference/rounding.ts';
import { quantile } from '../reference/statistics.ts';
import { type Day, endOfDay, type Instant } from '../reference/time.ts';
import { changeFraction, dayNumber, type WatchedDay } from './alert-rules.ts';
import type { Alert, DailyMetrics } from './figures.ts';

/** The normal of a day is made from the days of a year before it, and needs this many of them. */
const NORMAL_DAYS = 365;
const MIN_NORMAL_DAYS = 60;
/** A day raises an alert when none of this many days before it was as unusual. */
const EPISODE_GAP_DAYS = 7;
/** Days before the first evaluated one that its alerts depend on. */
export const UNUSUAL_MEMORY_DAYS = NORMAL_DAYS + EPISODE_GAP_DAYS;

const [LOW, MIDDLE, HIGH] = [0.05, 0.5, 0.95];
/** A line lies at the 99th percentile or beyond. */
const RARE = 0.01;
/** A rise is medium from one and a half times the distance between median and line on, high from twice. */
const [MEDIUM_DISTANCE, HIGH_DISTANCE] = [1.5, 2];
/** The least rise beyond the median, and the least divisor of a relative change; in the unit of the metric. */
const LEAST_RISE = 3;
const FLOOR = 1;

/** Values of the days before, ascending. */
type Normal = Float64Array;

interface UnusualRule {
  readonly metric: LevelMetric;
  readonly decimals: number;
  /** What is measured, after the figure: `at one time`. */
  readonly measured: string;
  readonly figure: (row: DailyMetrics) => number | undefined;
  /** Least distance of a rise from the median, in multiples of the distance between median and 95th percentile. */
  readonly distance: number;
}

const RULES: readonly UnusualRule[] = [
  {
    metric: 'at_anchor',
    decimals: 0,
    measured: ' at one time',
    figure: (row) => row.mostAtAnchor,
    distance: 1.75,
  },
  {
    metric: 'avg_wait_hours',
    decimals: HOURS_DECIMALS,
    measured: '',
    figure: (row) => row.avgWaitHours,
    distance: 2.5,
  },
];

/** Severity of a rise beyond the 99th percentile and the distances of the rule; undefined for a smaller one. */
function severityOf(value: number, normal: Normal, { distance }: UnusualRule): Severity | undefined {
  const middle = quantile(normal, MIDDLE);
  const spread = Math.max(LEAST_RISE, distance * (quantile(normal, HIGH) - middle));
  const line = Math.max(quantile(normal, 1 - RARE), middle + spread);
  if (value <= line) return undefined;
  const distances = (value - middle) / (line - middle);
  return distances >= HIGH_DISTANCE ? 'high' : distances >= MEDIUM_DISTANCE ? 'medium' : 'low';
}

type FigureDay = Omit<WatchedDay, 'daily'>;

const figureDays = (rows: readonly DailyMetrics[], { figure }: UnusualRule): FigureDay[] =>
  rows.map((row) => ({ day: row.day, dayNumber: dayNumber(row.day), figure: figure(row) }));

/** Figures of the 365 days before day `i`; undefined with fewer than 60. */
function normalBefore(days: readonly FigureDay[], i: number): Normal | undefined {
  const firstNumber = (days[i]?.dayNumber ?? 0) - NORMAL_DAYS;
  const first = days.findIndex((day) => day.dayNumber >= firstNumber);
  const values = days.slice(first, i).flatMap(({ figure }) => figure ?? []);
  return values.length < MIN_NORMAL_DAYS ? undefined : Float64Array.from(values).sort();
}

/** First of the days that end with day `i`, one after another, whose figure lies above the usual range, as stated. */
function unusualSince(days: readonly FigureDay[], i: number, high: number): Day {
  let first = days[i];
  for (const before of days.slice(0, i).reverse()) {
    if (first === undefined || before.dayNumber !== first.dayNumber - 1) break;
    if (before.figure === undefined || before.figure <= high) break;
    first = before;
  }
  return first?.day ?? '';
}

/**
 * Alerts of `fromDay` and later, of all days when it is absent. Each depends only on the 372 days that end with it.
 * `series` is oldest first and may end with the running day.
 */
export function unusualAlerts(
  series: readonly DailyMetrics[],
  asOfAt: Instant,
  fromDay: Day | undefined,
): Alert[] {
  const firstNumber = fromDay === undefined ? 0 : dayNumber(fromDay);
  return RULES.flatMap((rule) => {
    const alerts: Alert[] = [];
    /** The last day of each severity or a higher one. */
    const lastOf: Record<Severity, number> = { low: -Infinity, medium: -Infinity, high: -Infinity };
    const days = figureDays(series, rule);
    for (const [i, { day, dayNumber: number, figure }] of days.entries()) {
      if (number < firstNumber - EPISODE_GAP_DAYS) continue;
      const normal = normalBefore(days, i);
      const severity = normal && figure !== undefined ? severityOf(figure, normal, rule) : undefined;
      if (normal === undefined || figure === undefined || severity === undefined) continue;
      const isNew = number - lastOf[severity] > EPISODE_GAP_DAYS;
      for (const reached of SEVERITIES.slice(0, severityRank(severity) + 1)) lastOf[reached] = number;
      if (!isNew || number < firstNumber) continue;
      const { metric, measured, decimals } = rule;
      const stated = round(figure, decimals);
      const low = round(quantile(normal, LOW), decimals);
      const high = round(quantile(normal, HIGH), decimals);
      alerts.push({
        type: 'unusual',
        metric,
        severity,
        changeFraction: changeFraction(quantile(normal, MIDDLE), stated, FLOOR),
        asOfAt: Math.min(endOfDay(day), asOfAt),
        explain:
          `${metric} ${stated}${measured}, ${low} to ${high} is usual here ` +
          `(5th to 95th percentile of ${normal.length} days), above that since ${unusualSince(days, i, high)}.`,
      });
    }
    return alerts;
  });
}

/** The end of the first day after `day` whose figure is within its line again; undefined while none is. */
export function usualAgainAt(
  completed: readonly DailyMetrics[],
  metric: AlertMetric,
  day: Day,
): Instant | undefined {
  const rule = RULES.find((candidate) => candidate.metric === metric);
  if (rule === undefined) return undefined;
  const days = figureDays(completed, rule);
  const usual = days.find((later, i) => {
    const normal = later.day > day ? normalBefore(days, i) : undefined;
    return normal && later.figure !== undefined && severityOf(later.figure, normal, rule) === undefined;
  });
  return usual && endOfDay(usual.day);
}
