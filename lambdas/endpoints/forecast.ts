/** Forecast: the next seven days of one figure of a port, as issued, with the skill of such forecasts. */
import { type Forecast, forecastRoute } from '../../core/contracts/forecast.ts';
import type { ResponseNotes } from '../../core/http/chain.ts';
import type { Skill } from '../../core/metrics/forecast.ts';
import type { Locode } from '../../core/reference/codes.ts';
import { DAY_MS, dayOf, formatInstant, type Instant } from '../../core/reference/time.ts';
import { createForecastStore, type StoredForecast } from '../../core/store/forecasts.ts';
import { createPortReader, PORTS, portsAsOf } from '../../core/store/ports.ts';
import { createSeriesStore } from '../../core/store/series.ts';
import { endpoint, notCovered, noteKnown, type View, viewAt } from './endpoint.ts';

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
function record(stored: StoredForecast | undefined, asOfAt: Instant | undefined) {
  const { skill, days = [] } = stored ?? {};
  return {
    as_of: asOfAt === undefined ? null : formatInstant(asOfAt),
    history_days: stored?.historyDays ?? 0,
    skill: skill === undefined ? null : skillRecord(skill),
    reason: stored === undefined ? ('short_history' as const) : (stored.reason ?? null),
    replayed: stored?.replayed ?? false,
    rows: days.map(({ day, candidates: _, ...row }) => ({ date: day, ...row })),
  };
}

export const forecast = endpoint({
  route: forecastRoute,
  tables: { forecasts: 'read', ports: 'read', vintages: 'read' },
  memoryMb: 512,
  create(tables, { now }) {
    const forecasts = createForecastStore(tables.forecasts);
    const ports = createPortReader(tables.ports);
    const series = createSeriesStore(PORTS, tables.ports, tables.vintages);

    /** The newest observation of a covered port at the time of a view; undefined where there was none. */
    async function newestAt(port: Locode, { asOf }: View, notes: ResponseNotes) {
      const row = await ports.get(port);
      if (row === undefined) throw notCovered(port);
      if (asOf === undefined) return row.snapshot?.asOfAt;
      const then = await portsAsOf(series, [row], asOf, port);
      noteKnown(notes, then);
      return then.rows[0]?.snapshot?.asOfAt;
    }

    return async ({ path: { UNLOCODE: port }, query: { metric, as_of } }, notes) => {
      const view = viewAt(as_of, now());
      const isFresh = (at: Instant): boolean => view.nowAt - at <= DAY_MS;
      const stored = await forecasts.newest(port, metric, dayOf(view.nowAt));
      if (stored !== undefined && isFresh(stored.asOfAt))
        return { port, metric, ...record(stored, stored.asOfAt) };
      // What was issued more than a day ago holds while the port is observed.
      const observedAt = await newestAt(port, view, notes);
      if (observedAt === undefined || isFresh(observedAt))
        return { port, metric, ...record(stored, stored?.asOfAt ?? observedAt) };
      return { port, metric, ...record(stored, observedAt), reason: 'stale' as const, rows: [] };
    };
  },
});
