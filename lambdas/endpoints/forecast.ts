/** Forecast: the next seven days of one figure of a port, as issued, with the skill of such forecasts. */
import { type Forecast, forecastRoute } from '../../core/contracts/forecast.ts';
import type { Skill } from '../../core/metrics/forecast.ts';
import { DAY_MS, formatInstant, type Instant } from '../../core/reference/time.ts';
import { type CurrentForecast, createForecastStore } from '../../core/store/forecasts.ts';
import { createPortReader } from '../../core/store/ports.ts';
import { endpoint, notCovered } from './endpoint.ts';

const skillRecord = ({ basis, origins, fromDay, toDay, horizons }: Skill): Forecast['skill'] => ({
  basis,
  origins,
  from: fromDay,
  to: toDay,
  horizons: horizons.map(({ horizon, error, ratioToPersistence, ratioToMedian, coverage }) => ({
    horizon,
    error,
    ratio_to_persistence: ratioToPersistence ?? null,
    ratio_to_median: ratioToMedian ?? null,
    coverage,
  })),
});

/** Without a row of the store nothing has been forecast yet. */
function record(current: CurrentForecast | undefined, asOfAt: Instant | undefined) {
  const { historyDays = 0, days = [], skill, reason } = current ?? { reason: 'short_history' as const };
  return {
    as_of: asOfAt === undefined ? null : formatInstant(asOfAt),
    history_days: historyDays,
    skill: skill === undefined ? null : skillRecord(skill),
    reason: reason ?? null,
    rows: days.map(({ day, ...row }) => ({ date: day, ...row })),
  };
}

export const forecast = endpoint({
  route: forecastRoute,
  tables: { forecasts: 'read', ports: 'read' },
  memoryMb: 512,
  create(tables, { now }) {
    const forecasts = createForecastStore(tables.forecasts);
    const ports = createPortReader(tables.ports);
    return async ({ path: { UNLOCODE: port }, query: { metric } }) => {
      const nowAt = now();
      const isFresh = (at: Instant): boolean => nowAt - at <= DAY_MS;
      const current = await forecasts.current(port, metric);
      if (current !== undefined && isFresh(current.asOfAt))
        return { port, metric, ...record(current, current.asOfAt) };
      // What was issued more than a day ago holds while the port is observed.
      const row = await ports.get(port);
      if (row === undefined) throw notCovered(port);
      const newestAt = row.snapshot?.asOfAt;
      if (newestAt === undefined || isFresh(newestAt))
        return { port, metric, ...record(current, current?.asOfAt ?? newestAt) };
      return { port, metric, ...record(current, newestAt), reason: 'stale' as const, rows: [] };
    };
  },
});
