/** What a forecast consists of: daily values that go in, rows and skill that come out. */
import type { ForecastMethod, ForecastMetric } from '../reference/figure-names.ts';
import type { Day } from '../reference/time.ts';
import type { DailyMetrics } from './figures.ts';

export { FORECAST_METRICS, type ForecastMetric } from '../reference/figure-names.ts';

/** Horizon 1 is the day after the origin. */
export const HORIZON_DAYS = 7;
export const HORIZONS = Array.from({ length: HORIZON_DAYS }, (_, i) => i + 1);

/**
 * The figures of a day whose deviation from the usual predicts the following days. The queue at the end of a day
 * predicts a wait and a score better than their own value does.
 */
export const FORECAST_TERMS = {
  avg_wait_hours: ['endAtAnchor', 'endWaitingHours'],
  at_anchor: ['dayAtAnchor', 'endAtAnchor'],
  congestion_score: ['endAtAnchor', 'endWaitingHours', 'dayScore', 'delayedShare'],
} as const satisfies Readonly<Record<ForecastMetric, readonly (keyof DailyMetrics)[]>>;

/**
 * One UTC day. `avg_wait_hours` (hours) and `congestion_score` (0 to 1) are those that trend serves for the day; `at_anchor`
 * is `dayAtAnchor` of its daily metrics, the mean number of vessels at anchor over the covered hours.
 */
export interface DailyValue {
  readonly day: Day;
  readonly value: number;
  /** The figures of the day that `FORECAST_TERMS` names for the metric. */
  readonly terms?: readonly (number | undefined)[];
  /** The average wait of the day, the berthings of the day, and the hours that these waited together. */
  readonly waits?: { readonly avgWaitHours: number; readonly berthings: number; readonly hours: number };
}

/** One forecast day. Unit of the metric; 0 <= p10 <= p50 <= p90. */
export interface ForecastDay {
  readonly day: Day;
  readonly p10: number;
  readonly p50: number;
  readonly p90: number;
  readonly method: ForecastMethod;
  /** `p50` of every method, so that each can be scored when the day has ended. */
  readonly candidates: Readonly<Record<ForecastMethod, number>>;
}

/** A forecast from the values up to and including `originDay`, for the seven days that follow. */
export interface IssuedForecast {
  readonly originDay: Day;
  readonly days: readonly ForecastDay[];
}

/** The skill of the forecasts of one horizon. */
export interface HorizonSkill {
  readonly horizon: number;
  /** Mean absolute error of `p50`, in the unit of the metric. */
  readonly error: number;
  /** `error` over that of the base line on the same days; undefined where the base line has no error. */
  readonly ratioToPersistence: number | undefined;
  readonly ratioToMedian: number | undefined;
  /** Share of the days on which the value lay from `p10` to `p90`. */
  readonly coverage: number;
}

export interface Skill {
  /** Measured on forecasts that were issued and stored, or on rolling origins of the history. */
  readonly basis: 'issued' | 'rolling';
  readonly origins: number;
  /** First and last origin. */
  readonly fromDay: Day;
  readonly toDay: Day;
  readonly horizons: readonly HorizonSkill[];
}

export interface Forecast extends IssuedForecast {
  /** Days of the history that have a value. */
  readonly historyDays: number;
  readonly skill: Skill;
}
