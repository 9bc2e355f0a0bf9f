/** The target of a request: its route, with the function and the authorizer of that route. */
import type { Invoke } from '../functions/functions.ts';
import type { RouteModel, ServiceModel } from '../template/model.ts';
import { type Authorizer, createAuthorizer } from './authorizer.ts';
import { GatewayError } from './gateway-responses.ts';
import { createRouter } from './routes.ts';

interface Target {
  readonly route: RouteModel;
  /** Rejects with INTEGRATION_TIMEOUT when the function takes longer than the gateway waits. */
  readonly invoke: Invoke;
  readonly authorizer: Authorizer | undefined;
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
  const authorizers = new Map<RouteModel['authorizer'], Authorizer>();
  const authorizerOf = ({ authorizer }: RouteModel): Authorizer | undefined => {
    if (authorizer === undefined) return undefined;
    const known = authorizers.get(authorizer);
    if (known) return known;
    const made = createAuthorizer(authorizer, invoke(authorizer.functionArn), now, report);
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
