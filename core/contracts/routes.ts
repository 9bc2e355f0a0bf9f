/**
 * The contract of every endpoint. Gateway methods, request checks, OpenAPI, client and portal are derived from this
 * list. A function imports only the file of its own endpoint, so this list is for types there.
 */
import { alertFeedRoute, alertsRoute } from './alerts.ts';
import { changesRoute } from './changes.ts';
import { dwellRoute } from './dwell.ts';
import { forecastRoute } from './forecast.ts';
import { healthRoute } from './health.ts';
import { hsImportsRoute } from './hs-imports.ts';
import { portsRoute } from './ports.ts';
import type { ResponseBody, Route } from './route.ts';
import { snapshotRoute } from './snapshot.ts';
import { sourcesRoute } from './sources.ts';
import { trendRoute } from './trend.ts';
import { waitsRoute } from './waits.ts';

export type { PortRecord } from './ports.ts';
export type { SourceRecord } from './sources.ts';

export const ROUTES = {
  health: healthRoute,
  sources: sourcesRoute,
  ports: portsRoute,
  changes: changesRoute,
  trend: trendRoute,
  waits: waitsRoute,
  forecast: forecastRoute,
  snapshot: snapshotRoute,
  dwell: dwellRoute,
  alerts: alertsRoute,
  alertFeed: alertFeedRoute,
  hsImports: hsImportsRoute,
} as const satisfies Record<string, Route>;

export type OperationId = keyof typeof ROUTES;
export const OPERATION_IDS = Object.keys(ROUTES) as [OperationId, ...OperationId[]];

/** The 200 body of an operation, as sent. */
export type ResponseOf<O extends OperationId> = ResponseBody<(typeof ROUTES)[O]>;
