/** Trend: the congestion metrics of the last days of one port. */
import { trendRoute } from '../../core/contracts/trend.ts';
import { dayOf } from '../../core/reference/time.ts';
import { createDailyMetricsStore, servedAsOf } from '../../core/store/daily-metrics.ts';
import { createPortStore } from '../../core/store/ports.ts';
import { trendPoints } from '../../core/store/served-records.ts';
import { createVintageStore } from '../../core/store/vintages.ts';
import { endpoint, noteKnown, ofCoveredPort, readWindow, viewAt } from './endpoint.ts';

export const trend = endpoint({
  route: trendRoute,
  tables: { dailyMetrics: 'read', vintages: 'read', ports: 'read' },
  memoryMb: 512,
  create(tables, { now }) {
    const dailyMetrics = createDailyMetricsStore(tables.dailyMetrics);
    const ports = createPortStore(tables.ports);
    const vintages = createVintageStore(tables.vintages);
    return async (request, notes) => {
      const { UNLOCODE: port } = request.path;
      const { window, days = window, until, as_of } = request.query;
      const view = viewAt(as_of, now());
      const { asOf } = view;
      const { firstDay: first, lastDay: last } = readWindow(days ?? 0, until, view);
      const known =
        asOf === undefined
          ? { rows: await dailyMetrics.served(port, first, last), backfilled: false }
          : await servedAsOf(tables.dailyMetrics, vintages, { port, first, last, asOf });
      noteKnown(notes, known);
      const { rows } = known;
      const today = dayOf(view.nowAt);
      return trendPoints(await ofCoveredPort(rows, port, ports), today);
    };
  },
});
