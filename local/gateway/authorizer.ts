/** Asks the API's REQUEST authorizer who is calling, and keeps its answers as long as the template says. */
import type { Invoke } from '../functions/functions.ts';
import { faultText } from '../start-fault.ts';
import type { AuthorizerModel } from '../template/model.ts';
import { type Grant, readGrant } from './access-policy.ts';
import type { GatewayResponseType } from './gateway-responses.ts';

export type Authorization =
  | { readonly refusal?: undefined; readonly grant: Grant }
  | { readonly refusal: GatewayResponseType; readonly grant?: Grant };

export interface AuthorizerRequest {
  /** Values of the identity header, in the order sent. */
  readonly identity: readonly string[];
  readonly methodArn: string;
  /** The request's event; made only when the authorizer is asked. */
  readonly event: () => object;
}

/** The exact words by which an authorizer says that nobody is calling. */
const UNAUTHORIZED = 'Unauthorized';
/** Keys are the client's to choose, so what is kept has a bound; the oldest answer goes first. */
const MOST_KEPT = 10_000;

export interface Authorizer {
  authorize(request: AuthorizerRequest): Promise<Authorization>;
}

/** `now` in epoch milliseconds; `report` is told why an authorizer failed. */
export function createAuthorizer(
  model: AuthorizerModel,
  invoke: Invoke,
  now: () => number,
  report: (line: string) => void,
): Authorizer {
  const kept = new Map<string, { readonly grant: Grant; readonly until: number }>();

  const keep = (identity: string, grant: Grant): void => {
    if (model.cacheMs === 0) return;
    kept.delete(identity);
    kept.set(identity, { grant, until: now() + model.cacheMs });
    if (kept.size <= MOST_KEPT) return;
    const [oldest] = kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
  };

  const decide = (grant: Grant, methodArn: string): Authorization =>
    grant.allows(methodArn) ? { grant } : { refusal: 'ACCESS_DENIED', grant };

  return {
    async authorize({ identity, methodArn, event }) {
      if (identity.length === 0 || identity.every((value) => value === ''))
        return { refusal: 'UNAUTHORIZED' };
      const key = identity.join(',');
      const known = kept.get(key);
      if (known && known.until > now()) return decide(known.grant, methodArn);
      let result: unknown;
      try {
        result = await invoke({ type: 'REQUEST', methodArn, ...event() });
      } catch (thrown) {
        if (faultText(thrown) === UNAUTHORIZED) return { refusal: 'UNAUTHORIZED' };
        report(`authorizer failed: ${faultText(thrown)}`);
        return { refusal: 'AUTHORIZER_FAILURE' };
      }
      const grant = readGrant(result);
      if (!grant) {
        report('authorizer failed: its result is not of the form that API Gateway takes');
        return { refusal: 'AUTHORIZER_CONFIGURATION_ERROR' };
      }
      keep(key, grant);
      return decide(grant, methodArn);
    },
  };
}
