/** The read endpoints over the tables of a test, with chain, rendering and ETag, without limits. */
import type { ChainDependencies } from '../../core/http/chain.ts';
import type { Clock } from '../../core/reference/time.ts';
import { StoreFailure } from '../../core/store/table.ts';
import { type EventParts, gatewayEvent, INVOCATION } from './gateway-event.ts';
import {
  endpointsOver,
  handlersBehind,
  KEYED_OPERATIONS,
  type KeyedOperation,
  type Tables,
} from './keyed-handlers.ts';

export interface ReadReply {
  readonly status: number;
  readonly etag: string | undefined;
  readonly body: string;
}

export type Read = (parts?: EventParts) => Promise<ReadReply>;
export type ReadHandlers = Readonly<Record<KeyedOperation, Read>>;

/** A chain without limits, log and cache. */
export const UNLIMITED: ChainDependencies = {
  limiter: { admit: async () => ({ admitted: true, headers: {} }) },
  telemetry: { request: () => undefined, limiterFailure: () => undefined },
  outages: [StoreFailure],
  corsOrigins: new Set(),
  now: Date.now,
  stopwatch: () => 0,
};

export function readHandlers(
  tables: Readonly<Partial<Tables>>,
  now: Clock,
  context: { readonly replays?: boolean } = {},
): ReadHandlers {
  const handlers = handlersBehind(endpointsOver(tables, now, context), { ...UNLIMITED, now });
  const reads = KEYED_OPERATIONS.map((id): [KeyedOperation, Read] => [
    id,
    async (parts = {}) => {
      const { statusCode, headers, body } = await handlers[id](gatewayEvent(parts), INVOCATION);
      const etag = headers?.ETag;
      return { status: statusCode, etag: etag === undefined ? undefined : String(etag), body };
    },
  ]);
  return Object.fromEntries(reads) as ReadHandlers;
}

/** Status, tag and body of every read about the ports and codes, by request. */
export async function everyResponse(
  reads: ReadHandlers,
  ports: readonly string[],
  codes: readonly string[] = [],
): Promise<Record<string, ReadReply>> {
  const responses: Record<string, ReadReply> = { ports: await reads.ports(), sources: await reads.sources() };
  for (const UNLOCODE of ports) {
    const path = { UNLOCODE };
    for (const format of ['json', 'csv'])
      responses[`${UNLOCODE} trend ${format}`] = await reads.trend({
        path,
        query: { window: ['30d'], format: [format] },
      });
    responses[`${UNLOCODE} waits`] = await reads.waits({ path, query: { format: ['csv'] } });
    responses[`${UNLOCODE} snapshot`] = await reads.snapshot({ path });
    responses[`${UNLOCODE} dwell`] = await reads.dwell({ path, query: { window: ['30d'] } });
    responses[`${UNLOCODE} alerts`] = await reads.alerts({ path });
  }
  for (const code of codes)
    for (const format of ['json', 'csv'])
      responses[`${code} imports ${format}`] = await reads.hsImports({
        path: { code },
        query: { format: [format] },
      });
  return responses;
}
