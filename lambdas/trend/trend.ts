/** Trend: the congestion metrics of the last days of one port. */
import type { TrendPoint } from '../../core/contracts/trend.ts';
import type { Endpoint } from '../../core/http/chain.ts';
import { addDays, type Clock, dayOf } from '../../core/reference/time.ts';
import type { DailyMetricsStore } from '../../core/store/daily-metrics.ts';
import type { PortStore } from '../../core/store/ports.ts';
import { ofCoveredPort } from '../covered-port.ts';

interface TrendStores {
  readonly dailyMetrics: Pick<DailyMetricsStore, 'served'>;
  readonly ports: Pick<PortStore, 'get'>;
}

export function createTrend({ dailyMetrics, ports }: TrendStores, now: Clock): Endpoint<'trend'> {
  return async ({ path: { UNLOCODE: port }, query: { window, days = window } }) => {
    const today = dayOf(now());
    const rows = await dailyMetrics.served(port, addDays(today, 1 - (days ?? 0)), today);
    // A day without an honest value for every field is left out, never filled with zeros; nor is the day on which the
    // observations broke off told as if it had been observed to its end.
    return (await ofCoveredPort(rows, port, ports)).flatMap(
      ({ day, congestionScore, avgWaitHours, vessels, partial = false }): TrendPoint[] =>
        congestionScore === undefined || avgWaitHours === undefined || (partial && day < today)
          ? []
          : [{ date: day, congestion_score: congestionScore, avg_wait_hours: avgWaitHours, vessels }],
    );
  };
}
