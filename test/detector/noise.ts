/** Change-point alerts on noise, and on steps in it. */
import { ALERT_RULES } from '../../core/metrics/alert-rules.ts';
import { evaluateAlerts } from '../../core/metrics/alerts.ts';
import type { Alert, DayFigures } from '../../core/metrics/figures.ts';
import type { LevelMetric } from '../../core/reference/figure-names.ts';
import { HOURS_DECIMALS, round, SCORE_DECIMALS } from '../../core/reference/statistics.ts';
import { addDays, DAY_MS, type Day, endOfDay, startOfDay } from '../../core/reference/time.ts';
import {
  type RandomStream,
  randomStream,
  standardNormal,
} from '../../core/sources/sample-simulator/source.ts';
import { mean } from './scoring.ts';

// Day figures from one series of daily values, for studies of the alerts.

const WEEK = 7;

/** One row a day from `firstDay`; the served figure is the mean of the last seven values, gaps left out. */
export function plainDays(
  values: readonly (number | null)[],
  metric: LevelMetric,
  firstDay: Day,
): DayFigures[] {
  return values.map((value, i) => {
    const base = { day: addDays(firstDay, i), coverage: value === null ? 0 : 1, vessels: 1 };
    if (value === null) return base;
    const week = values.slice(Math.max(0, i + 1 - WEEK), i + 1).filter((known) => known !== null);
    if (metric === 'congestion_score') {
      return { ...base, dayScore: value, congestionScore: round(mean(week), SCORE_DECIMALS) };
    }
    if (metric === 'avg_wait_hours') {
      return { ...base, dayWaitHours: value, avgWaitHours: round(mean(week), HOURS_DECIMALS) };
    }
    return { ...base, dayAtAnchor: value };
  });
}

const FIRST_DAY: Day = '2025-01-01';
const YEAR_DAYS = 365;
/** Days of noise before a step: a full history for the detector. */
const DAYS_BEFORE_STEP = 90;
/** A step counts as found when it is reported within this many days. */
export const DAYS_TO_FIND = 14;

/** Level and standard deviation of each metric's daily values, in the scale of its detector. */
const ORDINARY: Readonly<Record<LevelMetric, { level: number; deviation: number }>> = {
  congestion_score: { level: 0.4, deviation: 0.08 },
  avg_wait_hours: { level: Math.log1p(18), deviation: 0.3 },
  at_anchor: { level: Math.log1p(18), deviation: 0.3 },
};

/** First-order autoregressive noise of variance 1, from its stationary state on. */
function autoregressive(length: number, correlation: number, random: RandomStream): number[] {
  const noise: number[] = [];
  const innovation = Math.sqrt(1 - correlation ** 2);
  for (let i = 0; i < length; i += 1) {
    const fresh = standardNormal(random);
    noise.push(i === 0 ? fresh : correlation * (noise[i - 1] ?? 0) + innovation * fresh);
  }
  return noise;
}

export interface NoiseStudy {
  readonly metric: LevelMetric;
  readonly correlation: number;
  readonly runs: number;
  readonly seed: number;
}

/** Change-point alerts on a series of standardised values. */
function changesIn(standardised: readonly number[], metric: LevelMetric): Alert[] {
  const { level, deviation } = ORDINARY[metric];
  const values = standardised.map((value) => {
    const scaled = level + deviation * value;
    return Math.max(0, ALERT_RULES[metric].logarithmic ? Math.expm1(scaled) : scaled);
  });
  const asOfAt = endOfDay(addDays(FIRST_DAY, values.length));
  return evaluateAlerts(plainDays(values, metric, FIRST_DAY), { asOfAt }).filter(
    ({ type }) => type === 'change_point',
  );
}

/** Alerts per series and year without any change. */
export function falseAlarmsPerYear({ metric, correlation, runs, seed }: NoiseStudy): number {
  const random = randomStream('false-alarms', metric, correlation, seed);
  let alarms = 0;
  for (let run = 0; run < runs; run += 1) {
    alarms += changesIn(autoregressive(YEAR_DAYS, correlation, random), metric).length;
  }
  return alarms / runs;
}

/** For each run the days from the step to its report, undefined where it is not reported in the right direction. */
export function daysToReport(study: NoiseStudy & { readonly deviations: number }): (number | undefined)[] {
  const { metric, correlation, runs, seed, deviations } = study;
  const random = randomStream('steps', metric, correlation, deviations, seed);
  return Array.from({ length: runs }, () => {
    const noise = autoregressive(DAYS_BEFORE_STEP + 2 * DAYS_TO_FIND, correlation, random);
    const values = noise.map((value, i) => value + (i >= DAYS_BEFORE_STEP ? deviations : 0));
    const stepAt = startOfDay(addDays(FIRST_DAY, DAYS_BEFORE_STEP));
    const days = changesIn(values, metric)
      .filter(({ asOfAt, changeFraction }) => asOfAt > stepAt && changeFraction > 0)
      .map(({ asOfAt }) => (asOfAt - stepAt) / DAY_MS);
    return days.length === 0 ? undefined : Math.min(...days);
  });
}

/** Share of the steps that were reported within fourteen days. */
export const shareFound = (days: readonly (number | undefined)[]): number =>
  days.filter((count) => count !== undefined && count <= DAYS_TO_FIND).length / days.length;
