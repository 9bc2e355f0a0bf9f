/** Finds the route of a request. */
import { StartError } from '../start-error.ts';

export interface RouteMatch<R> {
  readonly route: R;
  /** As sent, percent-encoded, as in REST APIs; null when the path has none. */
  readonly pathParameters: Record<string, string> | null;
}

/**
 * A matcher of raw paths, without their query. The path is compared as sent, so an encoded slash stays inside its
 * segment. One trailing slash is ignored, as REST APIs do; the function sees it in the event's `path`. An empty segment is
 * never a parameter's value. Literal segments take precedence over parameters.
 */
export function createRouter<R extends { readonly method: string; readonly path: string }>(
  routes: readonly R[],
): (method: string, path: string) => RouteMatch<R> | undefined {
  // The brace of a parameter sorts after every letter of a literal segment.
  const patterns = routes
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map((route) => ({
      route,
      segments: route.path.split('/').map((segment) => {
        const name = /^\{(\w+)\}$/.exec(segment)?.[1];
        if (name === undefined && /[{}]/.test(segment))
          throw new StartError(`path ${route.path}: segment ${segment} is not supported`);
        return { literal: segment, name };
      }),
    }));
  return (method, rawPath) => {
    const sent = (rawPath.length > 1 ? rawPath.replace(/\/$/, '') : rawPath).split('/');
    const found = patterns.find(
      ({ route, segments }) =>
        route.method === method &&
        segments.length === sent.length &&
        segments.every(({ literal, name }, at) =>
          name === undefined ? sent[at] === literal : sent[at] !== '',
        ),
    );
    if (found === undefined) return undefined;
    const values = found.segments.flatMap(({ name }, at) =>
      name === undefined ? [] : [[name, sent[at] ?? ''] as const],
    );
    return { route: found.route, pathParameters: values.length === 0 ? null : Object.fromEntries(values) };
  };
}
