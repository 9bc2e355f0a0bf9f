/** The forecast of one metric of one port for the next seven days, with the skill of those before it. */
import { FORECAST_METHODS, type ForecastMethod, type ForecastMetric } from '../reference/figure-names.ts';
import { HOURS_DECIMALS, round, SCORE_DECIMALS, VESSEL_MEAN_DECIMALS } from '../reference/statistics.ts';
import { addDays, type Day, daysBetween } from '../reference/time.ts';
import type { DayFigures } from './figures.ts';
import {
  bestMethod,
  byMethod,
  type Forecast,
  type ForecastDay,
  ForecastDays,
  forecastValues,
  HORIZON_DAYS,
  HORIZONS,
  Horizon,
  type HorizonSkill,
  type IssuedForecast,
  MIN_OUTCOMES,
  originAt,
  type Skill,
} from './forecast-model.ts';

// Skill of forecasts whose days have ended: error, ratio to both base lines, coverage of the band.

/** The value of a day; undefined on a day without one. */
type Outcomes = ReadonlyMap<Day, number>;

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
function scoredForecasts(
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
function assess(
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

export * from './forecast-model.ts';

const DECIMALS: Readonly<Record<ForecastMetric, number>> = {
  avg_wait_hours: HOURS_DECIMALS,
  at_anchor: VESSEL_MEAN_DECIMALS,
  congestion_score: SCORE_DECIMALS,
};

/** The forecast of day `day` from the origin at index `at`; undefined without residuals for its band. */
function forecastDay(
  metric: ForecastMetric,
  day: Day,
  horizon: Horizon,
  at: number,
  method: ForecastMethod,
): ForecastDay | undefined {
  const band = horizon.bands(method)[at];
  if (band === undefined) return undefined;
  const highest = metric === 'congestion_score' ? 1 : Number.POSITIVE_INFINITY;
  const served = (value: number): number => round(Math.min(highest, Math.max(0, value)), DECIMALS[metric]);
  const candidate = (name: ForecastMethod): number => horizon.p50[name][at] ?? Number.NaN;
  const p50 = candidate(method);
  return {
    day,
    // Both ends of a band can lie on one side of the forecast.
    p10: served(Math.min(p50, p50 + band.low)),
    p50: served(p50),
    p90: served(Math.max(p50, p50 + band.high)),
    method,
    candidates: byMethod((name) => served(candidate(name))),
  };
}

/**
 * Forecasts of every origin, oldest first, by the best method of each horizon then or by `methods`, and of the `last`
 * day, undefined where no forecast is made from it. No forecast reads a later day. `history` is oldest first and may have gaps; a day
 * without a value, with fewer than 14 values in the 28 days up to it, or with fewer than 20 known outcomes of some
 * horizon gets no forecast.
 */
export function rollForecasts(metric: ForecastMetric, history: readonly DayFigures[]) {
  const values = forecastValues(metric, history);
  const valued = history.filter(({ day }) => values.has(day));
  const known = new Map(valued.map((row) => [row.day, row]));
  const [first, newest] = [valued[0], valued.at(-1)];
  const names = first && newest ? daysBetween(first.day, addDays(newest.day, HORIZON_DAYS)) : [];
  const days = names.slice(0, -HORIZON_DAYS).map((day) => known.get(day));
  const columns = new ForecastDays(metric, days, history);
  const origins = days.map((_, at) => originAt(metric, columns, at));
  const { value, calm } = columns;
  const horizons = HORIZONS.map(
    (horizon) => new Horizon(metric, horizon, origins, value.values, calm.values),
  );

  const from = (
    at: number,
    method: (i: number) => ForecastMethod | undefined,
  ): IssuedForecast | undefined => {
    const rows = horizons.flatMap(
      (horizon, i) =>
        forecastDay(metric, names[at + i + 1] ?? '', horizon, at, method(i) ?? 'regression') ?? [],
    );
    return rows.length < HORIZON_DAYS ? undefined : { originDay: names[at] ?? '', days: rows };
  };
  return {
    forecasts: (methods?: readonly ForecastMethod[]): IssuedForecast[] => {
      const best = methods ? [] : horizons.map((horizon) => horizon.bestMethods());
      return days.flatMap((_, at) => from(at, (i) => methods?.[i] ?? best[i]?.[at]) ?? []);
    },
    last: (methods: readonly ForecastMethod[]) => from(days.length - 1, (i) => methods[i]),
  };
}

/** Days of history that a forecast uses, and those with a value that it needs. */
export const HISTORY_MAX_DAYS = 400;
export const HISTORY_MIN_DAYS = 90;

/**
 * The forecast from the last day of `history` with a value; days more than 400 before it do not count. Undefined with
 * fewer than 90 values, or where gaps leave some horizon without 20 outcomes. The skill is that of the stored forecasts
 * `issued` of earlier origins, oldest first, once 60 of them can be scored, before that of rolling origins. Each row is
 * made by the method with the least error there, and by the regression as long as these are fewer than 60.
 */
export function issueForecast(
  metric: ForecastMetric,
  history: readonly DayFigures[],
  issued: readonly IssuedForecast[],
): Forecast | undefined {
  const originDay = [...forecastValues(metric, history).keys()].at(-1);
  if (originDay === undefined) return undefined;
  const eve = addDays(originDay, -HISTORY_MAX_DAYS);
  const recent = history.filter(({ day }) => day > eve);
  const outcomes = forecastValues(metric, recent);
  if (outcomes.size < HISTORY_MIN_DAYS) return undefined;
  const rolled = rollForecasts(metric, recent);
  const stored = scoredForecasts(issued, outcomes, originDay);
  const isIssued = stored.length >= MIN_OUTCOMES;
  const scored = isIssued ? stored : scoredForecasts(rolled.forecasts(), outcomes, originDay);
  const assessed = assess(isIssued ? 'issued' : 'rolling', scored, outcomes);
  if (assessed === undefined) return undefined;
  const { skill, best } = assessed;
  const forecast = rolled.last(scored.length < MIN_OUTCOMES ? [] : best);
  return forecast && { ...forecast, historyDays: outcomes.size, skill };
}
