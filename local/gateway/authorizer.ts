/** Calls the API's REQUEST authorizer and caches its results: grants as long as the template states, refusals briefly. */
import * as z from 'zod';
import type { Invoke } from '../functions/functions.ts';
import { errorText } from '../start-error.ts';
import type { AuthorizerModel } from '../template/model.ts';
import type { GatewayResponseType } from './gateway-responses.ts';

// Evaluates the policy that an authorizer returns, in the form that API Gateway accepts.

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

type Authorization =
  | { readonly refusal?: undefined; readonly grant: Grant }
  | { readonly refusal: GatewayResponseType; readonly grant?: Grant };

interface AuthorizerRequest {
  /** Values of the identity header, in the order sent. */
  readonly identity: readonly string[];
  readonly methodArn: string;
  /** The request's event; built only when the authorizer is called. */
  readonly event: () => object;
}

/** The message with which an authorizer rejects a request as unauthenticated. */
const UNAUTHORIZED = 'Unauthorized';
/** Clients choose the cache's keys, so its size is limited; the oldest entry is dropped first. */
const MAX_CACHED = 10_000;
/** API Gateway caches a refusal as long as a grant. Here a key that was refused and then made works soon after. */
const MAX_REFUSAL_CACHED_MS = 5000;

export interface CachedAuthorizer {
  authorize(request: AuthorizerRequest): Promise<Authorization>;
}

/**
 * @param now epoch milliseconds
 * @param report gets one line when the authorizer fails
 */
export function createCachedAuthorizer(
  model: AuthorizerModel,
  invoke: Invoke,
  now: () => number,
  report: (line: string) => void,
): CachedAuthorizer {
  const cache = new Map<string, { readonly grant: Grant; readonly until: number }>();

  const store = (identity: string, grant: Grant, isRefusal: boolean): void => {
    if (model.cacheMs === 0) return;
    const cachedMs = isRefusal ? Math.min(model.cacheMs, MAX_REFUSAL_CACHED_MS) : model.cacheMs;
    cache.delete(identity);
    cache.set(identity, { grant, until: now() + cachedMs });
    if (cache.size <= MAX_CACHED) return;
    const [oldest] = cache.keys();
    if (oldest !== undefined) cache.delete(oldest);
  };

  const decide = (grant: Grant, methodArn: string): Authorization =>
    grant.allows(methodArn) ? { grant } : { refusal: 'ACCESS_DENIED', grant };

  return {
    async authorize({ identity, methodArn, event }) {
      if (identity.length === 0 || identity.every((value) => value === ''))
        return { refusal: 'UNAUTHORIZED' };
      const key = identity.join(',');
      const cached = cache.get(key);
      if (cached && cached.until > now()) return decide(cached.grant, methodArn);
      let result: unknown;
      try {
        result = await invoke({ type: 'REQUEST', methodArn, ...event() });
      } catch (thrown) {
        if (errorText(thrown) === UNAUTHORIZED) return { refusal: 'UNAUTHORIZED' };
        report(`authorizer failed: ${errorText(thrown)}`);
        return { refusal: 'AUTHORIZER_FAILURE' };
      }
      const grant = readGrant(result);
      if (!grant) {
        report('authorizer failed: its result is not in the form that API Gateway accepts');
        return { refusal: 'AUTHORIZER_CONFIGURATION_ERROR' };
      }
      const decision = decide(grant, methodArn);
      store(key, grant, decision.refusal !== undefined);
      return decision;
    },
  };
}
