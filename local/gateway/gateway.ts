/**
 * API Gateway on one machine: routes, authorizer, key check, native limits, proxy integration and gateway responses,
 * in the order and with the faults of the real one, as the template declares them.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { FunctionTimeout, type Invoke } from '../functions/functions.ts';
import type { ApiKey, ControlPlane, UsagePlan } from '../keys/control-plane.ts';
import { faultText } from '../start-fault.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from '../template/intrinsics.ts';
import type { RouteModel, ServiceModel } from '../template/model.ts';
import { type Authorizer, createAuthorizer } from './authorizer.ts';
import { type FunctionAnswer, readAnswer } from './function-answer.ts';
import {
  createGatewayResponses,
  type GatewayContext,
  type GatewayResponseType,
} from './gateway-responses.ts';
import { proxyEvent, type ReceivedRequest, receive } from './proxy-event.ts';
import { createRouter } from './routes.ts';
import type { UsagePlans } from './usage-plans.ts';

export interface GatewayOptions {
  readonly model: Pick<ServiceModel, 'apiId' | 'stage' | 'routes' | 'gatewayResponses' | 'functions'>;
  /** The function behind an ARN. */
  readonly invoke: (functionArn: string) => Invoke;
  readonly controlPlane: ControlPlane;
  readonly usagePlans: UsagePlans;
  /** Epoch milliseconds, the machine's clock. */
  readonly now: () => number;
  /** Told, in one line, of what fails behind the gateway. */
  readonly report: (line: string) => void;
}

export interface Gateway {
  readonly listener: RequestListener;
  /** The whole response, as bytes on the wire, to what could not be read as a request. */
  unreadable(): string;
}

interface Prepared {
  readonly route: RouteModel;
  readonly invoke: Invoke;
  readonly authorizer: Authorizer | undefined;
  readonly identityHeader: string;
}

interface Caller {
  readonly key: ApiKey;
  readonly plan: UsagePlan;
}

/** A fault of the gateway's own, answered with a gateway response. */
class Refused extends Error {
  constructor(
    readonly type: GatewayResponseType,
    readonly authorizer?: Readonly<Record<string, unknown>>,
  ) {
    super(type);
  }
}

/** Rejects with INTEGRATION_TIMEOUT when the function takes longer than the gateway waits. */
function within(limitMs: number, invoke: Invoke): Invoke {
  return (event) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Refused('INTEGRATION_TIMEOUT')), limitMs);
      invoke(event)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
}

