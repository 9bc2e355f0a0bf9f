/** What a forecast consists of: rows, and the skill of those before it. */
import type { ForecastMethod } from '../reference/figure-names.ts';
import type { Day } from '../reference/time.ts';

export { FORECAST_METRICS, type ForecastMetric } from '../reference/figure-names.ts';

/** Horizon 1 is the day after the origin. */
export const HORIZON_DAYS = 7;
export const HORIZONS = Array.from({ length: HORIZON_DAYS }, (_, i) => i + 1);

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
