/**
 * Alerts against a port's own normal: a queue, a wait or a lack of berthings that its last year has hardly seen. Of the
 * running day too, because each figure can only grow more unusual as the day goes on; the average wait apart.
 */
import { HOURS_DECIMALS, round } from '../reference/rounding.ts';
import { DAY_MS, type Day, endOfDay, type Instant, startOfDay } from '../reference/time.ts';
import { changeFraction, explainUnusual, median } from './alert-statement.ts';
import type { Alert, AlertMetric, DailyMetrics, Severity } from './figures.ts';
import { quantile } from './waits.ts';

/** The normal of a day is made from the days of a year before it, and needs this many of them. */
const NORMAL_DAYS = 365;
const MIN_NORMAL_DAYS = 60;
/** A day is alerted when none of as many days before it was as unusual. */
const EPISODE_GAP_DAYS = 7;
const WEEK_DAYS = 7;
const NO_WEEKDAYS: ReadonlySet<number> = new Set();
const SEVERITIES: readonly Severity[] = ['low', 'medium', 'high'];
/** Days before the first evaluated one that its alerts depend on. */
export const UNUSUAL_MEMORY_DAYS = NORMAL_DAYS + EPISODE_GAP_DAYS;

const [LOW, MIDDLE, HIGH] = [0.05, 0.5, 0.95];
/** A line is never within the range of all but one in a hundred days. */
const RARE = 0.01;
/** A rise is medium from one and a half times the distance between median and line on, high from twice. */
const [MEDIUM_DISTANCE, HIGH_DISTANCE] = [1.5, 2];
/** Berthings have stopped below this share of the median. */
const STOPPED_SHARE = 0.25;
/** With fewer berthings a day at the median, few in a day are chance. */
const MIN_DAILY_BERTHINGS = 5;
/** None in a day is no chance while as many vessels are at anchor. */
const STOPPED_QUEUE = 2;
/** With fewer, the queue must confirm: as many at anchor as on one day in ten. */
const CERTAIN_DAILY_BERTHINGS = 16;
const CONFIRMING_QUEUE = 0.9;

/** Values of the days before, ascending. */
type Normal = Float64Array;

interface UnusualRule {
  readonly metric: AlertMetric;
  readonly decimals: number;
  /** Least divisor of a relative change. Unit of the metric. */
  readonly floor: number;
  /** What is measured, after the figure: `in 24 hours`. */
  readonly measured: string;
  /** What its usual range counts by, after the range. */
  readonly each?: string;
  readonly direction: 'above' | 'below';
  /** The figure of one day that is compared. */
  readonly figure: (row: DailyMetrics) => number | undefined;
  /** The figure of one day that its normal is made from. */
  readonly daily: (row: DailyMetrics) => number | undefined;
  /** Undefined when the day is not unusual. `queue` is the normal of the vessels at anchor. */
  readonly severity: (row: DailyMetrics, normal: Normal, queue: Normal) => Severity | undefined;
}

/**
 * A rise beyond the 99th percentile, the median and `least`, and the median and `distance` times the way from there to
 * the 95th percentile.
 */
const riseBeyond =
  (figure: UnusualRule['figure'], distance: number, least: number): UnusualRule['severity'] =>
  (row, normal) => {
    const middle = quantile(normal, MIDDLE);
    const spread = Math.max(least, distance * (quantile(normal, HIGH) - middle));
    const line = Math.max(quantile(normal, 1 - RARE), middle + spread);
    const value = figure(row);
    if (value === undefined || value <= line) return undefined;
    const distances = (value - middle) / (line - middle);
    return distances >= HIGH_DISTANCE ? 'high' : distances >= MEDIUM_DISTANCE ? 'medium' : 'low';
  };

/** No berthing in a day is as rare as one day in a hundred at this mean (Poisson), and none of the usual days is like it. */
function isNoneRare(normal: Normal): boolean {
  const mean = normal.reduce((sum, berthings) => sum + berthings, 0) / normal.length;
  return Math.exp(-mean) <= RARE && quantile(normal, LOW) > 0;
}

const mostAtAnchor = (row: DailyMetrics): number | undefined => row.mostAtAnchor;
const avgWaitHours = (row: DailyMetrics): number | undefined => row.avgWaitHours;

