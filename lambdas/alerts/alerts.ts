/** Alerts: thresholds crossed and levels that changed, newest first. */
import type { Endpoint } from '../../core/http/chain.ts';
import type { Alert } from '../../core/metrics/figures.ts';
import { addDays, type Clock, dayOf, formatInstant, startOfDay } from '../../core/reference/time.ts';
import type { AlertStore } from '../../core/store/alerts.ts';
import type { PortStore } from '../../core/store/ports.ts';
import { ofCoveredPort } from '../covered-port.ts';

interface AlertStores {
  readonly alerts: Pick<AlertStore, 'between'>;
  readonly ports: Pick<PortStore, 'get'>;
}

const order = (a: string, b: string): number => Number(a > b) - Number(a < b);

const newestFirst = (a: Alert, b: Alert): number =>
  b.asOfAt - a.asOfAt || order(a.metric, b.metric) || order(a.type, b.type);

export function createAlerts({ alerts, ports }: AlertStores, now: Clock): Endpoint<'alerts'> {
  return async ({ path: { UNLOCODE: port }, query: { window } }) => {
    const nowAt = now();
    const fromAt = startOfDay(addDays(dayOf(nowAt), 1 - window));
    const rows = await alerts.between(port, fromAt, nowAt);
    return [...(await ofCoveredPort(rows, port, ports))].sort(newestFirst).map((alert) => ({
      type: alert.type,
      metric: alert.metric,
      severity: alert.severity,
      change_pct: alert.changeFraction,
      as_of: formatInstant(alert.asOfAt),
      explain: alert.explain,
    }));
  };
}
