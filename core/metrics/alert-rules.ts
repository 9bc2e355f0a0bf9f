/** The rules of the alerts: for each metric the served figure, the daily value, the lines and the least sizes. */

import type { LevelMetric, Severity } from '../reference/figure-names.ts';
import {
  FRACTION_DECIMALS,
  HOURS_DECIMALS,
  mean,
  round,
  SCORE_DECIMALS,
  VESSEL_MEAN_DECIMALS,
} from '../reference/statistics.ts';
import { DAY_MS, type Day, startOfDay } from '../reference/time.ts';
import type { DailyMetrics } from './figures.ts';

/** Figure of the line of each severity, and the level at or below which an episode ends. */
export interface ThresholdLines {
  readonly lines: Readonly<Record<Severity, number>>;
  readonly clearAt: number;
}

export interface AlertRule {
  readonly metric: LevelMetric;
  /** Decimals of the served figure. */
  readonly decimals: number;
  /** Smaller changes are not reported. Unit of the metric. */
  readonly minChange: number;
  /** Least divisor of a relative change. Unit of the metric. */
  readonly floor: number;
  /** Hours and counts grow by factors, so the detector works on log(1 + x). */
  readonly logarithmic: boolean;
  /** Absent for a metric whose lines would differ by port. */
  readonly threshold?: ThresholdLines;
  readonly daily: (row: DailyMetrics) => number | undefined;
  /** The figure over seven days, for each row of a series. */
  readonly figures: (rows: readonly DailyMetrics[]) => readonly (number | undefined)[];
}

export interface WatchedDay {
  readonly day: Day;
  readonly dayNumber: number;
  readonly figure: number | undefined;
  readonly daily: number | undefined;
}

/** Days that a served figure looks back on, its own included. */
export const FIGURE_DAYS = 7;
/** A mean over the week needs this many of its days. */
const MIN_FIGURE_DAYS = 5;

export const dayNumber = (day: Day): number => startOfDay(day) / DAY_MS;

const [MIN_FRACTION, MAX_FRACTION] = [-1, 10];

/** `(after - before) / max(|before|, floor)`, from -1 to 10, 4 decimals. */
export function changeFraction(before: number, after: number, floor: number): number {
  const fraction = (after - before) / Math.max(Math.abs(before), floor);
  return round(Math.min(MAX_FRACTION, Math.max(MIN_FRACTION, fraction)), FRACTION_DECIMALS);
}

/** Mean of `dayAtAnchor` over the seven days that end with each row. */
function weekAtAnchor(rows: readonly DailyMetrics[]): (number | undefined)[] {
  const days = rows.map(({ day, dayAtAnchor }) => ({ dayNumber: dayNumber(day), dayAtAnchor }));
  return days.map((row, i) => {
    const week = days
      .slice(Math.max(0, i + 1 - FIGURE_DAYS), i + 1)
      .flatMap((day) =>
        day.dayAtAnchor !== undefined && day.dayNumber > row.dayNumber - FIGURE_DAYS ? [day.dayAtAnchor] : [],
      );
    if (row.dayAtAnchor === undefined || week.length < MIN_FIGURE_DAYS) return undefined;
    return round(mean(week), VESSEL_MEAN_DECIMALS);
  });
}

/** Lines at the 90th, 95th and 99th percentile of published port-months. */
export const ALERT_RULES: Readonly<Record<LevelMetric, AlertRule>> = {
  congestion_score: {
    metric: 'congestion_score',
    decimals: SCORE_DECIMALS,
    minChange: 0.05,
    floor: 0.05,
    logarithmic: false,
    threshold: { lines: { low: 0.5, medium: 0.6, high: 0.75 }, clearAt: 0.45 },
    daily: (row) => row.dayScore,
    figures: (rows) => rows.map((row) => row.queueScore ?? row.congestionScore),
  },
  avg_wait_hours: {
    metric: 'avg_wait_hours',
    decimals: HOURS_DECIMALS,
    minChange: 6,
    floor: 1,
    logarithmic: true,
    threshold: { lines: { low: 16, medium: 24, high: 54 }, clearAt: 14.4 },
    daily: (row) => row.dayWaitHours,
    figures: (rows) => rows.map((row) => row.avgWaitHours),
  },
  at_anchor: {
    metric: 'at_anchor',
    decimals: VESSEL_MEAN_DECIMALS,
    minChange: 3,
    floor: 1,
    logarithmic: true,
    daily: (row) => row.dayAtAnchor,
    figures: weekAtAnchor,
  },
};

export function watchedDays(rows: readonly DailyMetrics[], rule: AlertRule): WatchedDay[] {
  const figures = rule.figures(rows);
  return rows.map((row, i) => ({
    day: row.day,
    dayNumber: dayNumber(row.day),
    figure: figures[i],
    daily: rule.daily(row),
  }));
}
