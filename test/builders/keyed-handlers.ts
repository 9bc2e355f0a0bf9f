/** The handler of every keyed operation over tables of a test, wired as `lambdas/endpoints/keyed-handler.ts` wires them. */

import { createLimiter, createTokenBuckets } from '../../core/access/limiter.ts';
import { OPERATION_IDS, type OperationId, ROUTES } from '../../core/contracts/routes.ts';
import {
  type ChainDependencies,
  createHandler,
  type GatewayHandler,
  type RequestHandler,
  type RequestRecord,
} from '../../core/http/chain.ts';
import type { Clock } from '../../core/reference/time.ts';
import { StoreFailure, type Table } from '../../core/store/table.ts';
import type { TableId } from '../../core/store/tables.ts';
import { ENDPOINTS } from '../../lambdas/endpoints/endpoints.ts';

/** The tables that the endpoints read. */
const READ_TABLES = [
  ...new Set(Object.values(ENDPOINTS).flatMap(({ tables }) => Object.keys(tables) as TableId[])),
];
export const HANDLER_TABLES: readonly TableId[] = [...READ_TABLES, 'rateLimits'];

export type Tables = Readonly<Record<TableId, Table>>;
export type KeyedOperation = Exclude<OperationId, 'health'>;
export const KEYED_OPERATIONS = OPERATION_IDS.filter((id): id is KeyedOperation => id !== 'health');
type ByOperation<O extends OperationId> = { readonly [I in O]: RequestHandler<(typeof ROUTES)[I]> };

/** Every operation without the chain around it. Tables that no endpoint reads may be missing. */
export function endpointsOver(
  tables: Readonly<Partial<Tables>>,
  now: Clock,
  context: { readonly replays?: boolean } = {},
): ByOperation<OperationId> {
  const entries = OPERATION_IDS.map((id) => [
    id,
    ENDPOINTS[id].create(tables as Tables, { now, region: 'local', ...context }),
  ]);
  return Object.fromEntries(entries);
}

/** The same behind the chain. */
export function handlersBehind(
  endpoints: ByOperation<OperationId>,
  dependencies: ChainDependencies,
): Readonly<Record<OperationId, GatewayHandler>> {
  const entries = OPERATION_IDS.map((id) => [
    id,
    createHandler(
      id,
      ROUTES[id],
      endpoints[id] as RequestHandler<(typeof ROUTES)[OperationId]>,
      dependencies,
    ),
  ]);
  return Object.fromEntries(entries);
}

export interface HandlerOptions {
  readonly now: Clock;
  /** Where requests are noted. */
  readonly records?: RequestRecord[];
}

/** The same with a limiter on `tables.rateLimits` and the wall clock. */
export function handlersOver(
  tables: Readonly<Partial<Tables>> & { readonly rateLimits: Table },
  { now, records = [] }: HandlerOptions,
): Readonly<Record<OperationId, GatewayHandler>> {
  return handlersBehind(endpointsOver(tables, now), {
    limiter: createLimiter({
      buckets: createTokenBuckets(tables.rateLimits),
      now: Date.now,
      onFailure: () => {},
    }),
    telemetry: { request: (record) => records.push(record), limiterFailure: () => {} },
    outages: [StoreFailure],
    corsOrigins: new Set(),
    now,
    stopwatch: () => performance.now(),
  });
}
