/** The stores that a release reads. */
import { ALERTS, createRaisedAlertStore } from '../store/alerts.ts';
import { createStayDayStore, TREND, WAITS } from '../store/day-series.ts';
import { createForecastStore } from '../store/forecasts.ts';
import { IMPORTS } from '../store/imports.ts';
import { createPortCallStore } from '../store/port-calls.ts';
import { createPortClockStore, PORTS } from '../store/ports.ts';
import { createBeginnings, createSeriesStore } from '../store/series.ts';
import type { Table } from '../store/table.ts';
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
