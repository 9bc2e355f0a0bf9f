/** Alerts: thresholds crossed and levels that changed, newest first. */
import { alertsRoute } from '../contracts/alerts.ts';
import type { Alert } from '../metrics/figures.ts';
import { formatInstant, startOfDay } from '../reference/time.ts';
import { createAlertStore } from '../store/alerts.ts';
import { createPortStore } from '../store/ports.ts';
import { endpoint } from './endpoint.ts';
import { ofCoveredPort, windowOf } from './port-request.ts';

const order = (a: string, b: string): number => Number(a > b) - Number(a < b);

const newestFirst = (a: Alert, b: Alert): number =>
  b.asOfAt - a.asOfAt || order(a.metric, b.metric) || order(a.type, b.type);

export const alerts = endpoint({
  route: alertsRoute,
  tables: { alerts: 'read', ports: 'read' },
  memoryMb: 512,
  create(tables, { now }) {
    const store = createAlertStore(tables.alerts);
    const ports = createPortStore(tables.ports);
    return async ({ path: { UNLOCODE: port }, query: { window, days = window, until } }) => {
      const { firstDay, endAt } = windowOf(days, until, now());
      // Without the midnight at which the window begins: it is the `as_of` of an alert of the day before.
      const rows = await store.between(port, startOfDay(firstDay), endAt);
      return [...(await ofCoveredPort(rows, port, ports))].sort(newestFirst).map((alert) => ({
        type: alert.type,
        metric: alert.metric,
        severity: alert.severity,
        change_pct: alert.changeFraction,
        as_of: formatInstant(alert.asOfAt),
        explain: alert.explain,
      }));
    };
  },
});
