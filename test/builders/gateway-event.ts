/** The event that the gateway passes to a function, with the fields that a test sets. */
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { encodeContext, type KeyContext } from '../../core/access/keys.ts';

export interface EventParts {
  readonly method?: string;
  readonly resource?: string;
  /** As the client wrote it; that of the resource when undefined. */
  readonly rawPath?: string;
  /** Path parameters. */
  readonly path?: Readonly<Record<string, string>>;
  /** A text stands for itself alone. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly requestId?: string;
  readonly key?: KeyContext | undefined;
}

/** An active key on Starter. */
export const STARTER_KEY: KeyContext = {
  digest: 'ab'.repeat(32),
  state: 'active',
  tier: 'starter',
  limits: { ratePerSecond: 1, burst: 300 },
};

const listsOf = (query: NonNullable<EventParts['query']>) =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat()]));

export function gatewayEvent(parts: EventParts = {}): APIGatewayProxyEvent {
  const { method = 'GET', resource = '/', path, query, headers, requestId, key = STARTER_KEY } = parts;
  return {
    httpMethod: method,
    resource,
    path: parts.rawPath ?? resource.replace(/\{(\w+)\}/g, (_, name) => path?.[name] ?? ''),
    pathParameters: path === undefined ? null : { ...path },
    multiValueQueryStringParameters: query ? listsOf(query) : null,
    multiValueHeaders: { ...headers },
    requestContext: {
      domainName: 'data.example',
      path: `/dev${parts.rawPath ?? resource}`,
      requestId: requestId ?? '3b241101-e2bb-4255-8caf-4136c566a962',
      authorizer: encodeContext(key, 0),
    },
  } as unknown as APIGatewayProxyEvent;
}

export const INVOCATION = { getRemainingTimeInMillis: () => 10_000 } as unknown as Context;
