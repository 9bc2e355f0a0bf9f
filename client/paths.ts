/** Paths of the operations. The compiler holds each against the contract: another path does not compile. */
import type { OperationId, ROUTES } from '../core/contracts/routes.ts';

export type Operation = OperationId;
type Preferred = { readonly [O in OperationId]: (typeof ROUTES)[O]['paths'][0] };

export const PATHS = {
  health: '/v1/health',
  sources: '/v1/meta/sources',
  ports: '/v1/ports',
  trend: '/v1/ports/{UNLOCODE}/trend',
  snapshot: '/v1/ports/{UNLOCODE}/snapshot',
  dwell: '/v1/ports/{UNLOCODE}/dwell',
  alerts: '/v1/ports/{UNLOCODE}/alerts',
  hsImports: '/v1/hs/{code}/imports',
} as const satisfies Preferred;

/** The path with `subject` in the place of its parameter, and those of `query` that are given. */
export function pathOf(
  operation: Operation,
  subject: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const path = PATHS[operation].replace(/\{\w+\}/, () => encodeURIComponent(subject));
  const given = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return given.length === 0 ? path : `${path}?${given.join('&')}`;
}
