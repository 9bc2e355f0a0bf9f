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
  readonly before: number;
  readonly after: number;
  /** `change_pct` of the alert: of a floor where `before` is below it, and no more than 10. */
  readonly fraction: number;
  /** First day of the new level. */
  readonly day: Day;
  readonly daysBefore: number;
  readonly daysAfter: number;
  readonly strength: number;
}

const percentOf = (fraction: number): number => round(Math.abs(fraction) * 100, 0);

/** The percentage of the alert, told as the least where the figures themselves give a greater one. */
function percent({ before, after, fraction }: ChangeReason): string {
  const isLeast = percentOf((after - before) / before) > percentOf(fraction);
  return `${fraction < 0 ? '-' : '+'}${percentOf(fraction)}%${isLeast ? ' or more' : ''}`;
}

export const explainThreshold = (reason: ThresholdReason): string =>
  `${reason.metric} ${reason.figure} is at or above ${reason.line} for ${reason.days} days ` +
  `(${reason.normalDays}-day median ${reason.normal}).`;

export const explainChange = (reason: ChangeReason): string =>
  `${reason.metric} moved from ${reason.before} to ${reason.after} (${percent(reason)}) around ` +
  `${reason.day}; ${reason.daysBefore} days before, ${reason.daysAfter} after, strength ${reason.strength}.`;
