/** The forecast of one metric of one port for the next seven days, with the skill of those before it. */
import { addDays, type Day } from '../reference/time.ts';
import type { DailyValue, Forecast, ForecastMetric, IssuedForecast } from './forecast-figures.ts';
import { leastError, rollForecasts } from './forecast-rolling.ts';
import { methodErrors, scoredForecasts, skillOf } from './forecast-skill.ts';

export * from './forecast-figures.ts';

/** Days of history that a forecast uses, and those with a value that it needs. */
export const HISTORY_MAX_DAYS = 400;
export const HISTORY_MIN_DAYS = 90;
/** From so many scored origins on, the skill is that of the issued forecasts. */
export const MIN_ISSUED_ORIGINS = 60;

/**
 * The forecast from the last day of `history`, which is oldest first and may have gaps; days more than 400 before the
 * last do not count. `issued` are the stored forecasts of earlier origins, oldest first. Undefined with fewer than 90
 * days that have a value, or where gaps leave some horizon without 20 outcomes.
 *
 * Each row is made by the method with the least error on the origins that the skill is measured on.
 */
export function issueForecast(
  metric: ForecastMetric,
  history: readonly DailyValue[],
  issued: readonly IssuedForecast[],
): Forecast | undefined {
  const originDay = history.at(-1)?.day;
  if (originDay === undefined) return undefined;
  const recent = history.filter(({ day }) => day > addDays(originDay, -HISTORY_MAX_DAYS));
  if (recent.length < HISTORY_MIN_DAYS) return undefined;
  const outcomes: ReadonlyMap<Day, number> = new Map(recent.map(({ day, value }) => [day, value]));
  const rolled = rollForecasts(metric, recent);
  const stored = scoredForecasts(issued, outcomes, originDay);
  const basis = stored.length < MIN_ISSUED_ORIGINS ? 'rolling' : 'issued';
  const scored = basis === 'issued' ? stored : scoredForecasts(rolled.forecasts, outcomes, originDay);
  const skill = skillOf(basis, scored, outcomes);
  const forecast = rolled.last(
    basis === 'issued' ? methodErrors(stored, outcomes).map(leastError) : undefined,
  );
  if (skill === undefined || forecast === undefined) return undefined;
  return { ...forecast, historyDays: recent.length, skill };
}
