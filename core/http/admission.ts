/** Admits a caller: the state of the key first, then one token, which is taken while the data are read. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type Denial, findDenial, type KeyContext, parseContext } from '../access/entitlements.ts';
import { digestPrefix } from '../access/key.ts';
import type { Admission, Limiter } from '../access/rate-limit.ts';
import { OPERATOR, withContact } from '../contracts/contact.ts';
import { ApiError, GATEWAY_ERRORS } from '../contracts/errors.ts';
import type { Route } from '../contracts/route.ts';

const NOT_IN_PLAN = {
  message: "The key's plan does not include this endpoint.",
  hint: `Ask ${OPERATOR} to move the key to a plan that includes it.`,
};

/** A caller whose key was accepted. */
export interface Caller {
  readonly keyPrefix: string;
  /** Whether a token was granted; never rejects. */
  readonly admission: Promise<Admission>;
  /** The 403 of a key whose plan does not include the endpoint. */
  readonly denial: ApiError | undefined;
}

function forbidden(denial: Denial, contact: string | undefined): ApiError {
  const { message, hint } = denial === 'endpoint_not_in_plan' ? NOT_IN_PLAN : GATEWAY_ERRORS.INVALID_API_KEY;
  return new ApiError('auth_forbidden', message, { hint: withContact(hint, contact) });
}

/**
 * The caller of `event`. A key that is disabled or on no plan throws `auth_forbidden` and spends no token; a key whose
 * plan lacks the endpoint spends its token. The hints name `contact`, if there is one.
 */
export function readCaller(
  event: APIGatewayProxyEvent,
  route: Route,
  limiter: Limiter,
  contact?: string,
): Caller {
  const key: KeyContext | undefined = parseContext(event.requestContext.authorizer);
  if (key === undefined) throw new Error('the gateway let a request through without a key context');
  const reason = findDenial(key, route);
  const denial = reason && forbidden(reason, contact);
  if (denial !== undefined && reason !== 'endpoint_not_in_plan') throw denial;
  return { keyPrefix: digestPrefix(key.digest), admission: limiter.admit(key), denial };
}

/** The 429 of a caller whose bucket is empty. */
export const rateLimited = (admission: Admission): ApiError =>
  new ApiError('rate_limited', GATEWAY_ERRORS.THROTTLED.message, {
    hint: GATEWAY_ERRORS.THROTTLED.hint,
    retryAfterSeconds: admission.retryAfterSeconds ?? 1,
  });