/** A 304 or 204 has no body, an answer to HEAD has its headers only. Bodies of HEAD that were left out have no length. */
function send(response: ServerResponse, head: boolean, { status, headers, body }: FunctionAnswer): void {
  const bodiless = status === 304 || status === 204;
  const sized =
    bodiless || (head && body === '') ? headers : { ...headers, 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(status, sized);
  response.end(bodiless || head ? undefined : body);
}

/** Throws `StartFault` at routes and gateway responses that are not understood. */
export function createGateway(options: GatewayOptions): Gateway {
  const { model, controlPlane, usagePlans, now, report } = options;
  const match = createRouter(model.routes);
  const gatewayResponse = createGatewayResponses(model.gatewayResponses);
  const arnPrefix = `arn:aws:execute-api:${LOCAL_REGION}:${LOCAL_ACCOUNT}:${model.apiId}/${model.stage}/`;
  const authorizers = new Map<RouteModel['authorizer'], Authorizer>();
  const prepared = new Map<RouteModel, Prepared>();
  for (const route of model.routes) {
    const { authorizer } = route;
    if (authorizer && !authorizers.has(authorizer))
      authorizers.set(
        authorizer,
        createAuthorizer(authorizer, options.invoke(authorizer.functionArn), now, report),
      );
    const invoke = options.invoke(route.functionArn);
    const functionLimitMs = model.functions.get(route.functionArn)?.timeoutMs ?? Number.POSITIVE_INFINITY;
    const limitMs = route.integrationTimeoutMs;
    prepared.set(route, {
      route,
      invoke: functionLimitMs < limitMs ? invoke : within(limitMs, invoke),
      authorizer: authorizers.get(authorizer),
      identityHeader: authorizer?.identityHeader.toLowerCase() ?? '',
    });
  }

  /** The key and plan that the request counts against; throws INVALID_API_KEY for one that may not call. */
  const callerOf = (usageIdentifierKey: string | undefined, context: Refused['authorizer']): Caller => {
    const key = usageIdentifierKey === undefined ? undefined : controlPlane.findKey(usageIdentifierKey);
    const plan = key?.enabled ? controlPlane.planOf(key, model.apiId, model.stage) : undefined;
    if (!key || !plan) throw new Refused('INVALID_API_KEY', context);
    return { key, plan };
  };

  const answerOf = async (request: ReceivedRequest): Promise<FunctionAnswer> => {
    const found = match(request.method, request.path);
    const target = found && prepared.get(found.route);
    if (!found || !target) throw new Refused('MISSING_AUTHENTICATION_TOKEN');
    const { route, authorizer } = target;
    const eventOf = (context: Refused['authorizer'], key?: ApiKey): object =>
      proxyEvent(
        model,
        route,
        found.pathParameters,
        request,
        context,
        key && { apiKey: key.value, apiKeyId: key.id },
      );

    let context: Refused['authorizer'];
    let usageIdentifierKey: string | undefined;
    if (authorizer) {
      const identity = request.multiValueHeaders[request.spelling.get(target.identityHeader) ?? ''] ?? [];
      const methodArn = `${arnPrefix}${request.method}${request.path}`;
      const { refusal, grant } = await authorizer.authorize({
        identity,
        methodArn,
        event: () => eventOf(undefined),
      });
      context = grant?.context;
      usageIdentifierKey = grant?.usageIdentifierKey;
      if (refusal) throw new Refused(refusal, context);
    }

    const caller = route.apiKeyRequired ? callerOf(usageIdentifierKey, context) : undefined;
    if (caller) {
      const admission = usagePlans.admit(caller.plan, caller.key.id, now());
      if (admission === 'throttled') throw new Refused('THROTTLED', context);
      if (admission === 'exhausted') throw new Refused('QUOTA_EXCEEDED', context);
    }

    const answer = readAnswer(await target.invoke(eventOf(context, caller?.key)));
    if (!answer) {
      report(`${route.method} ${route.path}: malformed answer of the function`);
      throw new Refused('INTEGRATION_FAILURE', context);
    }
    if (caller && answer.status === 429) usagePlans.giveBack(caller.plan, caller.key.id);
    return answer;
  };

  const contextOf = (request: ReceivedRequest, authorizer: Refused['authorizer']): GatewayContext => ({
    requestId: request.requestId,
    httpMethod: request.method,
    path: `/${model.stage}${request.path}`,
    resourcePath: match(request.method, request.path)?.route.path ?? request.path,
    stage: model.stage,
    apiId: model.apiId,
    requestTimeEpoch: request.receivedAt,
    sourceIp: request.sourceIp,
    authorizer,
  });

  /** The gateway response to whatever `answerOf` threw. */
  const faultAnswer = (request: ReceivedRequest, thrown: unknown): FunctionAnswer => {
    if (thrown instanceof Refused) return gatewayResponse(thrown.type, contextOf(request, thrown.authorizer));
    const what = thrown instanceof FunctionTimeout ? '' : 'the function failed: ';
    report(`${request.method} ${request.path}: ${what}${faultText(thrown)}`);
    return gatewayResponse('INTEGRATION_FAILURE', contextOf(request, undefined));
  };

  const listener = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    // No endpoint reads a body; one that is sent is let run out, so that the connection can be used again.
    message.resume();
    const request = receive(message, randomUUID(), now());
    let answer: FunctionAnswer;
    try {
      answer = await answerOf(request);
    } catch (thrown) {
      answer = faultAnswer(request, thrown);
    }
    if (!response.destroyed) send(response, request.method === 'HEAD', answer);
  };

  return {
    listener,
    unreadable() {
      const { status, headers, body } = gatewayResponse('BAD_REQUEST_PARAMETERS', {
        requestId: randomUUID(),
        httpMethod: '',
        path: '',
        resourcePath: '',
        stage: model.stage,
        apiId: model.apiId,
        requestTimeEpoch: now(),
        sourceIp: '',
        authorizer: undefined,
      });
      const lines = Object.entries({
        ...headers,
        'Content-Length': Buffer.byteLength(body),
        Connection: 'close',
      });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      return `HTTP/1.1 ${status} Bad Request\r\n${head}\r\n${body}`;
    },
  };
}
