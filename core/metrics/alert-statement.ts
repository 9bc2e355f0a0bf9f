/** What an alert states: the relative size of a change, and a line that explains it with served figures. */
import type { AlertMetric } from '../reference/figure-names.ts';
import { FRACTION_DECIMALS, round } from '../reference/rounding.ts';
import type { Day } from '../reference/time.ts';

const MIN_FRACTION = -1;
const MAX_FRACTION = 10;

/** `(after - before) / max(|before|, floor)`, from -1 to 10, 4 decimals. */
export function changeFraction(before: number, after: number, floor: number): number {
  const fraction = (after - before) / Math.max(Math.abs(before), floor);
  return round(Math.min(MAX_FRACTION, Math.max(MIN_FRACTION, fraction)), FRACTION_DECIMALS);
}

interface ThresholdReason {
  readonly metric: AlertMetric;
  readonly figure: number;
  readonly line: number;
  /** Days that the figure has been at or above the line. */
  readonly days: number;
  /** Median of the figures of the days before, and how many days those are. */
  readonly normal: number;
  readonly normalDays: number;
}

export const explainThreshold = (reason: ThresholdReason): string =>
  `${reason.metric} ${reason.figure} is at or above ${reason.line} for ${reason.days} days ` +
  `(${reason.normalDays}-day median ${reason.normal}).`;

interface ChangeReason {
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

const toPercent = (fraction: number): number => round(Math.abs(fraction) * 100, 0);

/** The percentage in the text; `or more` where `change_pct` is limited. */
function percent({ before, after, fraction }: ChangeReason): string {
  const isLeast = toPercent((after - before) / before) > toPercent(fraction);
  return `${fraction < 0 ? '-' : '+'}${toPercent(fraction)}%${isLeast ? ' or more' : ''}`;
}

export const explainChange = (reason: ChangeReason): string =>
  `${reason.metric} moved from ${reason.before} to ${reason.after} (${percent(reason)}) around ${reason.day}: ` +
  `${reason.rowsBefore}-day median before, ${reason.rowsAfter}-day median after.`;

interface StopReason {
  readonly berthings: number;
  /** Hours of the window, and what is usual in it. */
  readonly hours: number;
  readonly usual: number;
}

export const explainStop = ({ berthings, hours, usual }: StopReason): string =>
  `berthings ${berthings} in ${hours} hours, ${usual} is usual in these hours (median of the 28 days before): the flow is broken, and the score says so.`;

interface UnusualReason {
  readonly metric: AlertMetric;
  readonly figure: number;
  /** What is measured, after the figure. */
  readonly measured: string;
  /** The usual range: the 5th and 95th percentile of this many days. */
  readonly low: number;
  readonly high: number;
  readonly days: number;
  /** The first of the days in a row above it. */
  readonly since: Day;
}

export const explainUnusual = (reason: UnusualReason): string =>
  `${reason.metric} ${reason.figure}${reason.measured}, ${reason.low} to ${reason.high} is usual here ` +
  `(5th to 95th percentile of ${reason.days} days), above that since ${reason.since}.`;
