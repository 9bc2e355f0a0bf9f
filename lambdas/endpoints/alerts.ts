/** Alerts: thresholds crossed and levels that changed, newest first. */
import { type Alert as AlertRecord, alertsRoute } from '../../core/contracts/alerts.ts';
import type { Alert } from '../../core/metrics/figures.ts';
import { startOfDay } from '../../core/reference/time.ts';
import { ALERTS, alertRange } from '../../core/store/alerts.ts';
import { createPortReader } from '../../core/store/ports.ts';
import { createSeriesStore } from '../../core/store/series.ts';
import { alertRecord } from '../../core/store/served-records.ts';
import { endpoint, readSeries, readWindow, rowsOfCovered, viewAt } from './endpoint.ts';

const order = (a: string, b: string): number => Number(a > b) - Number(a < b);

const newestFirst = (a: Alert, b: Alert): number =>
  b.asOfAt - a.asOfAt || order(a.metric, b.metric) || order(a.type, b.type);

const RANKS: Readonly<Record<AlertRecord['severity'], number>> = { low: 0, medium: 1, high: 2 };

/** Whether an alert is one that the filters of a request ask for. */
export const isWanted = (
  alert: Pick<AlertRecord, 'type' | 'severity' | 'metric'>,
  { type, severity = 'low', metric }: Partial<Pick<AlertRecord, 'type' | 'severity' | 'metric'>>,
): boolean =>
  (type === undefined || alert.type === type) &&
  (metric === undefined || alert.metric === metric) &&
  RANKS[alert.severity] >= RANKS[severity];

export const alerts = endpoint({
  route: alertsRoute,
  tables: { alerts: 'read', vintages: 'read', ports: 'read' },
  memoryMb: 512,
  create(tables, { now }) {
    const store = createSeriesStore(ALERTS, tables.alerts, tables.vintages);
    const ports = createPortReader(tables.ports);
    return async (request, notes) => {
      const { UNLOCODE: port } = request.path;
      const { window, days = window, until, as_of, ...filters } = request.query;
      const view = viewAt(as_of, now());
      const { firstDay, endAt } = readWindow(days, until, view);
      // Without the midnight at which the window begins: it is the `as_of` of an alert of the day before.
      const range = alertRange(startOfDay(firstDay), endAt);
      const rows = await readSeries(store, port, range, view, notes);
      const covered = await rowsOfCovered(rows, port, ports);
      return covered
        .filter((alert) => isWanted(alert, filters))
        .sort(newestFirst)
        .map(alertRecord);
    };
  },
});
