/** One request through the gateway: route, authorizer, key, native limits, function, in this order. */
import type { ApiKey, ControlPlane, UsagePlan } from '../keys/control-plane.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from '../template/intrinsics.ts';
import type { ServiceModel } from '../template/model.ts';
import type { Grant } from './access-policy.ts';
import { type FunctionResponse, readFunctionResponse } from './function-response.ts';
import { type AuthorizerContext, GatewayError } from './gateway-responses.ts';
import { proxyEvent, type ReceivedRequest } from './proxy-event.ts';
import type { FindTarget, FoundTarget, TargetOptions } from './targets.ts';
import type { UsagePlans } from './usage-plans.ts';

export interface RequestHandlerOptions extends Pick<TargetOptions, 'now' | 'report'> {
  readonly model: Pick<ServiceModel, 'apiId' | 'stage'>;
  readonly findTarget: FindTarget;
  readonly controlPlane: ControlPlane;
  readonly usagePlans: UsagePlans;
}

interface Caller {
  readonly key: ApiKey;
  readonly plan: UsagePlan;
}

/** The function's response. Rejects with `GatewayError`, `FunctionTimeout` or what the function threw. */
export type RequestHandler = (request: ReceivedRequest) => Promise<FunctionResponse>;

export function createRequestHandler(options: RequestHandlerOptions): RequestHandler {
  const { model, findTarget, controlPlane, usagePlans, now, report } = options;
  const arnPrefix = `arn:aws:execute-api:${LOCAL_REGION}:${LOCAL_ACCOUNT}:${model.apiId}/${model.stage}/`;

  /** The authorizer's grant; undefined where the route has no authorizer. */
  const grantOf = async (found: FoundTarget, request: ReceivedRequest): Promise<Grant | undefined> => {
    const { authorizer, identityHeader } = found.target;
    if (authorizer === undefined) return undefined;
    const identity = request.multiValueHeaders[request.spelling.get(identityHeader) ?? ''] ?? [];
    const methodArn = `${arnPrefix}${request.method}${request.path}`;
    const event = (): object => proxyEvent(model, found, request, undefined, undefined);
    const { refusal, grant } = await authorizer.authorize({ identity, methodArn, event });
    if (refusal) throw new GatewayError(refusal, grant?.context);
    return grant;
  };

  /** The key and plan that the request counts against; throws INVALID_API_KEY for a key that may not call. */
  const callerOf = (grant: Grant | undefined): Caller => {
    const usageKey = grant?.usageIdentifierKey;
    const key = usageKey === undefined ? undefined : controlPlane.findKey(usageKey);
    const plan = key?.enabled ? controlPlane.planOf(key, model.apiId, model.stage) : undefined;
    if (!key || !plan) throw new GatewayError('INVALID_API_KEY', grant?.context);
    return { key, plan };
  };

  /** Whether the quota of the month is used up; throws THROTTLED. */
  const isExhausted = ({ key, plan }: Caller, context: AuthorizerContext | undefined): boolean => {
    const admission = usagePlans.admit(plan, key.id, now());
    if (admission === 'throttled') throw new GatewayError('THROTTLED', context);
    return admission === 'exhausted';
  };

  return async (request) => {
    const found = findTarget(request.method, request.path);
    if (!found) throw new GatewayError('MISSING_AUTHENTICATION_TOKEN');
    const { route, invoke } = found.target;
    const grant = await grantOf(found, request);
    const caller = route.apiKeyRequired ? callerOf(grant) : undefined;
    const exhausted = caller !== undefined && isExhausted(caller, grant?.context);

    const result = await invoke(proxyEvent(model, found, request, grant?.context, caller?.key));
    const response = readFunctionResponse(result);
    if (!response) {
      report(`${route.method} ${route.path}: malformed response of the function`);
      throw new GatewayError('INTEGRATION_FAILURE', grant?.context);
    }
    // AWS refuses before it calls the function. Here the function's 403 comes first, because a new month does not lift it.
    if (exhausted && response.status !== 403) throw new GatewayError('QUOTA_EXCEEDED', grant?.context);
    if (caller && response.status === 429) usagePlans.giveBack(caller.plan, caller.key.id);
    return response;
  };
}
