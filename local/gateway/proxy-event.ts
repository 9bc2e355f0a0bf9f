/** Builds the event that API Gateway's REST proxy integration passes to a function. */
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ApiKey } from '../keys/control-plane.ts';
import type { RouteModel, ServiceModel } from '../template/service-model.ts';
import { LOCAL_ACCOUNT } from '../template/template.ts';
import type { AuthorizerContext } from './gateway-responses.ts';
import type { RouteMatch } from './router.ts';

type Single = Record<string, string>;
type Multiple = Record<string, string[]>;

export type ReceivedRequest = ReturnType<typeof receive>;

/** Splits a request target. Scheme and host of the absolute form are dropped; a target that is not a path matches no route. */
function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const question = local.indexOf('?');
  return question === -1
    ? { path: local, query: '' }
    : { path: local.slice(0, question), query: local.slice(question + 1) };
}

/** The single value of a repeated name is its last one. */
function addTo(single: Single, multiple: Multiple, name: string, value: string): void {
  single[name] = value;
  const values = multiple[name];
  if (values) values.push(value);
  else multiple[name] = [value];
}

export function receive(message: IncomingMessage, requestId: string, receivedAt: number) {
  // Without a prototype, because a client may name a header or a parameter `constructor`.
  const headers: Single = Object.create(null);
  const multiValueHeaders: Multiple = Object.create(null);
  /** Names as sent, by their lower-case form. */
  const spelling = new Map<string, string>();
  const raw = message.rawHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const sent = raw[index] ?? '';
    const value = raw[index + 1] ?? '';
    const lower = sent.toLowerCase();
    const name = spelling.get(lower) ?? sent;
    if (name === sent) spelling.set(lower, sent);
    addTo(headers, multiValueHeaders, name, value);
  }
  // Both as sent.
  const { path, query } = splitTarget(message.url ?? '/');
  const sourceIp = message.socket.remoteAddress ?? '';
  const method = message.method ?? 'GET';
  return { requestId, receivedAt, method, path, headers, multiValueHeaders, spelling, query, sourceIp };
}

const BROKEN_ESCAPE = /%(?![0-9A-Fa-f]{2})/;

/**
 * Query parameters, decoded; null when there are none. A pair with a broken escape is passed on unchanged, bytes that are not
 * UTF-8 as U+FFFD; the function returns 400 for both.
 */
function parseQuery(query: string): { single: Single | null; multiple: Multiple | null } {
  const single: Single = Object.create(null);
  const multiple: Multiple = Object.create(null);
  const pairs = query
    .split('&')
    .map((pair) => (BROKEN_ESCAPE.test(pair) ? pair.replaceAll('%', '%25') : pair));
  // The first `&` keeps a `?` that begins the query: it belongs to the name of the parameter.
  const parameters = new URLSearchParams(`&${pairs.join('&')}`);
  for (const [name, value] of parameters) addTo(single, multiple, name, value);
  return parameters.size === 0 ? { single: null, multiple: null } : { single, multiple };
}

/** The time in the form of web server logs. */
function requestTime(at: number): string {
  const [, day, month, year, time] =
    /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(at).toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}

/** @param authorizer the context that the authorizer returned; absent from the event without one */
export function proxyEvent(
  api: Pick<ServiceModel, 'apiId' | 'stage'>,
  { route, pathParameters }: RouteMatch<Pick<RouteModel, 'path' | 'resourceId'>>,
  request: ReceivedRequest,
  authorizer?: AuthorizerContext,
  key?: Pick<ApiKey, 'id' | 'value'>,
): APIGatewayProxyEvent {
  const { single, multiple } = parseQuery(request.query);
  return {
    resource: route.path,
    path: request.path,
    httpMethod: request.method,
    headers: request.headers,
    multiValueHeaders: request.multiValueHeaders,
    queryStringParameters: single,
    multiValueQueryStringParameters: multiple,
    pathParameters,
    stageVariables: null,
    requestContext: {
      accountId: LOCAL_ACCOUNT,
      apiId: api.apiId,
      authorizer,
      domainName: '127.0.0.1',
      domainPrefix: '127',
      extendedRequestId: request.requestId,
      httpMethod: request.method,
      identity: {
        accessKey: null,
        accountId: null,
        caller: null,
        clientCert: null,
        cognitoAuthenticationProvider: null,
        cognitoAuthenticationType: null,
        cognitoIdentityId: null,
        cognitoIdentityPoolId: null,
        principalOrgId: null,
        user: null,
        userArn: null,
        apiKey: key?.value ?? null,
        apiKeyId: key?.id ?? null,
        sourceIp: request.sourceIp,
        userAgent: request.headers[request.spelling.get('user-agent') ?? ''] ?? null,
      },
      path: `/${api.stage}${request.path}`,
      protocol: 'HTTP/1.1',
      requestId: request.requestId,
      requestTime: requestTime(request.receivedAt),
      requestTimeEpoch: request.receivedAt,
      resourceId: route.resourceId,
      resourcePath: route.path,
      stage: api.stage,
    },
    body: null,
    isBase64Encoded: false,
  };
}
