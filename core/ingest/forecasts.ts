/** Issues the forecasts of a port: in the first pass of a UTC day, from the complete days before it. */
import type { DailyMetrics } from '../metrics/figures.ts';
import {
  FORECAST_METRICS,
  type ForecastMetric,
  forecastValues,
  HISTORY_MAX_DAYS,
  HISTORY_MIN_DAYS,
  issueForecast,
  type Skill,
} from '../metrics/forecast.ts';
import type { Locode } from '../reference/locode.ts';
import { FRACTION_DECIMALS, round } from '../reference/rounding.ts';
import { addDays, type Day, dayOf, type Instant } from '../reference/time.ts';
import {
  type ForecastReason,
  type ForecastStore,
  isIssued,
  type StoredForecast,
} from '../store/forecasts.ts';
import type { BeforeWrite, IngestStores } from './dependencies.ts';
import type { AppliedFetch } from './port-knowledge.ts';

/** The rows up to `originDay`. A day on which the observations broke off has no value, as in the trend. */
function rowsBefore(days: readonly DailyMetrics[], originDay: Day): DailyMetrics[] {
  const eve = addDays(originDay, -HISTORY_MAX_DAYS);
  return days.filter(({ day, partial = false }) => !partial && day <= originDay && day > eve);
}

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
  /** Metrics of the port, oldest first, for the last `HISTORY_MAX_DAYS` days or as many as there are. */
  readonly days: readonly DailyMetrics[];
  /** Newest observation. */
  readonly asOfAt: Instant;
  /** The day that the newest forecasts are from; undefined before the first. */
  readonly issuedDay: Day | undefined;
  readonly fetch: Pick<AppliedFetch, 'nowAt' | 'replays'>;
}

/** Undefined where a forecast is stored: it never changes. */
async function makeForecast(
  forecasts: ForecastStore,
  metric: ForecastMetric,
  originDay: Day,
  { port, days, asOfAt, fetch }: ForecastInput,
): Promise<StoredForecast | undefined> {
  const stored = await forecasts.rowsBetween(port, metric, addDays(originDay, -HISTORY_MAX_DAYS), originDay);
  if (stored.at(-1)?.originDay === originDay) return undefined;
  const history = rowsBefore(days, originDay);
  const values = forecastValues(metric, history);
  const isReplayed = fetch.replays || dayOf(fetch.nowAt) > dayOf(asOfAt);
  const head = {
    originDay,
    asOfAt,
    historyDays: values.size,
    ...(isReplayed && { replayed: true as const }),
  };
  const none = (reason: ForecastReason): StoredForecast => ({ ...head, reason });
  if (values.size < HISTORY_MIN_DAYS) return none('short_history');
  if (!values.has(originDay)) return none('stale');
  const forecast = issueForecast(metric, history, stored.filter(isIssued));
  if (forecast === undefined) return none('short_history');
  return { ...head, days: forecast.days, skill: servedSkill(forecast.skill) };
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
  const made = await Promise.all(
    FORECAST_METRICS.map(
      async (metric) => [metric, await makeForecast(forecasts, metric, originDay, input)] as const,
    ),
  );
  const written = made.flatMap(([metric, forecast]) =>
    forecast === undefined ? [] : [[metric, forecast] as const],
  );
  if (written.length > 0) {
    await beforeWrite();
    await forecasts.write(input.port, written);
  }
  return originDay;
}

/** The same from the tables alone, at the end of a back-fill. Nothing where nothing of the port has been observed. */
export async function issueFromTables(
  { dailyMetrics, forecasts, portClocks }: IngestStores,
  port: Locode,
  fetch: ForecastInput['fetch'],
  beforeWrite: BeforeWrite,
): Promise<void> {
  const reached = await portClocks.get(port);
  const asOfAt = reached?.clocks?.lastObservedAt;
  if (reached === undefined || asOfAt === undefined) return;
  const today = dayOf(asOfAt);
  const days = await dailyMetrics.between(port, { from: addDays(today, -HISTORY_MAX_DAYS), to: today });
  const input = { port, days, asOfAt, issuedDay: reached.forecastDay, fetch };
  const forecastDay = await issueForecasts(forecasts, input, beforeWrite);
  if (forecastDay === reached.forecastDay) return;
  await beforeWrite();
  await portClocks.put(port, { ...reached, forecastDay });
}
