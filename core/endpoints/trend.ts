/** Trend: the congestion metrics of the last days of one port. */
import { type TrendPoint, trendRoute } from '../contracts/trend.ts';
import { type Day, dayOf } from '../reference/time.ts';
import { createDailyMetricsStore, type ServedDay, servedAsOf } from '../store/daily-metrics.ts';
import { createPortStore } from '../store/ports.ts';
import { createVintageStore } from '../store/vintages.ts';
import { endpoint, noteKnown, ofCoveredPort, readWindow, viewAt } from './endpoint.ts';

/**
 * Days of the store as they are served. Days without a reliable value for every field are omitted, never filled with
 * zeros. So is a day before `today` on which the observations broke off.
 */
export const trendPoints = (days: readonly ServedDay[], today: Day): TrendPoint[] =>
  days.flatMap(({ day, congestionScore, avgWaitHours, vessels, partial = false }) =>
    congestionScore === undefined || avgWaitHours === undefined || (partial && day < today)
      ? []
      : [{ date: day, congestion_score: congestionScore, avg_wait_hours: avgWaitHours, vessels }],
  );

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
