/** Skill of forecasts whose days have ended: error, ratio to both base lines, coverage of the band. */

import { FORECAST_METHODS, type ForecastMethod } from '../reference/figure-names.ts';
import { addDays, type Day } from '../reference/time.ts';
import {
  HORIZON_DAYS,
  HORIZONS,
  type HorizonSkill,
  type IssuedForecast,
  type Skill,
} from './forecast-figures.ts';
import { bestMethod, byMethod } from './forecast-horizon.ts';

/** The value of a day; undefined on a day without one. */
export type Outcomes = ReadonlyMap<Day, number>;

/** Sums over the days of one horizon that have a value. */
function sumsAt(forecasts: readonly IssuedForecast[], horizon: number, outcomes: Outcomes) {
  const sums = { days: 0, within: 0, error: 0, errors: byMethod(() => 0) };
  for (const { days } of forecasts) {
    const row = days[horizon - 1];
    const outcome = row && outcomes.get(row.day);
    if (row === undefined || outcome === undefined) continue;
    sums.days += 1;
    if (row.p10 <= outcome && outcome <= row.p90) sums.within += 1;
    sums.error += Math.abs(outcome - row.p50);
    for (const method of FORECAST_METHODS) sums.errors[method] += Math.abs(outcome - row.candidates[method]);
  }
  return sums;
}

const ratio = (error: number, base: number): number | undefined => (base > 0 ? error / base : undefined);

/** The forecasts that can be scored: all seven days have ended by `lastDay`, and at least one has a value. */
export function scoredForecasts(
  forecasts: readonly IssuedForecast[],
  outcomes: Outcomes,
  lastDay: Day,
): IssuedForecast[] {
  const lastOrigin = addDays(lastDay, -HORIZON_DAYS);
  return forecasts.filter(
    ({ originDay, days }) => originDay <= lastOrigin && days.some(({ day }) => outcomes.has(day)),
  );
}

/**
 * The skill of forecasts, oldest first, that all can be scored, and the method that they choose at each horizon;
 * undefined where a horizon has no day with a value.
 */
export function assess(
  basis: Skill['basis'],
  forecasts: readonly IssuedForecast[],
  outcomes: Outcomes,
): { readonly skill: Skill; readonly best: readonly ForecastMethod[] } | undefined {
  const [first, last] = [forecasts[0], forecasts.at(-1)];
  const sums = HORIZONS.map((horizon) => sumsAt(forecasts, horizon, outcomes));
  if (first === undefined || last === undefined || sums.some(({ days }) => days === 0)) return undefined;
  const horizons = sums.map(
    ({ days, within, error, errors }, i): HorizonSkill => ({
      horizon: i + 1,
      error: error / days,
      ratioToPersistence: ratio(error, errors.persistence),
      ratioToMedian: ratio(error, errors.median),
      coverage: within / days,
    }),
  );
  const skill = {
    basis,
    origins: forecasts.length,
    fromDay: first.originDay,
    toDay: last.originDay,
    horizons,
  };
  return { skill, best: sums.map(({ errors }) => bestMethod(errors)) };
}
