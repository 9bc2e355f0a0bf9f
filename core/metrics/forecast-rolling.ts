/**
 * Forecasts from every day of a history, each from what was known on its day: day by day, the day's value first becomes
 * the outcome of the forecasts of the seven days before it, then an origin.
 */
import { HOURS_DECIMALS, round, SCORE_DECIMALS, VESSEL_MEAN_DECIMALS } from '../reference/rounding.ts';
import { addDays, type Day, daysBetween } from '../reference/time.ts';
import {
  type DailyValue,
  FORECAST_METHODS,
  type ForecastDay,
  type ForecastMethod,
  type ForecastMetric,
  HORIZONS,
  type IssuedForecast,
} from './forecast-figures.ts';
import { quantile } from './waits.ts';

/** The median is that of so many days up to the origin, and needs half of them. */
const MEDIAN_DAYS = 28;
const MIN_MEDIAN_VALUES = 14;
/** A band needs so many residuals of its horizon. */
const MIN_RESIDUALS = 20;
/** Share of the residuals below the band, and above it. */
const TAIL = 0.1;

interface Scale {
  readonly decimals: number;
  readonly highest: number;
}
const SCALES: Readonly<Record<ForecastMetric, Scale>> = {
  avg_wait_hours: { decimals: HOURS_DECIMALS, highest: Number.POSITIVE_INFINITY },
  at_anchor: { decimals: VESSEL_MEAN_DECIMALS, highest: Number.POSITIVE_INFINITY },
  congestion_score: { decimals: SCORE_DECIMALS, highest: 1 },
};

type ByMethod<Value> = Record<ForecastMethod, Value>;
const byMethod = <Value>(of: (method: ForecastMethod) => Value): ByMethod<Value> => ({
  ar1: of('ar1'),
  median: of('median'),
  persistence: of('persistence'),
});

/** A day that forecasts start from. */
interface Origin {
  readonly value: number;
  readonly median: number;
  /** By horizon, index 0 is horizon 1. */
  readonly candidates: readonly ByMethod<number>[];
}

function insert(ascending: number[], value: number): void {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  ascending.splice(low, 0, value);
}

/** What the outcomes so far say about one horizon. */
class Horizon {
  /** Sums for the slope through the origin of the outcome's distance from the median on that of the origin's value. */
  #products = 0;
  #squares = 0;
  readonly #errors = byMethod(() => 0);
  /** Outcome minus candidate, ascending. */
  readonly #residuals = byMethod((): number[] => []);

  constructor(readonly days: number) {}

  get outcomes(): number {
    return this.#residuals.ar1.length;
  }

  add({ value, median, candidates }: Origin, outcome: number): void {
    this.#products += (value - median) * (outcome - median);
    this.#squares += (value - median) ** 2;
    const candidate = candidates[this.days - 1];
    if (candidate === undefined) return;
    for (const method of FORECAST_METHODS) {
      const residual = outcome - candidate[method];
      this.#errors[method] += Math.abs(residual);
      insert(this.#residuals[method], residual);
    }
  }

  /** The direct autoregression: the share of the distance from the median that is left after the horizon. */
  candidates(value: number, median: number): ByMethod<number> {
    const left = this.#squares > 0 ? Math.min(1, Math.max(0, this.#products / this.#squares)) : 0;
    return { ar1: median + left * (value - median), median, persistence: value };
  }

  best(): ForecastMethod {
    return leastError(this.#errors);
  }

  /** Residuals of a method at the ranks that leave a tenth of the next ones on either side. */
  band(method: ForecastMethod): readonly [low: number, high: number] {
    const residuals = this.#residuals[method];
    const n = residuals.length;
    // Rank k of n + 1 (Weibull's plotting position): the next residual is equally likely to fall in each of the gaps.
    const rank = (share: number): number => (share * (n + 1) - 1) / (n - 1);
    return [quantile(residuals, rank(TAIL)), quantile(residuals, rank(1 - TAIL))];
  }
}

/** The method of least error; of equals the first of `FORECAST_METHODS`. */
export const leastError = (errors: Readonly<ByMethod<number>>): ForecastMethod =>
  FORECAST_METHODS.reduce((best, method) => (errors[method] < errors[best] ? method : best));

/** The last forecast of a history can be made by other methods than its rolling origins choose. */
export interface Rolled {
  readonly forecasts: readonly IssuedForecast[];
  /** The forecast of the last day by the methods that `choose` names by horizon. */
  readonly last: (choose?: readonly ForecastMethod[]) => IssuedForecast | undefined;
}

/**
 * Forecasts of all origins of a history without look-ahead, oldest first. `history` is oldest first and may have gaps; a
 * day without a value, with fewer than 14 values in the 28 days up to it, or with fewer than 20 known outcomes of some
 * horizon is no origin.
 */
export function rollForecasts(metric: ForecastMetric, history: readonly DailyValue[]): Rolled {
  const [first, newest] = [history[0], history.at(-1)];
  if (first === undefined || newest === undefined) return { forecasts: [], last: () => undefined };
  const values = new Map(history.map(({ day, value }) => [day, value]));
  const days = daysBetween(first.day, newest.day);
  const horizons = HORIZONS.map((horizon) => new Horizon(horizon));
  const origins: (Origin | undefined)[] = [];
  const forecasts: IssuedForecast[] = [];
  let last: Rolled['last'] = () => undefined;
  for (const [at, day] of days.entries()) {
    const value = values.get(day);
    if (value === undefined) continue;
    for (const horizon of horizons) {
      const origin = origins[at - horizon.days];
      if (origin !== undefined) horizon.add(origin, value);
    }
    const window = days.slice(Math.max(0, at + 1 - MEDIAN_DAYS), at + 1);
    const known = Float64Array.from(window.flatMap((one) => values.get(one) ?? [])).sort();
    if (known.length < MIN_MEDIAN_VALUES) continue;
    const median = quantile(known, 0.5);
    const candidates = horizons.map((horizon) => horizon.candidates(value, median));
    origins[at] = { value, median, candidates };
    last = (choose) => forecastFrom(metric, day, candidates, horizons, choose);
    const forecast = last();
    if (forecast !== undefined) forecasts.push(forecast);
  }
  return { forecasts, last: values.has(newest.day) ? last : () => undefined };
}

function forecastFrom(
  metric: ForecastMetric,
  originDay: Day,
  candidates: readonly ByMethod<number>[],
  horizons: readonly Horizon[],
  choose?: readonly ForecastMethod[],
): IssuedForecast | undefined {
  if (horizons.some(({ outcomes }) => outcomes < MIN_RESIDUALS)) return undefined;
  return {
    originDay,
    days: horizons.map((horizon, i) =>
      forecastDay(
        SCALES[metric],
        addDays(originDay, horizon.days),
        candidates[i] as ByMethod<number>,
        horizon,
        choose?.[i] ?? horizon.best(),
      ),
    ),
  };
}

function forecastDay(
  { decimals, highest }: Scale,
  day: Day,
  candidates: ByMethod<number>,
  horizon: Horizon,
  method: ForecastMethod,
): ForecastDay {
  const within = (value: number): number => round(Math.min(highest, Math.max(0, value)), decimals);
  const middle = candidates[method];
  const [low, high] = horizon.band(method);
  return {
    day,
    // All residuals of a band can lie on one side of zero.
    p10: within(middle + Math.min(0, low)),
    p50: within(middle),
    p90: within(middle + Math.max(0, high)),
    method,
    candidates: byMethod((one) => within(candidates[one])),
  };
}
