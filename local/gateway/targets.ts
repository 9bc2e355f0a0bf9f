/** Finds the target of a request: its route, with the function and the authorizer of that route. */
import type { Invoke } from '../functions/functions.ts';
import { StartError } from '../start-error.ts';
import type { RouteModel, ServiceModel } from '../template/service-model.ts';
import { type Authorize, createAuthorizer } from './authorizer.ts';
import { GatewayError } from './gateway-responses.ts';

interface RouteMatch<R> {
  readonly route: R;
  /** As sent, percent-encoded, as in REST APIs; null when the path has none. */
  readonly pathParameters: Readonly<Record<string, string>> | null;
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

/** A route with what it calls. */
interface Target extends Omit<RouteModel, 'authorizer'> {
  /** Rejects with INTEGRATION_TIMEOUT when the function takes longer than the gateway waits. */
  readonly invoke: Invoke;
  readonly authorize: Authorize | undefined;
}

export type FoundTarget = RouteMatch<Target>;

export interface TargetOptions {
  readonly model: Pick<ServiceModel, 'routes' | 'functions'>;
  /** The function with an ARN. */
  readonly invoke: (functionArn: string) => Invoke;
  /** Epoch milliseconds, the machine's clock. */
  readonly now: () => number;
  /** Gets one line for each failure behind the gateway. */
  readonly report: (line: string) => void;
}

const within =
  (limitMs: number, invoke: Invoke): Invoke =>
  (event) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new GatewayError('INTEGRATION_TIMEOUT')), limitMs);
      invoke(event)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });

/** Finds the target of a method and a raw path. Throws `StartError` at unsupported routes. */
export function createTargets({ model, invoke, now, report }: TargetOptions) {
  const authorizers = new Map(
    model.routes.flatMap(({ authorizer }) =>
      authorizer === undefined
        ? []
        : [[authorizer, createAuthorizer(authorizer, invoke(authorizer.functionArn), now, report)] as const],
    ),
  );
  const targets = model.routes.map(({ authorizer, ...route }): Target => {
    const call = invoke(route.functionArn);
    // A function with a shorter time-out reports it itself.
    const isBounded = (model.functions.get(route.functionArn)?.timeoutMs ?? 0) < route.integrationTimeoutMs;
    return {
      ...route,
      invoke: isBounded ? call : within(route.integrationTimeoutMs, call),
      authorize: authorizer && authorizers.get(authorizer),
    };
  });
  return createRouter(targets);
}
