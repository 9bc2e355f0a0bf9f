/** Calls the API's REQUEST authorizer and caches its results: grants as long as the template states, refusals briefly. */
import type { Invoke } from '../functions/functions.ts';
import { errorText } from '../start-error.ts';
import type { AuthorizerModel } from '../template/model.ts';
import { type Grant, readGrant } from './access-policy.ts';
import type { GatewayResponseType } from './gateway-responses.ts';

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

export interface Authorizer {
  authorize(request: AuthorizerRequest): Promise<Authorization>;
}

/**
 * @param now epoch milliseconds
 * @param report gets one line when the authorizer fails
 */
export function createAuthorizer(
  model: AuthorizerModel,
  invoke: Invoke,
  now: () => number,
  report: (line: string) => void,
): Authorizer {
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
