/** The target of a request: its route, with the function and the authorizer of that route. */
import type { Invoke } from '../functions/functions.ts';
import { StartError } from '../start-error.ts';
import type { RouteModel, ServiceModel } from '../template/model.ts';
import { type CachedAuthorizer, createCachedAuthorizer } from './authorizer.ts';
import { GatewayError } from './gateway-responses.ts';

// Finds the route of a request: literal segments before parameters, exactly as many as the path has.

interface RouteMatch {
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

interface Target {
  readonly route: RouteModel;
  /** Rejects with INTEGRATION_TIMEOUT when the function takes longer than the gateway waits. */
  readonly invoke: Invoke;
  readonly authorizer: CachedAuthorizer | undefined;
  /** In lower case; empty without an authorizer. */
  readonly identityHeader: string;
}

export interface FoundTarget {
  readonly target: Target;
  /** As sent, percent-encoded; null when the path has none. */
  readonly pathParameters: Readonly<Record<string, string>> | null;
}

export interface TargetOptions {
  readonly model: Pick<ServiceModel, 'routes' | 'functions'>;
  /** The function with an ARN. */
  readonly invoke: (functionArn: string) => Invoke;
  /** Epoch milliseconds, the machine's clock. */
  readonly now: () => number;
  /** Gets one line for each failure behind the gateway. */
  readonly report: (line: string) => void;
}

function within(limitMs: number, invoke: Invoke): Invoke {
  return (event) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new GatewayError('INTEGRATION_TIMEOUT')), limitMs);
      invoke(event)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
}

/** The target of a method and a raw path; undefined without a route. */
export type FindTarget = (method: string, path: string) => FoundTarget | undefined;

/** Throws `StartError` at unsupported routes. */
export function createTargets({ model, invoke, now, report }: TargetOptions): FindTarget {
  const authorizers = new Map<RouteModel['authorizer'], CachedAuthorizer>();
  const authorizerOf = ({ authorizer }: RouteModel): CachedAuthorizer | undefined => {
    if (authorizer === undefined) return undefined;
    const known = authorizers.get(authorizer);
    if (known) return known;
    const made = createCachedAuthorizer(authorizer, invoke(authorizer.functionArn), now, report);
    authorizers.set(authorizer, made);
    return made;
  };
  /** A function with a shorter time-out reports it itself. */
  const boundedInvoke = ({ functionArn, integrationTimeoutMs }: RouteModel): Invoke => {
    const functionLimitMs = model.functions.get(functionArn)?.timeoutMs ?? Number.POSITIVE_INFINITY;
    const call = invoke(functionArn);
    return functionLimitMs < integrationTimeoutMs ? call : within(integrationTimeoutMs, call);
  };
  const match = createRouter(model.routes);
  const targets = new Map(
    model.routes.map((route): [RouteModel, Target] => {
      const identityHeader = route.authorizer?.identityHeader.toLowerCase() ?? '';
      return [
        route,
        { route, invoke: boundedInvoke(route), authorizer: authorizerOf(route), identityHeader },
      ];
    }),
  );
  return (method, path) => {
    const found = match(method, path);
    const target = found && targets.get(found.route);
    return target && { target, pathParameters: found.pathParameters };
  };
}
