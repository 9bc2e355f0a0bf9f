/** The forecast of one metric of one port for the next seven days, with the skill of those before it. */
import { addDays, type Day } from '../reference/time.ts';
import type { DailyValue, Forecast, ForecastMetric, IssuedForecast } from './forecast-figures.ts';
import { MIN_OUTCOMES } from './forecast-horizon.ts';
import { rollForecasts } from './forecast-rolling.ts';
import { assess, scoredForecasts } from './forecast-skill.ts';

export * from './forecast-figures.ts';
export { dailyValues } from './forecast-history.ts';

/** Days of history that a forecast uses, and those with a value that it needs. */
export const HISTORY_MAX_DAYS = 400;
export const HISTORY_MIN_DAYS = 90;

/**
 * The forecast from the last day of `history`, which is oldest first and may have gaps; days more than 400 before the
 * last do not count. `issued` are the stored forecasts of earlier origins, oldest first. Undefined with fewer than 90
 * days that have a value, or where gaps leave some horizon without 20 outcomes.
 *
 * The skill is that of the issued forecasts once 60 of them can be scored, before that of rolling origins of the history.
 * Each row is made by the method with the least error on the origins that the skill is measured on, and by the
 * regression as long as these are fewer than 60.
 */
export function issueForecast(
  metric: ForecastMetric,
  history: readonly DailyValue[],
  issued: readonly IssuedForecast[],
): Forecast | undefined {
  const originDay = history.at(-1)?.day;
  if (originDay === undefined) return undefined;
  const eve = addDays(originDay, -HISTORY_MAX_DAYS);
  const recent = history.filter(({ day }) => day > eve);
  if (recent.length < HISTORY_MIN_DAYS) return undefined;
  const outcomes: ReadonlyMap<Day, number> = new Map(recent.map(({ day, value }) => [day, value]));
  const rolled = rollForecasts(metric, recent);
  const stored = scoredForecasts(issued, outcomes, originDay);
  const isIssued = stored.length >= MIN_OUTCOMES;
  const scored = isIssued ? stored : scoredForecasts(rolled.forecasts, outcomes, originDay);
  const assessed = assess(isIssued ? 'issued' : 'rolling', scored, outcomes);
  if (assessed === undefined) return undefined;
  const { skill, best } = assessed;
  const forecast = rolled.last(scored.length < MIN_OUTCOMES ? [] : best);
  return forecast && { ...forecast, historyDays: recent.length, skill };
}
