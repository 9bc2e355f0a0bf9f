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
  readonly fraction: number;
  /** First day of the new level. */
  readonly day: Day;
  readonly daysBefore: number;
  readonly daysAfter: number;
  readonly strength: number;
}

const percent = (fraction: number): string =>
  `${fraction < 0 ? '-' : '+'}${round(Math.abs(fraction) * 100, 0)}%`;

export const explainThreshold = (reason: ThresholdReason): string =>
  `${reason.metric} ${reason.figure} is at or above ${reason.line} for ${reason.days} days ` +
  `(${reason.normalDays}-day median ${reason.normal}).`;

export const explainChange = (reason: ChangeReason): string =>
  `${reason.metric} moved from ${reason.before} to ${reason.after} (${percent(reason.fraction)}) around ` +
  `${reason.day}; ${reason.daysBefore} days before, ${reason.daysAfter} after, strength ${reason.strength}.`;
