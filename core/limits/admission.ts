/** Admits a caller: the state of the key first, then one token, which is taken while the data are read. */

import { withContact } from '../contracts/contact.ts';
import { ApiError } from '../contracts/errors.ts';
import type { Route } from '../contracts/route.ts';
import { type Denial, findDenial, parseContext } from '../keys/entitlements.ts';
import { digestPrefix } from '../keys/key.ts';
import type { Admission, Limiter } from './rate-limit.ts';
import { REFUSALS, type Refusal } from './refusals.ts';

/** A caller whose key was accepted. */
export interface Caller {
  readonly keyPrefix: string;
  /** Whether a token was granted; never rejects. */
  readonly admission: Promise<Admission>;
  /** The 403 of a key whose plan does not include the endpoint. */
  readonly denial: ApiError | undefined;
}

const REFUSAL_OF = {
  key_disabled: REFUSALS.key_disabled,
  key_unplanned: REFUSALS.key_disabled,
  endpoint_not_in_plan: REFUSALS.not_in_plan,
} as const satisfies Record<Denial, Refusal>;

function forbidden(denial: Denial, contact: string | undefined): ApiError {
  const { code, message, hint } = REFUSAL_OF[denial];
  return new ApiError(code, message, { hint: withContact(hint, contact) });
}

/**
 * The caller whom the authorizer describes in `context`. A key that is disabled or on no plan throws `auth_forbidden` and
 * spends no token; a key whose plan lacks the endpoint spends its token. The hints name `contact`, if there is one.
 */
export function readCaller(
  context: Parameters<typeof parseContext>[0],
  route: Route,
  limiter: Limiter,
  contact?: string,
): Caller {
  const key = parseContext(context);
  if (key === undefined) throw new Error('the gateway let a request through without a key context');
  const reason = findDenial(key, route);
  const denial = reason && forbidden(reason, contact);
  if (denial !== undefined && reason !== 'endpoint_not_in_plan') throw denial;
  return { keyPrefix: digestPrefix(key.digest), admission: limiter.admit(key), denial };
}

/** The 429 of a caller who was not admitted. */
export function rateLimited({ retryAfterSeconds = 1, refusal = 'key_bucket' }: Admission): ApiError {
  const { code, message, hint } = REFUSALS[refusal];
  return new ApiError(code, message, { hint, retryAfterSeconds });
}