const RULES: readonly UnusualRule[] = [
  {
    metric: 'at_anchor',
    decimals: 0,
    floor: 1,
    measured: ' at one time',
    direction: 'above',
    figure: mostAtAnchor,
    daily: mostAtAnchor,
    severity: riseBeyond(mostAtAnchor, 1.75, 3),
  },
  {
    metric: 'avg_wait_hours',
    decimals: HOURS_DECIMALS,
    floor: 1,
    measured: '',
    direction: 'above',
    figure: avgWaitHours,
    daily: avgWaitHours,
    severity: riseBeyond(avgWaitHours, 2.5, 3),
  },
  {
    metric: 'berthings',
    decimals: 0,
    floor: 1,
    measured: ' in 24 hours',
    each: ' a day',
    direction: 'below',
    figure: (row) => row.leastBerthings,
    daily: (row) => row.dayBerthings,
    severity: ({ leastBerthings, mostAtAnchor: waiting = 0 }, normal, queue) => {
      if (leastBerthings === undefined) return undefined;
      if (leastBerthings === 0 && waiting >= STOPPED_QUEUE && isNoneRare(normal)) return 'high';
      const middle = quantile(normal, MIDDLE);
      const rare = quantile(normal, RARE);
      // Where days without a berthing are usual, one more of them says nothing.
      if (
        middle < MIN_DAILY_BERTHINGS ||
        rare === 0 ||
        leastBerthings > Math.min(rare, STOPPED_SHARE * middle)
      )
        return undefined;
      const confirming = middle < CERTAIN_DAILY_BERTHINGS ? quantile(queue, CONFIRMING_QUEUE) : 0;
      if (waiting < Math.max(1, confirming)) return undefined;
      return leastBerthings === 0 ? 'high' : 'medium';
    },
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
function normalOf(days: readonly Numbered[], daily: UnusualRule['daily']): Normal | undefined {
  const values = days.flatMap(({ row }) => daily(row) ?? []);
  return values.length < MIN_NORMAL_DAYS ? undefined : Float64Array.from(values).sort();
}

const weekdayOf = ({ dayNumber }: Numbered): number => dayNumber % WEEK_DAYS;

/** The weekdays on which berthings usually stop for 24 hours, at a port at which they do not on others. */
function idleWeekdays(days: readonly Numbered[]): ReadonlySet<number> {
  const weekdays = Array.from({ length: WEEK_DAYS }, (_, i) => i);
  const idle = weekdays.filter((weekday) => {
    const same = days.filter((day) => weekdayOf(day) === weekday);
    return median(same.flatMap(({ row }) => row.leastBerthings ?? [])) === 0;
  });
  return new Set(idle.length < WEEK_DAYS ? idle : []);
}

/** First of the days that end with row `i`, one after another, whose figure lies outside the usual range, as stated. */
function unusualSince(
  rows: readonly Numbered[],
  i: number,
  rule: UnusualRule,
  [low, high]: readonly [number, number],
): Day {
  let first = rows[i];
  for (let k = i - 1; k >= 0; k -= 1) {
    const before = rows[k];
    const value = before && rule.daily(before.row);
    if (value === undefined || first === undefined || before?.dayNumber !== first.dayNumber - 1) break;
    if (rule.direction === 'above' ? value <= high : value >= low) break;
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
      const before = rowsBefore(rows, i);
      const idle = rule.metric === 'berthings' ? idleWeekdays(before) : NO_WEEKDAYS;
      if (idle.has(weekdayOf(day))) continue;
      const normal = normalOf(
        before.filter((one) => !idle.has(weekdayOf(one))),
        rule.daily,
      );
      const queue = rule.metric === 'berthings' ? normalOf(before, mostAtAnchor) : normal;
      const severity = normal && queue && rule.severity(row, normal, queue);
      if (normal === undefined || severity === undefined) continue;
      const isNew = dayNumber - lastOf[severity] > EPISODE_GAP_DAYS;
      for (const reached of SEVERITIES.slice(0, SEVERITIES.indexOf(severity) + 1))
        lastOf[reached] = dayNumber;
      if (isNew && dayNumber >= firstNumber) alerts.push(alertOn(rows, i, rule, normal, severity, asOfAt));
    }
    return alerts;
  });
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
  const { metric, measured, each = '', direction } = rule;
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
      each,
      direction,
      low,
      high,
      days: normal.length,
      since: unusualSince(rows, i, rule, [low, high]),
    }),
  };
}
