/** One request's way through the gateway: route, authorizer, key, native limits, function, in this order. */
import type { ApiKey, ControlPlane, UsagePlan } from '../keys/control-plane.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from '../template/intrinsics.ts';
import type { ServiceModel } from '../template/model.ts';
import type { Grant } from './access-policy.ts';
import { type FunctionAnswer, readAnswer } from './function-answer.ts';
import { proxyEvent, type ReceivedRequest } from './proxy-event.ts';
import { type AuthorizerContext, Refused } from './refused.ts';
import type { FindTarget, FoundTarget, TargetParts } from './targets.ts';
import type { UsagePlans } from './usage-plans.ts';

export interface PassageParts extends Pick<TargetParts, 'now' | 'report'> {
  readonly model: Pick<ServiceModel, 'apiId' | 'stage'>;
  readonly findTarget: FindTarget;
  readonly controlPlane: ControlPlane;
  readonly usagePlans: UsagePlans;
}

interface Caller {
  readonly key: ApiKey;
  readonly plan: UsagePlan;
}

/** The answer of the function to a request. Rejects with `Refused`, `FunctionTimeout` or what the function threw. */
export type Passage = (request: ReceivedRequest) => Promise<FunctionAnswer>;

export function createPassage(parts: PassageParts): Passage {
  const { model, findTarget, controlPlane, usagePlans, now, report } = parts;
  const arnPrefix = `arn:aws:execute-api:${LOCAL_REGION}:${LOCAL_ACCOUNT}:${model.apiId}/${model.stage}/`;

  /** What the authorizer grants; undefined where the route has none. */
  const grantOf = async (found: FoundTarget, request: ReceivedRequest): Promise<Grant | undefined> => {
    const { authorizer, identityHeader } = found.target;
    if (authorizer === undefined) return undefined;
    const identity = request.multiValueHeaders[request.spelling.get(identityHeader) ?? ''] ?? [];
    const methodArn = `${arnPrefix}${request.method}${request.path}`;
    const event = (): object => proxyEvent(model, found, request, undefined, undefined);
    const { refusal, grant } = await authorizer.authorize({ identity, methodArn, event });
    if (refusal) throw new Refused(refusal, grant?.context);
    return grant;
  };

  /** The key and plan that the request counts against; throws INVALID_API_KEY for one that may not call. */
  const callerOf = (grant: Grant | undefined): Caller => {
    const usageKey = grant?.usageIdentifierKey;
    const key = usageKey === undefined ? undefined : controlPlane.findKey(usageKey);
    const plan = key?.enabled ? controlPlane.planOf(key, model.apiId, model.stage) : undefined;
    if (!key || !plan) throw new Refused('INVALID_API_KEY', grant?.context);
    return { key, plan };
  };

  const admit = ({ key, plan }: Caller, context: AuthorizerContext | undefined): void => {
    const admission = usagePlans.admit(plan, key.id, now());
    if (admission === 'throttled') throw new Refused('THROTTLED', context);
    if (admission === 'exhausted') throw new Refused('QUOTA_EXCEEDED', context);
  };

  return async (request) => {
    const found = findTarget(request.method, request.path);
    if (!found) throw new Refused('MISSING_AUTHENTICATION_TOKEN');
    const { route, invoke } = found.target;
    const grant = await grantOf(found, request);
    const caller = route.apiKeyRequired ? callerOf(grant) : undefined;
    if (caller) admit(caller, grant?.context);

    const answer = readAnswer(await invoke(proxyEvent(model, found, request, grant?.context, caller?.key)));
    if (!answer) {
      report(`${route.method} ${route.path}: malformed answer of the function`);
      throw new Refused('INTEGRATION_FAILURE', grant?.context);
    }
    if (caller && answer.status === 429) usagePlans.giveBack(caller.plan, caller.key.id);
    return answer;
  };
}
