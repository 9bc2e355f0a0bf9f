/**
 * API Gateway on one machine: routes, authorizer, key check, native limits, proxy integration and gateway responses
 * of the template, in the order and with the errors of API Gateway.
 */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import { FunctionTimeout } from '../functions/functions.ts';
import type { ApiKey, ControlPlane, UsagePlan } from '../keys/control-plane.ts';
import { errorText } from '../start-error.ts';
import type { ServiceModel } from '../template/model.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from '../template/template.ts';
import type { Grant } from './authorizer.ts';
import { type FunctionResponse, readFunctionResponse, type SentHeader } from './function-response.ts';
import {
  type AuthorizerContext,
  createGatewayResponses,
  type GatewayContext,
  GatewayError,
} from './gateway-responses.ts';
import { proxyEvent, type ReceivedRequest, receive } from './proxy-event.ts';
import { createTargets, type FindTarget, type FoundTarget, type TargetOptions } from './targets.ts';
import type { UsagePlans } from './usage-plans.ts';

// One request through the gateway: route, authorizer, key, native limits, function, in this order.

interface RequestHandlerOptions extends Pick<TargetOptions, 'now' | 'report'> {
  readonly model: Pick<ServiceModel, 'apiId' | 'stage'>;
  readonly findTarget: FindTarget;
  readonly controlPlane: ControlPlane;
  readonly usagePlans: UsagePlans;
}

interface KeyUsage {
  readonly key: ApiKey;
  readonly plan: UsagePlan;
}

/** The function's response. Rejects with `GatewayError`, `FunctionTimeout` or what the function threw. */
type RequestHandler = (request: ReceivedRequest) => Promise<FunctionResponse>;

function createRequestHandler(options: RequestHandlerOptions): RequestHandler {
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
  const findUsage = (grant: Grant | undefined): KeyUsage => {
    const usageKey = grant?.usageIdentifierKey;
    const key = usageKey === undefined ? undefined : controlPlane.findKey(usageKey);
    const plan = key?.enabled ? controlPlane.planOf(key, model.apiId, model.stage) : undefined;
    if (!key || !plan) throw new GatewayError('INVALID_API_KEY', grant?.context);
    return { key, plan };
  };

  /** Whether the quota of the month is used up; throws THROTTLED. */
  const isExhausted = ({ key, plan }: KeyUsage, context: AuthorizerContext | undefined): boolean => {
    const admission = usagePlans.admit(plan, key.id, now());
    if (admission === 'throttled') throw new GatewayError('THROTTLED', context);
    return admission === 'exhausted';
  };

  return async (request) => {
    const found = findTarget(request.method, request.path);
    if (!found) throw new GatewayError('MISSING_AUTHENTICATION_TOKEN');
    const { route, invoke } = found.target;
    const grant = await grantOf(found, request);
    const caller = route.apiKeyRequired ? findUsage(grant) : undefined;
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

interface GatewayOptions extends TargetOptions, Pick<RequestHandlerOptions, 'controlPlane' | 'usagePlans'> {
  readonly model: Pick<ServiceModel, 'apiId' | 'stage' | 'routes' | 'gatewayResponses' | 'functions'>;
}

export interface Gateway {
  readonly listener: RequestListener;
  /** The whole response, as bytes on the wire, to what is no request, or one of a method that the server does not know. */
  refusal(of: 'unreadable' | 'unknown-method'): string;
}

/** A 304 or 204 has no body, a response to HEAD only headers. The length of the body that GET has is the function's to state. */
function send(response: ServerResponse, head: boolean, result: FunctionResponse): void {
  const { status, headers, body, statedLength } = result;
  const bodiless = status === 304 || status === 204;
  const length = head && body.length === 0 ? statedLength : String(Buffer.byteLength(body));
  const framing: SentHeader[] = bodiless || length === undefined ? [] : [['Content-Length', length]];
  response.writeHead(status, [...headers, ...framing]);
  response.end(bodiless || head ? undefined : body);
}

/**
 * Sends the responses that become ready in one turn of the event loop together, at its end. A client on the same machine
 * then wakes up once for all of them; waking up costs more than writing.
 */
function createBatchedSender(): (send: () => void) => void {
  let waiting: (() => void)[] = [];
  const sendAll = (): void => {
    const ready = waiting;
    waiting = [];
    for (const send of ready) send();
  };
  return (send) => {
    waiting.push(send);
    if (waiting.length === 1) setImmediate(sendAll);
  };
}

/** A response as bytes on the wire, after which the connection ends. */
function rawResponse({ status, headers, body }: FunctionResponse): string {
  const lines = [...headers, ['Content-Length', Buffer.byteLength(body)], ['Connection', 'close']];
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${body}`;
}

/** Throws `StartError` at unsupported routes and gateway responses. */
export function createGateway(options: GatewayOptions): Gateway {
  const { model, now, report } = options;
  const { apiId, stage } = model;
  const gatewayResponse = createGatewayResponses(model.gatewayResponses);
  const findTarget = createTargets(options);
  const handle = createRequestHandler({ ...options, findTarget });
  const sendBatched = createBatchedSender();

  const makeContext = (
    request: ReceivedRequest,
    authorizer: AuthorizerContext | undefined,
  ): GatewayContext => ({
    requestId: request.requestId,
    httpMethod: request.method,
    path: `/${stage}${request.path}`,
    resourcePath: findTarget(request.method, request.path)?.target.route.path ?? request.path,
    stage,
    apiId,
    requestTimeEpoch: request.receivedAt,
    sourceIp: request.sourceIp,
    authorizer,
  });

  /** The gateway response to a request that failed. */
  const responseTo = (request: ReceivedRequest, thrown: unknown): FunctionResponse => {
    if (thrown instanceof GatewayError)
      return gatewayResponse(thrown.type, makeContext(request, thrown.authorizer));
    const what = thrown instanceof FunctionTimeout ? '' : 'the function failed: ';
    report(`${request.method} ${request.path}: ${what}${errorText(thrown)}`);
    return gatewayResponse('INTEGRATION_FAILURE', makeContext(request, undefined));
  };

  return {
    listener: async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
      // No endpoint reads a body; it is drained, so that the connection can be used again.
      message.resume();
      const request = receive(message, randomUUID(), now());
      const result = await handle(request).catch((thrown) => responseTo(request, thrown));
      sendBatched(() => {
        if (!response.destroyed) send(response, request.method === 'HEAD', result);
      });
    },
    refusal: (of) =>
      rawResponse(
        gatewayResponse(of === 'unreadable' ? 'BAD_REQUEST_PARAMETERS' : 'MISSING_AUTHENTICATION_TOKEN', {
          requestId: randomUUID(),
          httpMethod: '',
          path: '',
          resourcePath: '',
          stage,
          apiId,
          requestTimeEpoch: now(),
          sourceIp: '',
          authorizer: undefined,
        }),
      ),
  };
}
