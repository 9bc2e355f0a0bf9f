/**
 * Alerts against a port's own normal: a queue or a wait that its last year has hardly seen. Of the running day too,
 * because a maximum only grows during the day; the average wait alone waits for its end.
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
import { DAY_MS, type Day, endOfDay, type Instant, startOfDay } from '../reference/time.ts';
import { changeFraction, explainUnusual } from './alert-statement.ts';
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

/** Values of the days before, ascending. */
type Normal = Float64Array;

interface UnusualRule {
  readonly metric: LevelMetric;
  readonly decimals: number;
  /** Least divisor of a relative change. Unit of the metric. */
  readonly floor: number;
  /** What is measured, after the figure: `in 24 hours`. */
  readonly measured: string;
  /** The figure of one day: it is compared, and the normal is made from it. */
  readonly figure: (row: DailyMetrics) => number | undefined;
  /** A rise is beyond the median by so many times the way from there to the 95th percentile, and by the least size. */
  readonly distance: number;
  readonly least: number;
}

/** Severity of a rise beyond the 99th percentile and the distances of the rule; undefined for a smaller one. */
function severityOf(value: number, normal: Normal, { distance, least }: UnusualRule): Severity | undefined {
  const middle = quantile(normal, MIDDLE);
  const spread = Math.max(least, distance * (quantile(normal, HIGH) - middle));
  const line = Math.max(quantile(normal, 1 - RARE), middle + spread);
  if (value <= line) return undefined;
  const distances = (value - middle) / (line - middle);
  return distances >= HIGH_DISTANCE ? 'high' : distances >= MEDIUM_DISTANCE ? 'medium' : 'low';
}

const RULES: readonly UnusualRule[] = [
  {
    metric: 'at_anchor',
    decimals: 0,
    floor: 1,
    measured: ' at one time',
    figure: (row) => row.mostAtAnchor,
    distance: 1.75,
    least: 3,
  },
  {
    metric: 'avg_wait_hours',
    decimals: HOURS_DECIMALS,
    floor: 1,
    measured: '',
    figure: (row) => row.avgWaitHours,
    distance: 2.5,
    least: 3,
  },
];

/** Rows with the numbers of their days since the epoch. */
interface Numbered {
  readonly row: DailyMetrics;
  readonly dayNumber: number;
}

/** The rows of the 365 days before row `i`. */
function rowsBefore(rows: readonly Numbered[], i: number): readonly Numbered[] {
  const firstNumber = (rows[i]?.dayNumber ?? 0) - NORMAL_DAYS;
  return rows.slice(
    rows.findIndex(({ dayNumber }) => dayNumber >= firstNumber),
    i,
  );
}

/** Values of the days, ascending; undefined with fewer than 60. */
function normalOf(days: readonly Numbered[], figure: UnusualRule['figure']): Normal | undefined {
  const values = days.flatMap(({ row }) => figure(row) ?? []);
  return values.length < MIN_NORMAL_DAYS ? undefined : Float64Array.from(values).sort();
}

/** First of the days that end with row `i`, one after another, whose figure lies above the usual range, as stated. */
function unusualSince(rows: readonly Numbered[], i: number, rule: UnusualRule, high: number): Day {
  let first = rows[i];
  for (let k = i - 1; k >= 0; k -= 1) {
    const before = rows[k];
    const value = before && rule.figure(before.row);
    if (value === undefined || first === undefined || before?.dayNumber !== first.dayNumber - 1) break;
    if (value <= high) break;
    first = before;
  }
  return first?.row.day ?? '';
}

/**
 * Alerts of `fromDay` and later, of all days when it is absent. Each depends only on the 372 days that end with it, so
 * the same rows always give the same alert. `series` is oldest first and may end with the running day.
 */
export function unusualAlerts(
  series: readonly DailyMetrics[],
  asOfAt: Instant,
  fromDay: Day | undefined,
): Alert[] {
  const rows = series.map((row) => ({ row, dayNumber: startOfDay(row.day) / DAY_MS }));
  const firstNumber = fromDay === undefined ? 0 : startOfDay(fromDay) / DAY_MS;
  return RULES.flatMap((rule) => {
    const alerts: Alert[] = [];
    /** The last day of each severity or a higher one. */
    const lastOf: Record<Severity, number> = { low: -Infinity, medium: -Infinity, high: -Infinity };
    for (const [i, day] of rows.entries()) {
      const { row, dayNumber } = day;
      if (dayNumber < firstNumber - EPISODE_GAP_DAYS) continue;
      const normal = normalOf(rowsBefore(rows, i), rule.figure);
      const figure = rule.figure(row);
      if (normal === undefined || figure === undefined) continue;
      const severity = severityOf(figure, normal, rule);
      if (severity === undefined) continue;
      const isNew = dayNumber - lastOf[severity] > EPISODE_GAP_DAYS;
      for (const reached of SEVERITIES.slice(0, severityRank(severity) + 1)) lastOf[reached] = dayNumber;
      if (isNew && dayNumber >= firstNumber) alerts.push(alertOn(rows, i, rule, normal, severity, asOfAt));
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
  const rows = completed.map((row) => ({ row, dayNumber: startOfDay(row.day) / DAY_MS }));
  for (const [i, { row }] of rows.entries()) {
    const figure = row.day > day ? rule?.figure(row) : undefined;
    if (rule === undefined || figure === undefined) continue;
    const normal = normalOf(rowsBefore(rows, i), rule.figure);
    if (normal !== undefined && severityOf(figure, normal, rule) === undefined) return endOfDay(row.day);
  }
  return undefined;
}

function alertOn(
  rows: readonly Numbered[],
  i: number,
  rule: UnusualRule,
  normal: Normal,
  severity: Severity,
  asOfAt: Instant,
): Alert {
  const row = rows[i]?.row;
  const figure = round((row && rule.figure(row)) ?? 0, rule.decimals);
  const day = row?.day ?? '';
  const { metric, measured } = rule;
  const [low, high] = [LOW, HIGH].map((share) => round(quantile(normal, share), rule.decimals)) as [
    number,
    number,
  ];
  return {
    type: 'unusual',
    metric,
    severity,
    changeFraction: changeFraction(quantile(normal, MIDDLE), figure, rule.floor),
    asOfAt: Math.min(endOfDay(day), asOfAt),
    explain: explainUnusual({
      metric,
      figure,
      measured,
      low,
      high,
      days: normal.length,
      since: unusualSince(rows, i, rule, high),
    }),
  };
}
