/** The read endpoints over given stores, as a caller has them: chain, rendering and ETag included, no limits. */
import type { OperationId } from '../../core/contracts/routes.ts';
import { ROUTES } from '../../core/contracts/routes.ts';
import { createHandler, type Endpoint } from '../../core/http/chain.ts';
import type { IngestStores } from '../../core/ingest/dependencies.ts';
import type { Clock } from '../../core/reference/time.ts';
import { StoreFailure } from '../../core/store/table.ts';
import { createAlerts } from '../../lambdas/alerts/alerts.ts';
import { createDwell } from '../../lambdas/dwell/dwell.ts';
import { createHsImports } from '../../lambdas/hs-imports/hs-imports.ts';
import { createPorts } from '../../lambdas/ports/ports.ts';
import { createSnapshot } from '../../lambdas/snapshot/snapshot.ts';
import { createSourceStatus } from '../../lambdas/source-status/source-status.ts';
import { createTrend } from '../../lambdas/trend/trend.ts';
import { type EventParts, gatewayEvent, INVOCATION } from './gateway-event.ts';

export interface ReadReply {
  readonly status: number;
  readonly etag: string | undefined;
  readonly body: string;
}

export type Read = (parts?: EventParts) => Promise<ReadReply>;
export type ReadHandlers = Readonly<Record<Exclude<OperationId, 'health'>, Read>>;

export function readHandlers(stores: IngestStores, now: Clock): ReadHandlers {
  const read = <O extends OperationId>(id: O, endpoint: Endpoint<O>): Read => {
    const handler = createHandler(id, ROUTES[id], endpoint, {
      limiter: { admit: async () => ({ admitted: true, headers: {} }) },
      telemetry: { request: () => undefined, limiterFailure: () => undefined },
      outages: [StoreFailure],
      corsOrigins: new Set(),
      stopwatch: () => 0,
    });
    return async (parts = {}) => {
      const { statusCode, headers, body } = await handler(gatewayEvent(parts), INVOCATION);
      const etag = headers?.ETag;
      return { status: statusCode, etag: etag === undefined ? undefined : String(etag), body };
    };
  };
  return {
    trend: read('trend', createTrend(stores, now)),
    snapshot: read('snapshot', createSnapshot(stores.ports)),
    dwell: read('dwell', createDwell(stores, now)),
    alerts: read('alerts', createAlerts(stores, now)),
    hsImports: read('hsImports', createHsImports(stores.importIndex)),
    ports: read('ports', createPorts(stores.ports)),
    sources: read('sources', createSourceStatus(stores.statuses)),
  };
}

/** Status, tag and body of every read that speaks of the ports and codes, by request. */
export async function everyAnswer(
  reads: ReadHandlers,
  ports: readonly string[],
  codes: readonly string[] = [],
): Promise<Record<string, ReadReply>> {
  const answers: Record<string, ReadReply> = { ports: await reads.ports(), sources: await reads.sources() };
  for (const UNLOCODE of ports) {
    const path = { UNLOCODE };
    for (const format of ['json', 'csv'])
      answers[`${UNLOCODE} trend ${format}`] = await reads.trend({
        path,
        query: { window: ['30d'], format: [format] },
      });
    answers[`${UNLOCODE} snapshot`] = await reads.snapshot({ path });
    answers[`${UNLOCODE} dwell`] = await reads.dwell({ path, query: { window: ['30d'] } });
    answers[`${UNLOCODE} alerts`] = await reads.alerts({ path });
  }
  for (const code of codes)
    for (const format of ['json', 'csv'])
      answers[`${code} imports ${format}`] = await reads.hsImports({
        path: { code },
        query: { format: [format] },
      });
  return answers;
}
