/** The handler of every keyed operation over tables of a test, wired as `lambdas/keyed-endpoint.ts` wires them. */
import type { OperationId } from '../../core/contracts/operations.ts';
import { ROUTES } from '../../core/contracts/routes.ts';
import { createHandler, type Endpoint, type GatewayHandler } from '../../core/http/chain.ts';
import type { RequestRecord } from '../../core/http/telemetry.ts';
import type { Clock } from '../../core/reference/time.ts';
import { createAlertStore } from '../../core/store/alerts.ts';
import { createDailyMetricsStore } from '../../core/store/daily-metrics.ts';
import { createImportIndexStore } from '../../core/store/import-index.ts';
import { createLimiter } from '../../core/store/limiter.ts';
import { createPortStore } from '../../core/store/ports.ts';
import { createTokenBuckets } from '../../core/store/rate-limits.ts';
import { createSourceStatusStore } from '../../core/store/source-status.ts';
import { createStayDayStore } from '../../core/store/stay-days.ts';
import { StoreFailure, type Table } from '../../core/store/table.ts';
import { createAlerts } from '../../lambdas/alerts/alerts.ts';
import { createDwell } from '../../lambdas/dwell/dwell.ts';
import { createHsImports } from '../../lambdas/hs-imports/hs-imports.ts';
import { createPorts } from '../../lambdas/ports/ports.ts';
import { createSnapshot } from '../../lambdas/snapshot/snapshot.ts';
import { createSourceStatus } from '../../lambdas/source-status/source-status.ts';
import { createTrend } from '../../lambdas/trend/trend.ts';

export const READ_TABLES = [
  'ports',
  'stayDays',
  'dailyMetrics',
  'alerts',
  'importIndex',
  'sourceStatus',
] as const;
export const HANDLER_TABLES = [...READ_TABLES, 'rateLimits'] as const;

export type ReadTables = Readonly<Record<(typeof READ_TABLES)[number], Table>>;
export type KeyedOperation = Exclude<OperationId, 'health'>;
export type KeyedEndpoints = { readonly [O in KeyedOperation]: Endpoint<O> };

/** What every keyed operation does, without the chain around it. */
export function endpointsOver(tables: ReadTables, now: Clock): KeyedEndpoints {
  const ports = createPortStore(tables.ports);
  return {
    sources: createSourceStatus(createSourceStatusStore(tables.sourceStatus, now)),
    ports: createPorts(ports),
    trend: createTrend({ dailyMetrics: createDailyMetricsStore(tables.dailyMetrics), ports }, now),
    snapshot: createSnapshot(ports),
    dwell: createDwell({ stayDays: createStayDayStore(tables.stayDays), ports }, now),
    alerts: createAlerts({ alerts: createAlertStore(tables.alerts), ports }, now),
    hsImports: createHsImports(createImportIndexStore(tables.importIndex)),
  };
}

export interface HandlerOptions {
  readonly now: Clock;
  /** Where requests are noted. */
  readonly records?: RequestRecord[];
}

/** The same behind the chain, with a limiter of their own on `tables.rateLimits` and the wall clock. */
export function handlersOver(
  tables: ReadTables & { readonly rateLimits: Table },
  { now, records = [] }: HandlerOptions,
): Readonly<Record<KeyedOperation, GatewayHandler>> {
  const endpoints = endpointsOver(tables, now);
  const limiter = createLimiter({
    buckets: createTokenBuckets(tables.rateLimits),
    now: Date.now,
    onFailure: () => {},
  });
  const handler = <O extends KeyedOperation>(id: O): GatewayHandler =>
    createHandler(id, ROUTES[id], endpoints[id] as Endpoint<O>, {
      limiter,
      telemetry: { request: (record) => records.push(record), limiterFailure: () => {} },
      outages: [StoreFailure],
      corsOrigins: new Set(),
      stopwatch: () => performance.now(),
    });
  return {
    sources: handler('sources'),
    ports: handler('ports'),
    trend: handler('trend'),
    snapshot: handler('snapshot'),
    dwell: handler('dwell'),
    alerts: handler('alerts'),
    hsImports: handler('hsImports'),
  };
}
