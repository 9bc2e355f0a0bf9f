/** Calls the API's REQUEST authorizer and caches its results: grants as long as the template states, refusals briefly. */
import * as z from 'zod';
import type { Invoke } from '../functions/functions.ts';
import { errorText } from '../start-error.ts';
import type { AuthorizerModel } from '../template/service-model.ts';
import { GatewayError } from './gateway-responses.ts';
import type { ReceivedRequest } from './proxy-event.ts';

const oneOrMore = z.union([z.string().transform((text) => [text]), z.array(z.string()).min(1)]);

/** Conditions and Not-forms are rejected: a policy that is only partly understood could admit too much. */
const policyDocument = z.strictObject({
  Version: z.string().optional(),
  Id: z.string().optional(),
  Statement: z
    .array(
      z.strictObject({
        Sid: z.string().optional(),
        Effect: z.enum(['Allow', 'Deny']),
        Action: oneOrMore,
        Resource: oneOrMore,
      }),
    )
    .min(1),
});

/** What an authorizer must return; context values are strings, numbers or booleans, passed on as strings. */
const authorizerResult = z.object({
  principalId: z.string(),
  policyDocument,
  context: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).optional(),
  usageIdentifierKey: z.string().optional(),
});

export interface Grant {
  /** Whether the policy allows the request with this method ARN. */
  readonly allows: (methodArn: string) => boolean;
  /** The authorizer's context with the principal, as the event and gateway responses show it. */
  readonly context: Readonly<Record<string, string>>;
  readonly usageIdentifierKey: string | undefined;
}

/** `*` is any text and `?` any character. */
function wildcard(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
}

const ACTION = 'execute-api:Invoke';

/** Undefined when the result is not in the form that API Gateway accepts. */
export function readGrant(result: unknown): Grant | undefined {
  const parsed = authorizerResult.safeParse(result);
  if (!parsed.success) return undefined;
  const { principalId, policyDocument: policy, context, usageIdentifierKey } = parsed.data;
  const statements = policy.Statement.filter((statement) =>
    statement.Action.some((action) => wildcard(action).test(ACTION)),
  ).map(({ Effect, Resource }) => ({ Effect, resources: Resource.map(wildcard) }));
  const has = (effect: 'Allow' | 'Deny', methodArn: string): boolean =>
    statements.some(
      ({ Effect, resources }) => Effect === effect && resources.some((resource) => resource.test(methodArn)),
    );
  return {
    allows: (methodArn) => !has('Deny', methodArn) && has('Allow', methodArn),
    context: { principalId, ...context },
    usageIdentifierKey,
  };
}

/** The message with which an authorizer rejects a request as unauthenticated. */
const UNAUTHORIZED = 'Unauthorized';
/** Clients choose the cache's keys, so its size is limited; the oldest entry is dropped first. */
const MAX_CACHED = 10_000;
/** API Gateway caches a refusal as long as a grant. Here a key that was refused and then made works soon after. */
const MAX_REFUSAL_CACHED_MS = 5000;

export type Authorize = ReturnType<typeof createAuthorizer>;

export function createAuthorizer(
  { identityHeader, cacheMs }: AuthorizerModel,
  invoke: Invoke,
  now: () => number,
  report: (line: string) => void,
) {
  const header = identityHeader.toLowerCase();
  const cache = new Map<string, { readonly grant: Grant; readonly until: number }>();

  const store = (identity: string, grant: Grant, lifetimeMs: number): void => {
    cache.delete(identity);
    cache.set(identity, { grant, until: now() + lifetimeMs });
    const [oldest] = cache.keys();
    if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
  };

  const ask = async (event: object): Promise<Grant> => {
    const result = await invoke(event).catch((thrown: unknown) => {
      if (errorText(thrown) === UNAUTHORIZED) throw new GatewayError('UNAUTHORIZED');
      report(`authorizer failed: ${errorText(thrown)}`);
      throw new GatewayError('AUTHORIZER_FAILURE');
    });
    const grant = readGrant(result);
    if (grant !== undefined) return grant;
    report('authorizer failed: its result is not in the form that API Gateway accepts');
    throw new GatewayError('AUTHORIZER_CONFIGURATION_ERROR');
  };

  /** The grant of a request, for which `event` makes the authorizer's event. Rejects with `GatewayError` where it has none or is denied. */
  return async (
    { multiValueHeaders, spelling }: Pick<ReceivedRequest, 'multiValueHeaders' | 'spelling'>,
    methodArn: string,
    event: () => object,
  ): Promise<Grant> => {
    const values = multiValueHeaders[spelling.get(header) ?? ''] ?? [];
    if (values.every((value) => value === '')) throw new GatewayError('UNAUTHORIZED');
    const identity = values.join(',');
    const cached = cache.get(identity);
    const isCached = cached !== undefined && cached.until > now();
    const grant = isCached ? cached.grant : await ask({ type: 'REQUEST', methodArn, ...event() });
    const allows = grant.allows(methodArn);
    if (!isCached) store(identity, grant, allows ? cacheMs : Math.min(cacheMs, MAX_REFUSAL_CACHED_MS));
    if (!allows) throw new GatewayError('ACCESS_DENIED', grant.context);
    return grant;
  };
}
