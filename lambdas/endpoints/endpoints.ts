/** Every endpoint. Functions, their rights, and the handlers that tests and measurements run are derived from this list. */
import type { OperationId, ROUTES } from '../../core/contracts/routes.ts';
import { alertFeed } from './alert-feed.ts';
import { alerts } from './alerts.ts';
import { changes } from './changes.ts';
import { dwell } from './dwell.ts';
import type { Endpoint } from './endpoint.ts';
import { forecast } from './forecast.ts';
import { health } from './health.ts';
import { hsImports } from './hs-imports.ts';
import { ports } from './ports.ts';
import { snapshot } from './snapshot.ts';
import { sources } from './sources.ts';
import { trend } from './trend.ts';
import { waits } from './waits.ts';

export const ENDPOINTS: { readonly [O in OperationId]: Endpoint<(typeof ROUTES)[O]> } = {
  health,
  sources,
  ports,
  changes,
  trend,
  waits,
  forecast,
  snapshot,
  dwell,
  alerts,
  alertFeed,
  hsImports,
};
