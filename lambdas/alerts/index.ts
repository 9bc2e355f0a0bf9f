/** Wiring of the alert list. */
import { alertsRoute } from '../../core/contracts/alerts.ts';
import { createAlertStore } from '../../core/store/alerts.ts';
import { createPortStore } from '../../core/store/ports.ts';
import { keyedEndpoint } from '../keyed-endpoint.ts';
import { createAlerts } from './alerts.ts';

export const handler = keyedEndpoint('alerts', alertsRoute, ['alerts', 'ports'], (tables, now) =>
  createAlerts({ alerts: createAlertStore(tables.alerts), ports: createPortStore(tables.ports) }, now),
);
