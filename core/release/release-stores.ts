/** The stores that a release reads. */
import { ALERTS } from '../store/alerts.ts';
import { createBeginnings } from '../store/beginnings.ts';
import { TREND } from '../store/daily-metrics.ts';
import { createForecastStore } from '../store/forecasts.ts';
import { IMPORTS } from '../store/import-index.ts';
import { createPortCallStore } from '../store/port-calls.ts';
import { createPortClockStore, PORTS } from '../store/ports.ts';
import { createRaisedAlertStore } from '../store/raised-alerts.ts';
import { createSeriesStore } from '../store/series.ts';
import { createStayDayStore } from '../store/stay-days.ts';
import type { Table } from '../store/table.ts';
import { WAITS } from '../store/wait-days.ts';
import type { ReleaseTableId } from './store-tables.ts';

export type ReleaseTables = Readonly<Record<ReleaseTableId, Table>>;
export type ReleaseStores = ReturnType<typeof releaseStores>;

export const releaseStores = (tables: ReleaseTables) => ({
  alerts: createSeriesStore(ALERTS, tables.alerts, tables.vintages),
  calls: createPortCallStore(tables.portCalls),
  clocks: createPortClockStore(tables.portClocks),
  forecasts: createForecastStore(tables.forecasts),
  importBeginnings: createBeginnings(tables.vintages, 'imports'),
  imports: createSeriesStore(IMPORTS, tables.importIndex, tables.vintages),
  portBeginnings: createBeginnings(tables.vintages, 'ports'),
  ports: createSeriesStore(PORTS, tables.ports, tables.vintages),
  raised: createRaisedAlertStore(tables.raisedAlerts),
  stays: createStayDayStore(tables.stayDays),
  trend: createSeriesStore(TREND, tables.dailyMetrics, tables.vintages),
  waits: createSeriesStore(WAITS, tables.waitDays, tables.vintages),
});
