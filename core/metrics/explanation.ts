/** The one line that says why an alert was raised; every number in it can be computed anew from served figures. */
import { round } from '../reference/rounding.ts';
import type { Day } from '../reference/time.ts';
import type { AlertMetric } from './figures.ts';

export interface ThresholdReason {
  readonly metric: AlertMetric;
  readonly figure: number;
  readonly line: number;
  /** Days that the figure has held the line. */
  readonly days: number;
  /** Median of the figures of the days before, and how many days those are. */
  readonly normal: number;
  readonly normalDays: number;
}

export interface ChangeReason {
  readonly metric: AlertMetric;
  /** Medians of the rows before the change and of the rows wholly after it, and how many rows those are. */
  readonly before: number;
  readonly after: number;
  readonly rowsBefore: number;
  readonly rowsAfter: number;
  /** `change_pct` of the alert: relative to a floor where `before` is below it, and at most 10. */
  readonly fraction: number;
  /** First day of the new level. */
  readonly day: Day;
}

const percentOf = (fraction: number): number => round(Math.abs(fraction) * 100, 0);

/** The percentage of the alert; `or more` where the two figures give a greater one. */
function percent({ before, after, fraction }: ChangeReason): string {
  const isLeast = percentOf((after - before) / before) > percentOf(fraction);
  return `${fraction < 0 ? '-' : '+'}${percentOf(fraction)}%${isLeast ? ' or more' : ''}`;
}

export const explainThreshold = (reason: ThresholdReason): string =>
  `${reason.metric} ${reason.figure} is at or above ${reason.line} for ${reason.days} days ` +
  `(${reason.normalDays}-day median ${reason.normal}).`;

export const explainChange = (reason: ChangeReason): string =>
  `${reason.metric} moved from ${reason.before} to ${reason.after} (${percent(reason)}) around ${reason.day}: ` +
  `medians of ${reason.rowsBefore} rows before, ${reason.rowsAfter} wholly after; ` +
  '7-day figures follow over the week.';
