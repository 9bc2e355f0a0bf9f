/** API Gateway on one machine: what the template declares of it, in the order and with the errors of API Gateway. */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import { FunctionTimeout, type Invoke, within } from '../functions/functions.ts';
import type { ControlPlane } from '../keys/control-plane.ts';
import { errorText } from '../start-error.ts';
import type { AuthorizerModel, ServiceModel } from '../template/service-model.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from '../template/template.ts';
import { type Authorize, createAuthorizer, type Grant } from './authorizer.ts';
import { type FunctionResponse, readFunctionResponse, type SentHeader } from './function-response.ts';
import { createGatewayResponses, GatewayError } from './gateway-responses.ts';
import { proxyEvent, type ReceivedRequest, receive } from './proxy-event.ts';
import { createRouter } from './router.ts';
import type { UsagePlans } from './usage-plans.ts';

export interface GatewayOptions {
  readonly model: Pick<ServiceModel, 'apiId' | 'stage' | 'routes' | 'gatewayResponses'>;
  readonly controlPlane: ControlPlane;
  readonly usagePlans: UsagePlans;
  readonly invoke: (functionArn: string) => Invoke;
  /** Epoch milliseconds, the machine's clock. */
  readonly now: () => number;
  /** Gets one line for each failure behind the gateway. */
  readonly report: (line: string) => void;
}

/** Finds the route of a request, with its function and its authorizer. Routes with one authorizer share its cache. */
function createTargets({ model, invoke, now, report }: GatewayOptions) {
  const authorizers = new Map<AuthorizerModel, Authorize>();
  for (const { authorizer } of model.routes)
    if (authorizer !== undefined && !authorizers.has(authorizer))
      authorizers.set(authorizer, createAuthorizer(authorizer, invoke(authorizer.functionArn), now, report));
  return createRouter(
    model.routes.map(({ authorizer, ...route }) => ({
      ...route,
      call: invoke(route.functionArn),
      authorize: authorizer && authorizers.get(authorizer),
    })),
  );
}

/** Takes a request through the gateway; rejects with `GatewayError`, `FunctionTimeout` or what the function threw. */
function createRequestHandler(options: GatewayOptions) {
  const { model, controlPlane, usagePlans, now, report } = options;
  const arnPrefix = `arn:aws:execute-api:${LOCAL_REGION}:${LOCAL_ACCOUNT}:${model.apiId}/${model.stage}/`;
  const findTarget = createTargets(options);

  /** The key and plan that the request counts against; throws INVALID_API_KEY for a key that may not call. */
  const findUsage = (grant: Grant | undefined) => {
    const usageKey = grant?.usageIdentifierKey;
    const key = usageKey === undefined ? undefined : controlPlane.findKey(usageKey);
    const plan = key?.enabled ? controlPlane.planOf(key, model.apiId, model.stage) : undefined;
    if (!key || !plan) throw new GatewayError('INVALID_API_KEY', grant?.context);
    return { key, plan };
  };

  return async (request: ReceivedRequest): Promise<FunctionResponse> => {
    const found = findTarget(request.method, request.path);
    if (!found) throw new GatewayError('MISSING_AUTHENTICATION_TOKEN');
    const { apiKeyRequired, authorize, call, integrationTimeoutMs, method, path } = found.route;
    const methodArn = `${arnPrefix}${request.method}${request.path}`;
    const grant = await authorize?.(request, methodArn, () => proxyEvent(model, found, request));
    const caller = apiKeyRequired ? findUsage(grant) : undefined;
    const admission = caller && usagePlans.admit(caller.plan, caller.key.id, now());
    if (admission === 'throttled') throw new GatewayError('THROTTLED', grant?.context);

    const event = proxyEvent(model, found, request, grant?.context, caller?.key);
    const late = () => new GatewayError('INTEGRATION_TIMEOUT');
    const result = await within(integrationTimeoutMs, () => call(event), late);
    const response = readFunctionResponse(result);
    if (!response) {
      report(`${method} ${path}: malformed response of the function`);
      throw new GatewayError('INTEGRATION_FAILURE', grant?.context);
    }
    // AWS refuses before it calls the function. Here the function's 403 comes first, because a new month does not lift it.
    if (admission === 'exhausted' && response.status !== 403)
      throw new GatewayError('QUOTA_EXCEEDED', grant?.context);
    if (caller && response.status === 429) usagePlans.giveBack(caller.plan, caller.key.id);
    return response;
  };
}

export interface Gateway {
  readonly listener: RequestListener;
  /** The whole response, as bytes on the wire, to an unreadable request, or to a method that the server does not know. */
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

/** Sends the responses of one turn of the event loop together: a client on the same machine then wakes up once, which costs more than writing. */
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
  const gatewayResponse = createGatewayResponses(model.gatewayResponses);
  const handle = createRequestHandler(options);
  const sendBatched = createBatchedSender();

  const responseTo = ({ requestId, method, path }: ReceivedRequest, thrown: unknown): FunctionResponse => {
    if (thrown instanceof GatewayError)
      return gatewayResponse(thrown.type, { requestId, authorizer: thrown.authorizer });
    const what = thrown instanceof FunctionTimeout ? '' : 'the function failed: ';
    report(`${method} ${path}: ${what}${errorText(thrown)}`);
    return gatewayResponse('INTEGRATION_FAILURE', { requestId });
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
        }),
      ),
  };
}
