/** Alerts: thresholds crossed and levels that changed, newest first. */
import { type Alert as AlertRecord, alertsRoute } from '../contracts/alerts.ts';
import type { Alert } from '../metrics/figures.ts';
import { formatInstant, startOfDay } from '../reference/time.ts';
import { alertsAsOf, createAlertReader } from '../store/alerts.ts';
import { createPortStore } from '../store/ports.ts';
import { createVintageStore } from '../store/vintages.ts';
import { endpoint, noteKnown, ofCoveredPort, readWindow, viewAt } from './endpoint.ts';

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

/** An alert of the store as it is served. */
export const alertRecord = (alert: Alert): AlertRecord => ({
  type: alert.type,
  metric: alert.metric,
  severity: alert.severity,
  change_pct: alert.changeFraction,
  as_of: formatInstant(alert.asOfAt),
  explain: alert.explain,
});

export const alerts = endpoint({
  route: alertsRoute,
  tables: { alerts: 'read', vintages: 'read', ports: 'read' },
  memoryMb: 512,
  create(tables, { now }) {
    const store = createAlertReader(tables.alerts);
    const ports = createPortStore(tables.ports);
    const vintages = createVintageStore(tables.vintages);
    return async (request, notes) => {
      const { UNLOCODE: port } = request.path;
      const { window, days = window, until, as_of, ...filters } = request.query;
      const view = viewAt(as_of, now());
      const { asOf } = view;
      const { firstDay, endAt: toAt } = readWindow(days, until, view);
      // Without the midnight at which the window begins: it is the `as_of` of an alert of the day before.
      const afterAt = startOfDay(firstDay);
      const known =
        asOf === undefined
          ? { rows: await store.between(port, afterAt, toAt), backfilled: false }
          : await alertsAsOf(tables.alerts, vintages, { port, afterAt, toAt, asOf });
      noteKnown(notes, known);
      const covered = await ofCoveredPort(known.rows, port, ports);
      return covered
        .filter((alert) => isWanted(alert, filters))
        .sort(newestFirst)
        .map(alertRecord);
    };
  },
});
