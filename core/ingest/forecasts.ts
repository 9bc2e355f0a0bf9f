/** Issues the forecasts of a port: in the first pass of a UTC day, from the complete days before it. */
import type { DailyMetrics } from '../metrics/figures.ts';
import {
  type DailyValue,
  dailyValues,
  FORECAST_METRICS,
  type ForecastMetric,
  HISTORY_MAX_DAYS,
  HISTORY_MIN_DAYS,
  issueForecast,
  type Skill,
} from '../metrics/forecast.ts';
import type { Locode } from '../reference/locode.ts';
import { FRACTION_DECIMALS, round } from '../reference/rounding.ts';
import { addDays, type Day, dayOf, type Instant } from '../reference/time.ts';
import type { ForecastReason, ForecastStore, WrittenForecast } from '../store/forecasts.ts';
import type { BeforeWrite, PortStores } from './dependencies.ts';

/** The values up to `originDay`. A day on which the observations broke off has none, as in the trend. */
const valuesBefore = (metric: ForecastMetric, days: readonly DailyMetrics[], originDay: Day): DailyValue[] =>
  dailyValues(
    metric,
    days.filter(
      ({ day, partial = false }) =>
        !partial && day <= originDay && day > addDays(originDay, -HISTORY_MAX_DAYS),
    ),
  );

const served = (value: number): number => round(value, FRACTION_DECIMALS);

const servedSkill = ({ horizons, ...skill }: Skill): Skill => ({
  ...skill,
  horizons: horizons.map(({ horizon, error, ratioToPersistence, ratioToMedian, coverage }) => ({
    horizon,
    error: served(error),
    ratioToPersistence: ratioToPersistence && served(ratioToPersistence),
    ratioToMedian: ratioToMedian && served(ratioToMedian),
    coverage: served(coverage),
  })),
});

interface ForecastInput {
  readonly port: Locode;
  /** Metrics of the port, oldest first, of `HISTORY_MAX_DAYS` days where there are so many. */
  readonly days: readonly DailyMetrics[];
  /** Newest observation. */
  readonly asOfAt: Instant;
  /** The day that the newest forecasts are from; undefined before the first. */
  readonly issuedDay: Day | undefined;
}

/** A forecast that is stored already is served as it was issued: a repetition changes nothing that was told. */
async function makeForecast(
  forecasts: ForecastStore,
  metric: ForecastMetric,
  originDay: Day,
  { port, days, asOfAt }: ForecastInput,
): Promise<WrittenForecast> {
  const history = valuesBefore(metric, days, originDay);
  const head = { asOfAt, historyDays: history.length };
  const none = (reason: ForecastReason): WrittenForecast => ({ metric, current: { ...head, reason } });
  if (history.length < HISTORY_MIN_DAYS) return none('short_history');
  if (history.at(-1)?.day !== originDay) return none('stale');
  const stored = await forecasts.issued(port, metric, addDays(originDay, -HISTORY_MAX_DAYS), originDay);
  const earlier = stored.filter((issued) => issued.originDay < originDay);
  const forecast = issueForecast(metric, history, earlier);
  if (forecast === undefined) return none('short_history');
  const kept = stored.find((issued) => issued.originDay === originDay);
  const issued = kept ?? { originDay, days: forecast.days };
  return {
    metric,
    issued: kept === undefined ? issued : undefined,
    current: {
      ...head,
      days: issued.days.map(({ candidates: _, ...day }) => day),
      skill: servedSkill(forecast.skill),
    },
  };
}

/** Writes the forecasts from the last complete day, unless there are some from it. Returns the day that the newest are from. */
export async function issueForecasts(
  forecasts: ForecastStore,
  input: ForecastInput,
  beforeWrite: BeforeWrite,
): Promise<Day> {
  const { issuedDay } = input;
  const originDay = addDays(dayOf(input.asOfAt), -1);
  if (issuedDay !== undefined && originDay <= issuedDay) return issuedDay;
  const written = await Promise.all(
    FORECAST_METRICS.map((metric) => makeForecast(forecasts, metric, originDay, input)),
  );
  await beforeWrite();
  await forecasts.write(input.port, written);
  return originDay;
}

/** The same from the tables alone, at the end of a back-fill. Nothing where nothing of the port has been observed. */
export async function issueFromTables(
  { dailyMetrics, forecasts, portClocks }: PortStores,
  port: Locode,
  beforeWrite: BeforeWrite,
): Promise<void> {
  const reached = await portClocks.get(port);
  const asOfAt = reached?.clocks?.lastObservedAt;
  if (reached === undefined || asOfAt === undefined) return;
  const today = dayOf(asOfAt);
  const days = await dailyMetrics.between(port, { from: addDays(today, -HISTORY_MAX_DAYS), to: today });
  const input = { port, days, asOfAt, issuedDay: reached.forecastDay };
  const forecastDay = await issueForecasts(forecasts, input, beforeWrite);
  if (forecastDay === reached.forecastDay) return;
  await beforeWrite();
  await portClocks.put(port, { ...reached, forecastDay });
}
