/** Trend: the congestion metrics of the last days of one port. */
import { type TrendPoint, trendRoute } from '../contracts/trend.ts';
import { dayOf } from '../reference/time.ts';
import { createDailyMetricsStore } from '../store/daily-metrics.ts';
import { createPortStore } from '../store/ports.ts';
import { endpoint } from './endpoint.ts';
import { ofCoveredPort, windowOf } from './port-request.ts';

export const trend = endpoint({
  route: trendRoute,
  tables: { dailyMetrics: 'read', ports: 'read' },
  memoryMb: 512,
  create(tables, { now }) {
    const dailyMetrics = createDailyMetricsStore(tables.dailyMetrics);
    const ports = createPortStore(tables.ports);
    return async ({ path: { UNLOCODE: port }, query: { window, days = window, until } }) => {
      const nowAt = now();
      const { firstDay, lastDay } = windowOf(days ?? 0, until, nowAt);
      const rows = await dailyMetrics.served(port, firstDay, lastDay);
      const today = dayOf(nowAt);
      // Days without a reliable value for every field are omitted, never filled with zeros. So is a past day on which
      // the observations broke off.
      return (await ofCoveredPort(rows, port, ports)).flatMap(
        ({ day, congestionScore, avgWaitHours, vessels, partial = false }): TrendPoint[] =>
          congestionScore === undefined || avgWaitHours === undefined || (partial && day < today)
            ? []
            : [{ date: day, congestion_score: congestionScore, avg_wait_hours: avgWaitHours, vessels }],
      );
    };
  },
});
