/** What a new version of a function behind the gateway is asked before requests reach it, and what is wrong with its answer. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { encodeContext, type KeyContext, type KeyPrefix, keyDigest } from '../../core/access/keys.ts';
import { errorEnvelope } from '../../core/contracts/errors.ts';
import { PLANS } from '../../core/contracts/plans.ts';
import { exampleRequest, type Route } from '../../core/contracts/route.ts';
import { CACHEABLE, HEADERS, JSON_TYPE, KEY_HEADER, NOT_CACHEABLE } from '../../core/contracts/wire.ts';

/** The key that the authorizer would have passed on: of a plan that includes every endpoint, with a bucket of its own. */
const KNOWN_KEY: KeyContext = {
  digest: keyDigest('version-check'),
  state: 'active',
  tier: 'pro',
  limits: PLANS.pro,
};

export interface EndpointQuestion {
  readonly route: Route;
  /** A port that the stage has figures of; undefined where it has none yet. */
  readonly port?: string | undefined;
  readonly query?: Readonly<Record<string, string>>;
}

/** A request of the example of the contract as the gateway passes it on. */
export function endpointEvent({ route, port, query = {} }: EndpointQuestion, now: number) {
  const values: Readonly<Record<string, string>> = port === undefined ? {} : { UNLOCODE: port };
  const [path = '', required] = exampleRequest(route, values).split('?');
  const parameters = { ...Object.fromEntries(new URLSearchParams(required)), ...query };
  return {
    httpMethod: 'GET',
    resource: route.paths[0],
    path,
    pathParameters: Object.fromEntries(
      Object.entries(route.path).map(([name, { example }]) => [name, values[name] ?? example]),
    ),
    queryStringParameters: parameters,
    multiValueQueryStringParameters: Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [name, [value]]),
    ),
    headers: {},
    multiValueHeaders: {},
    body: null,
    isBase64Encoded: false,
    requestContext: {
      requestId: randomUUID(),
      ...(route.authenticated && { authorizer: encodeContext(KNOWN_KEY, now) }),
    },
  };
}

const proxyResult = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.union([z.string(), z.number()])),
  body: z.string(),
});

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether `body` has the fields of `schema` and no other: a schema takes away what it does not know. */
function fits(schema: z.core.$ZodType, body: unknown): boolean {
  const read = z.safeParse(schema, body);
  return read.success && isDeepStrictEqual(read.data, body);
}

/** What is wrong with the answer to an event; undefined when it is what the contract promises. */
export function endpointFault(
  { route, port }: EndpointQuestion,
  requestId: string,
  answer: unknown,
): string | undefined {
  const read = z.safeParse(proxyResult, answer);
  if (!read.success) return `no response: ${JSON.stringify(answer)?.slice(0, 200)}`;
  const { statusCode, headers, body: text } = read.data;
  const body = json(text);
  const has = (name: string, value: string): boolean => headers[name] === value;
  if (!has(HEADERS.requestId, requestId)) return `${HEADERS.requestId} is ${headers[HEADERS.requestId]}`;
  // A stage without figures has no port to ask for.
  if (statusCode === 404 && port === undefined && 'UNLOCODE' in route.path)
    return fits(errorEnvelope, body) ? undefined : 'a 404 without the error envelope';
  if (statusCode !== 200) return `status ${statusCode}: ${text.slice(0, 200)}`;
  if (!fits(route.response, body)) return `the body is not of the contract: ${text.slice(0, 200)}`;
  if (!has(HEADERS.contentType, JSON_TYPE))
    return `${HEADERS.contentType} is ${headers[HEADERS.contentType]}`;
  const caching = route.authenticated && route.isCacheable?.(body) !== false ? CACHEABLE : NOT_CACHEABLE;
  if (!has(HEADERS.cacheControl, caching)) return `${HEADERS.cacheControl} is not ${caching}`;
  const missing = [HEADERS.etag, HEADERS.rateLimitLimit].filter((name) => headers[name] === undefined);
  return route.authenticated && missing.length > 0 ? `without ${missing.join(' and ')}` : undefined;
}

/** The event by which the gateway asks an authorizer about a request with `key`. */
export const authorizerEvent = (key: string) => ({
  type: 'REQUEST',
  methodArn: 'arn:aws:execute-api:region:account:check/stage/GET/v1/ports',
  headers: { [KEY_HEADER]: key },
  multiValueHeaders: { [KEY_HEADER]: [key] },
});

/** A well-formed key that was never issued. */
export const unknownKey = (prefix: KeyPrefix): string => `${prefix}_${'0'.repeat(36)}`;

const decision = z.object({
  principalId: z.string().check(z.minLength(1)),
  policyDocument: z.object({ Statement: z.array(z.object({ Effect: z.string() })).check(z.length(1)) }),
});

/** What is wrong with the decision of the authorizer; undefined when it is the expected one. */
export function authorizerFault(expected: 'Allow' | 'Deny', answer: unknown): string | undefined {
  const read = z.safeParse(decision, answer);
  const effect = read.data?.policyDocument.Statement[0]?.Effect;
  return effect === expected ? undefined : `${effect ?? 'no decision'} instead of ${expected}`;
}
