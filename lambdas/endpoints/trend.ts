/** Trend: the congestion metrics of the last days of one port. */
import { trendRoute } from '../../core/contracts/trend.ts';
import { dayOf } from '../../core/reference/time.ts';
import { TREND } from '../../core/store/day-series.ts';
import { createPortReader } from '../../core/store/ports.ts';
import { createSeriesStore } from '../../core/store/series.ts';
import { trendPoints } from '../../core/store/served-records.ts';
import { endpoint, readSeries, readWindow, rowsOfCovered, viewAt } from './endpoint.ts';

export const trend = endpoint({
  route: trendRoute,
  tables: { dailyMetrics: 'read', vintages: 'read', ports: 'read' },
  memoryMb: 512,
  create(tables, { now }) {
    const dayFigures = createSeriesStore(TREND, tables.dailyMetrics, tables.vintages);
    const ports = createPortReader(tables.ports);
    return async (request, notes) => {
      const { UNLOCODE: port } = request.path;
      const { window, days = window, until, as_of } = request.query;
      const view = viewAt(as_of, now());
      const { firstDay: from, lastDay: to } = readWindow(days ?? 0, until, view);
      const rows = await readSeries(dayFigures, port, { from, to }, view, notes);
      const today = dayOf(view.nowAt);
      return trendPoints(await rowsOfCovered(rows, port, ports), today);
    };
  },
});
