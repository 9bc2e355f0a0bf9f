/** Forecasts from rolling origins beside those of both base lines: error, coverage and pinball loss by horizon. */
import type { DailyMetrics } from '../core/metrics/figures.ts';
import {
  dailyValues,
  type ForecastDay,
  type ForecastMetric,
  HORIZON_DAYS,
  HORIZONS,
  type IssuedForecast,
  rollForecasts,
} from '../core/metrics/forecast.ts';
import { addDays, type Day } from '../core/reference/time.ts';
import { mean } from './scoring.ts';

/** A forecast day with its outcome. */
export interface Outcome {
  readonly forecast: ForecastDay;
  readonly value: number;
}

/** Of one horizon. Errors are mean absolute ones, in the unit of the metric. */
export interface HorizonScore {
  readonly error: number;
  readonly persistence: number;
  readonly median: number;
  readonly coverage: number;
  /** Mean pinball loss of the three quantiles over that of the better base line. */
  readonly pinballRatio: number;
  /** Shares of the outcomes below p10, p50 and p90; a tie counts half. */
  readonly below: readonly [number, number, number];
}

export interface MetricScore {
  readonly metric: ForecastMetric;
  readonly origins: readonly IssuedForecast[];
  readonly values: ReadonlyMap<Day, number>;
  /** Index 0 is horizon 1. */
  readonly horizons: readonly HorizonScore[];
}

const QUANTILES = [
  ['p10', 0.1],
  ['p50', 0.5],
  ['p90', 0.9],
] as const;

/** Mean loss of the three quantiles (Koenker and Bassett 1978). */
export const pinballLoss = (outcomes: readonly Outcome[]): number =>
  mean(
    outcomes.flatMap(({ forecast, value }) =>
      QUANTILES.map(([name, share]) => {
        const miss = value - forecast[name];
        return miss >= 0 ? share * miss : (share - 1) * miss;
      }),
    ),
  );

function horizonScore([issued, persistence, median]: readonly (readonly Outcome[])[]): HorizonScore {
  const [outcomes, ...bases] = [issued ?? [], persistence ?? [], median ?? []];
  const error = (of: readonly Outcome[]): number =>
    mean(of.map(({ forecast, value }) => Math.abs(value - forecast.p50)));
  const below = (name: (typeof QUANTILES)[number][0]): number =>
    mean(outcomes.map(({ forecast, value }) => (1 + Math.sign(forecast[name] - value)) / 2));
  return {
    error: error(outcomes),
    persistence: error(bases[0] ?? []),
    median: error(bases[1] ?? []),
    coverage: mean(
      outcomes.map(({ forecast, value }) => (forecast.p10 <= value && value <= forecast.p90 ? 1 : 0)),
    ),
    pinballRatio: pinballLoss(outcomes) / Math.min(...bases.map(pinballLoss)),
    below: [below('p10'), below('p50'), below('p90')],
  };
}

/** Scores the forecasts from origins of `fromDay` and later whose seven days have a value. `rows` are oldest first. */
export function studyForecasts(
  metric: ForecastMetric,
  rows: readonly DailyMetrics[],
  fromDay: Day,
): MetricScore {
  const history = dailyValues(metric, rows);
  const values = new Map(history.map(({ day, value }) => [day, value]));
  const always = (method: 'persistence' | 'median') => HORIZONS.map(() => method);
  const lastOrigin = addDays(history.at(-1)?.day ?? fromDay, -HORIZON_DAYS);
  const rolled = [undefined, always('persistence'), always('median')].map((methods) =>
    rollForecasts(metric, history, methods).forecasts.filter(
      ({ originDay, days }) =>
        originDay >= fromDay && originDay <= lastOrigin && days.every(({ day }) => values.has(day)),
    ),
  );
  return {
    metric,
    origins: rolled[0] ?? [],
    values,
    horizons: HORIZONS.map((horizon) =>
      horizonScore(
        rolled.map((forecasts) =>
          forecasts.flatMap(({ days }) => {
            const forecast = days[horizon - 1];
            const value = forecast && values.get(forecast.day);
            return forecast === undefined || value === undefined ? [] : [{ forecast, value }];
          }),
        ),
      ),
    ),
  };
}

/** The error over that of the better base line. */
export const errorRatio = ({ error, persistence, median }: HorizonScore): number =>
  error / Math.min(persistence, median);
