/** What forecasts were worth once their days had ended: error, ratio to both base lines, coverage of the band. */
import { addDays, type Day } from '../reference/time.ts';
import {
  type ForecastMethod,
  HORIZON_DAYS,
  HORIZONS,
  type HorizonSkill,
  type IssuedForecast,
  type Skill,
} from './forecast-figures.ts';

/** The value of a day; undefined on a day without one. */
export type Outcomes = ReadonlyMap<Day, number>;

/** A forecast day and what the day turned out to be. */
interface Scored {
  readonly forecast: IssuedForecast['days'][number];
  readonly outcome: number;
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const scoredAt = (forecasts: readonly IssuedForecast[], horizon: number, outcomes: Outcomes): Scored[] =>
  forecasts.flatMap(({ days }) => {
    const forecast = days[horizon - 1];
    const outcome = forecast && outcomes.get(forecast.day);
    return forecast === undefined || outcome === undefined ? [] : [{ forecast, outcome }];
  });

const errorOf = (scored: readonly Scored[], p50: (forecast: Scored['forecast']) => number): number =>
  meanOf(scored.map(({ forecast, outcome }) => Math.abs(outcome - p50(forecast))));

const ratio = (error: number, base: number): number | undefined => (base > 0 ? error / base : undefined);

function horizonSkill(horizon: number, scored: readonly Scored[]): HorizonSkill {
  const error = errorOf(scored, ({ p50 }) => p50);
  const within = scored.filter(
    ({ forecast: { p10, p90 }, outcome }) => p10 <= outcome && outcome <= p90,
  ).length;
  return {
    horizon,
    error,
    ratioToPersistence: ratio(
      error,
      errorOf(scored, ({ candidates }) => candidates.persistence),
    ),
    ratioToMedian: ratio(
      error,
      errorOf(scored, ({ candidates }) => candidates.median),
    ),
    coverage: within / scored.length,
  };
}

/** The forecasts that can be scored: all seven days have ended by `lastDay`, and at least one has a value. */
export const scoredForecasts = (
  forecasts: readonly IssuedForecast[],
  outcomes: Outcomes,
  lastDay: Day,
): IssuedForecast[] =>
  forecasts.filter(
    ({ originDay, days }) =>
      addDays(originDay, HORIZON_DAYS) <= lastDay && days.some(({ day }) => outcomes.has(day)),
  );

/** Skill of forecasts, oldest first, that all can be scored; undefined where a horizon has no day with a value. */
export function skillOf(
  basis: Skill['basis'],
  forecasts: readonly IssuedForecast[],
  outcomes: Outcomes,
): Skill | undefined {
  const [first, last] = [forecasts[0], forecasts.at(-1)];
  const scored = HORIZONS.map((horizon) => scoredAt(forecasts, horizon, outcomes));
  if (first === undefined || last === undefined || scored.some((days) => days.length === 0)) return undefined;
  return {
    basis,
    origins: forecasts.length,
    fromDay: first.originDay,
    toDay: last.originDay,
    horizons: scored.map((days, i) => horizonSkill(i + 1, days)),
  };
}

/** Mean absolute error of each method at each horizon; index 0 is horizon 1. */
export const methodErrors = (
  forecasts: readonly IssuedForecast[],
  outcomes: Outcomes,
): Readonly<Record<ForecastMethod, number>>[] =>
  HORIZONS.map((horizon) => {
    const scored = scoredAt(forecasts, horizon, outcomes);
    return {
      ar1: errorOf(scored, ({ candidates }) => candidates.ar1),
      median: errorOf(scored, ({ candidates }) => candidates.median),
      persistence: errorOf(scored, ({ candidates }) => candidates.persistence),
    };
  });
