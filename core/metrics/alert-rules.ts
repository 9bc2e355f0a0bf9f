/**
 * The alert rules, each with its thresholds, the figures that it judges and the sentence that it states. The methodology and the
 * examples of the OpenAPI document are made from them.
 */

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
import type { DayFigures } from './figures.ts';

/** Figure of the line of each severity, and the level at or below which an episode ends. */
export interface ThresholdLines {
  readonly lines: Readonly<Record<Severity, number>>;
  readonly clearAt: number;
}

/** When a figure of a day is unusual for its port. */
export interface UnusualRule {
  readonly decimals: number;
  /** What is measured, after the figure: `at one time`. */
  readonly measured: string;
  /** The same for the methodology. */
  readonly meaning: string;
  readonly figure: (row: DayFigures) => number | undefined;
  /** Least rise beyond the median, in the unit of the metric. */
  readonly leastRise: number;
  /** Least distance of a rise from the median, in multiples of the distance between median and 95th percentile. */
  readonly distance: number;
}

export interface AlertRule {
  readonly metric: LevelMetric;
  readonly unit: string;
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
  /** Absent for a metric that means the same at every port. */
  readonly unusual?: UnusualRule;
  readonly daily: (row: DayFigures) => number | undefined;
  /** The figure over seven days, for each row of a series. */
  readonly figures: (rows: readonly DayFigures[]) => readonly (number | undefined)[];
}

/** Lines at the 90th, 95th and 99th percentile of published port-months. */
export const ALERT_RULES = {
  congestion_score: {
    metric: 'congestion_score',
    unit: '',
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
    unit: ' h',
    decimals: HOURS_DECIMALS,
    minChange: 6,
    floor: 1,
    logarithmic: true,
    threshold: { lines: { low: 16, medium: 24, high: 54 }, clearAt: 14.4 },
    unusual: {
      decimals: HOURS_DECIMALS,
      measured: '',
      meaning: 'as in the trend',
      figure: (row) => row.avgWaitHours,
      leastRise: 3,
      distance: 2.5,
    },
    daily: (row) => row.dayWaitHours,
    figures: (rows) => rows.map((row) => row.avgWaitHours),
  },
  at_anchor: {
    metric: 'at_anchor',
    unit: ' vessels',
    decimals: VESSEL_MEAN_DECIMALS,
    minChange: 3,
    floor: 1,
    logarithmic: true,
    unusual: {
      decimals: 0,
      measured: ' at one time',
      meaning: 'most vessels at anchor at one time',
      figure: (row) => row.mostAtAnchor,
      leastRise: 3,
      distance: 1.75,
    },
    daily: (row) => row.dayAtAnchor,
    figures: weekAtAnchor,
  },
} as const satisfies { readonly [M in LevelMetric]: AlertRule & { readonly metric: M } };

/** A figure reaches a line when it is at or above it on this many consecutive calendar days. */
export const DAYS_TO_REACH = 2;
/** A figure that reaches a line is compared with the median of this many days before. */
export const MEDIAN_DAYS = 28;

/** What a kind of alert reports, the sentence of one alert, and the numbers of its example in the documents. */
interface RuleWords<Numbers> {
  readonly reports: string;
  readonly explain: (numbers: Numbers) => string;
  readonly example: Numbers;
}

const THRESHOLD: RuleWords<{ metric: string; figure: number; line: number; normal: number }> = {
  reports: 'a figure at or above a line for all ports',
  explain: ({ metric, figure, line, normal }) =>
    `${metric} ${figure} is at or above ${line} for ${DAYS_TO_REACH} days (${MEDIAN_DAYS}-day median ${normal}).`,
  example: {
    metric: 'congestion_score',
    figure: 0.76,
    line: ALERT_RULES.congestion_score.threshold.lines.high,
    normal: 0.41,
  },
};

const CHANGE_POINT: RuleWords<{
  metric: string;
  before: number;
  after: number;
  change: string;
  day: Day;
  rowsBefore: number;
  rowsAfter: number;
}> = {
  reports: 'a level that changed',
  explain: ({ metric, before, after, change, day, rowsBefore, rowsAfter }) =>
    `${metric} moved from ${before} to ${after} (${change}) around ${day}: ` +
    `${rowsBefore}-day median before, ${rowsAfter}-day median after.`,
  example: {
    metric: 'avg_wait_hours',
    before: 11.2,
    after: 29.8,
    change: '+166%',
    day: '2026-11-09',
    rowsBefore: 18,
    rowsAfter: 3,
  },
};

const UNUSUAL: RuleWords<{
  metric: LevelMetric;
  figure: number;
  low: number;
  high: number;
  days: number;
  since: Day;
}> = {
  reports: 'a figure that the port has hardly seen',
  explain: ({ metric, figure, low, high, days, since }) => {
    const { unusual }: AlertRule = ALERT_RULES[metric];
    return (
      `${metric} ${figure}${unusual?.measured ?? ''}, ${low} to ${high} is usual here ` +
      `(5th to 95th percentile of ${days} days), above that since ${since}.`
    );
  },
  example: { metric: 'at_anchor', figure: 24, low: 8, high: 12, days: 365, since: '2026-08-13' },
};

const CLOSURE: RuleWords<{ berthings: number; hours: number; usual: number }> = {
  reports: 'berthings that have stopped',
  explain: ({ berthings, hours, usual }) =>
    `berthings ${berthings} in ${hours} hours, ${usual} is usual in these hours ` +
    '(median of the 28 days before): the flow is broken, and the score says so.',
  example: { berthings: 3, hours: 24, usual: 33 },
};

export const ALERT_WORDS = {
  threshold: THRESHOLD,
  change_point: CHANGE_POINT,
  unusual: UNUSUAL,
  closure: CLOSURE,
};

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
function weekAtAnchor(rows: readonly DayFigures[]): (number | undefined)[] {
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

export function watchedDays(rows: readonly DayFigures[], rule: AlertRule): WatchedDay[] {
  const figures = rule.figures(rows);
  return rows.map((row, i) => ({
    day: row.day,
    dayNumber: dayNumber(row.day),
    figure: figures[i],
    daily: rule.daily(row),
  }));
}
