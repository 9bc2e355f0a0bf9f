/** Paths of the operations, from the contract. The build replaces the route list by its paths. */
import { OPERATION_IDS, type OperationId, ROUTES } from '../core/contracts/routes.ts';

export type Operation = OperationId;

/** Preferred path of every operation. */
export const PATHS = Object.fromEntries(OPERATION_IDS.map((id) => [id, ROUTES[id].paths[0]])) as Readonly<
  Record<Operation, string>
>;

/** The path with `subject` in the place of its parameter, and those of `query` that are given. */
export function makePath(
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
