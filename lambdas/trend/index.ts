/** Wiring of the trend. */
import { trendRoute } from '../../core/contracts/trend.ts';
import { createDailyMetricsStore } from '../../core/store/daily-metrics.ts';
import { createPortStore } from '../../core/store/ports.ts';
import { keyedEndpoint } from '../keyed-endpoint.ts';
import { createTrend } from './trend.ts';

export const handler = keyedEndpoint('trend', trendRoute, ['dailyMetrics', 'ports'], (tables, now) =>
  createTrend(
    { dailyMetrics: createDailyMetricsStore(tables.dailyMetrics), ports: createPortStore(tables.ports) },
    now,
  ),
);
