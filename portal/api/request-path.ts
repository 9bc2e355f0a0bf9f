/** Path and query of a request, from the route table. */
import { type OperationId, ROUTES } from '../../core/contracts/routes.ts';

/** `values` by parameter name: that of the path, and those of the query. */
export function requestPath(operation: OperationId, values: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(values);
  const path = ROUTES[operation].paths[0].replace(/\{(\w+)\}/, (_, name: string) => {
    query.delete(name);
    return encodeURIComponent(values[name] ?? '');
  });
  return query.size === 0 ? path : `${path}?${query}`;
}
