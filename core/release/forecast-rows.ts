/** Rows of forecasts as issued, and back: a row for what was issued, and one for each day that it looks ahead. Pure. */
import { type ForecastDay, type ForecastMetric, HORIZON_DAYS, type Skill } from '../metrics/forecast.ts';
import { addDays } from '../reference/time.ts';
import type { ForecastReason, StoredForecast, StoredRows } from '../store/forecasts.ts';
import { ReleaseFailure } from '../store/release-place.ts';
import type { ReleaseRow, RowOf } from './columns.ts';

export const forecastRows = (
  metric: ForecastMetric,
  { originDay, replayed, days = [] }: StoredRows,
): RowOf<'forecasts'>[] => {
  const issued = addDays(originDay, 1);
  // Written out, because a release has millions of them.
  return days.map(({ day, p10, p50, p90, method }) => ({
    metric,
    issued,
    day,
    p10,
    p50,
    p90,
    method,
    replayed: replayed === true,
  }));
};

/** What was issued with the rows of the days, or the reason why there are none. */
export function issuedForecastRow(
  metric: ForecastMetric,
  forecast: StoredForecast,
): RowOf<'forecasts_issued'> {
  const { originDay, asOfAt, historyDays, replayed, days = [], skill, reason = null } = forecast;
  const { basis = null, origins = null, fromDay = null, toDay = null, horizons } = skill ?? {};
  return {
    metric,
    issued: addDays(originDay, 1),
    as_of: asOfAt,
    history_days: historyDays,
    replayed: replayed === true,
    reason,
    persistence: days[0]?.candidates.persistence ?? null,
    median: days[0]?.candidates.median ?? null,
    regression: days.some(({ method }) => method !== 'regression')
      ? days.map(({ candidates }) => candidates.regression)
      : null,
    skill_basis: basis,
    skill_origins: origins,
    skill_from: fromDay,
    skill_to: toDay,
    error: horizons?.map(({ error }) => error) ?? null,
    ratio_to_persistence: horizons?.map(({ ratioToPersistence = Number.NaN }) => ratioToPersistence) ?? null,
    ratio_to_median: horizons?.map(({ ratioToMedian = Number.NaN }) => ratioToMedian) ?? null,
    band_coverage: horizons?.map(({ coverage }) => coverage) ?? null,
  };
}

/** A forecast from what was issued and the rows of its days, in their order. Throws ReleaseFailure where days are missing. */
export function forecastOf(
  issued: ReleaseRow,
  rows: readonly ReleaseRow[],
): readonly [ForecastMetric, StoredForecast] {
  const head = {
    originDay: addDays(String(issued.issued), -1),
    asOfAt: Number(issued.as_of),
    historyDays: Number(issued.history_days),
    ...(issued.replayed === true && { replayed: true as const }),
  };
  const metric = issued.metric as ForecastMetric;
  if (issued.reason != null) return [metric, { ...head, reason: issued.reason as ForecastReason }];
  if (rows.length !== HORIZON_DAYS)
    throw new ReleaseFailure(
      `the forecast of ${issued.port}, ${metric}, issued on ${issued.issued} has ${rows.length} of ${HORIZON_DAYS} days`,
    );
  const [persistence, median] = [Number(issued.persistence), Number(issued.median)];
  const regression = issued.regression as readonly number[] | null;
  const days = rows.map((row, at): ForecastDay => {
    const p50 = Number(row.p50);
    return {
      day: String(row.day),
      p10: Number(row.p10),
      p50,
      p90: Number(row.p90),
      method: row.method as ForecastDay['method'],
      candidates: { regression: regression?.[at] ?? p50, median, persistence },
    };
  });
  const [errors, toPersistence, toMedian, coverages] = [
    issued.error,
    issued.ratio_to_persistence,
    issued.ratio_to_median,
    issued.band_coverage,
  ] as (readonly number[])[];
  const ratio = (value = Number.NaN): number | undefined => (Number.isNaN(value) ? undefined : value);
  const skill = {
    basis: issued.skill_basis,
    origins: Number(issued.skill_origins),
    fromDay: String(issued.skill_from),
    toDay: String(issued.skill_to),
    horizons: errors?.map((error, at) => ({
      horizon: at + 1,
      error,
      ratioToPersistence: ratio(toPersistence?.[at]),
      ratioToMedian: ratio(toMedian?.[at]),
      coverage: coverages?.[at],
    })),
  } as Skill;
  return [metric, { ...head, days, skill }];
}
