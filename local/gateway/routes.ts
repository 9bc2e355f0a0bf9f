/** Finds the route of a request: literal segments before parameters, exactly as many as the path has. */
import { StartError } from '../start-error.ts';
import type { RouteModel } from '../template/model.ts';

export interface RouteMatch {
  readonly route: RouteModel;
  /** As sent, percent-encoded, as in REST APIs; null when the path has none. */
  readonly pathParameters: Readonly<Record<string, string>> | null;
}

interface Node {
  readonly literals: Map<string, Node>;
  parameter: { readonly name: string; readonly node: Node } | undefined;
  readonly methods: Map<string, RouteModel>;
}

const emptyNode = (): Node => ({ literals: new Map(), parameter: undefined, methods: new Map() });

function add(root: Node, route: RouteModel): void {
  let node = root;
  for (const segment of route.path.split('/').slice(1)) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined && /[{}]/.test(segment))
      throw new StartError(`path ${route.path}: segment ${segment} is not supported`);
    if (name === undefined) {
      const next = node.literals.get(segment) ?? emptyNode();
      node.literals.set(segment, next);
      node = next;
    } else {
      node.parameter ??= { name, node: emptyNode() };
      if (node.parameter.name !== name)
        throw new StartError(
          `path ${route.path}: two names for one parameter, ${name} and ${node.parameter.name}`,
        );
      node = node.parameter.node;
    }
  }
  node.methods.set(route.method, route);
}

/**
 * A matcher of raw paths, without their query. The path is compared as sent, so an encoded slash stays inside its
 * segment. One trailing slash is ignored, as REST APIs do; the function sees it in the event's `path`. An empty segment is
 * never a parameter's value.
 */
export function createRouter(
  routes: readonly RouteModel[],
): (method: string, path: string) => RouteMatch | undefined {
  const root = emptyNode();
  for (const route of routes) add(root, route);

  return (method, rawPath) => {
    const path = rawPath.length > 1 && rawPath.endsWith('/') ? rawPath.slice(0, -1) : rawPath;
    let node = root;
    let pathParameters: Record<string, string> | null = null;
    let from = 1;
    for (;;) {
      const slash = path.indexOf('/', from);
      const segment = slash === -1 ? path.slice(from) : path.slice(from, slash);
      const literal = node.literals.get(segment);
      if (literal) node = literal;
      else if (node.parameter && segment !== '') {
        pathParameters ??= {};
        pathParameters[node.parameter.name] = segment;
        node = node.parameter.node;
      } else return undefined;
      if (slash === -1) break;
      from = slash + 1;
    }
    const route = node.methods.get(method);
    return route && { route, pathParameters };
  };
}
