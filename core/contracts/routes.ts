/**
 * The endpoint list. Methods, local routes, documentation and client are all made from it. Each entry stands with the
 * record that it answers, so that a function carries its own endpoint's contract and no other.
 */
import type * as z from 'zod/mini';
import { alertsRoute } from './alerts.ts';
import { dwellRoute } from './dwell.ts';
import { healthRoute } from './health.ts';
import { hsImportsRoute } from './hs-imports.ts';
import type { OperationId } from './operations.ts';
import type { Parameter } from './parameters.ts';
import { portsRoute } from './ports.ts';
import type { Route } from './route.ts';
import { snapshotRoute } from './snapshot.ts';
import { sourcesRoute } from './sources.ts';
import { trendRoute } from './trend.ts';

export { OPERATION_IDS, type OperationId } from './operations.ts';
export type { Deprecation, Route } from './route.ts';

export const ROUTES = {
  health: healthRoute,
  sources: sourcesRoute,
  ports: portsRoute,
  trend: trendRoute,
  snapshot: snapshotRoute,
  dwell: dwellRoute,
  alerts: alertsRoute,
  hsImports: hsImportsRoute,
} as const satisfies Record<OperationId, Route>;

type Values<P> = { readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never };
/** Query parameters without a default may be missing, as far as the type knows. */
type QueryValues<Q> = {
  readonly [K in keyof Q]: Q[K] extends { default: unknown } & Parameter<infer T>
    ? T
    : Q[K] extends Parameter<infer T>
      ? T | undefined
      : never;
};
export type PathOf<O extends OperationId> = Values<(typeof ROUTES)[O]['path']>;
export type QueryOf<O extends OperationId> = QueryValues<(typeof ROUTES)[O]['query']>;
/** The 200 body of an operation, as sent. */
export type ResponseOf<O extends OperationId> = z.output<(typeof ROUTES)[O]['response']>;
