/** Errors that the gateway makes itself, before or instead of a function: one row for each gateway response type. */
import { OPERATOR } from './contact.ts';
import type { ErrorCode } from './errors.ts';

export interface GatewayError {
  readonly code: ErrorCode;
  /** Absent on the two defaults, which must keep the status of the actual fault. */
  readonly status?: number;
  readonly message: string;
  readonly hint?: string;
  readonly retryAfterSeconds?: number;
  /** Whether the response has RateLimit-* from the authorizer's context, because the key was accepted. */
  readonly rateLimited?: true;
}

const WRONG_PATH = {
  code: 'not_found',
  status: 404,
  message: 'There is nothing at this path for this method.',
  hint: 'All endpoints are GET and begin with /v1, for example GET /v1/meta/sources.',
} as const;

const KEY_REFUSED = {
  code: 'auth_invalid',
  status: 401,
  message: 'The API key is malformed or unknown.',
  hint: 'Check the value of X-API-Key: pcd_dev_ or pcd_live_ and 24 to 64 letters and digits.',
} as const;

const STORE_DOWN = {
  code: 'upstream_error',
  status: 503,
  message: 'The key store does not respond.',
  hint: 'Try again after the seconds in Retry-After.',
  retryAfterSeconds: 5,
} as const;

const FUNCTION_FAILED = { code: 'upstream_error', message: 'The service did not respond in time.' } as const;
const UNREADABLE = {
  code: 'bad_request',
  status: 400,
  message: 'The request cannot be read.',
  hint: 'Check the URL: percent-encoding must be complete and the path at most a few hundred characters.',
} as const;

export const GATEWAY_ERRORS = {
  UNAUTHORIZED: {
    code: 'auth_missing',
    status: 401,
    message: 'No API key was sent.',
    hint: 'Send your key in the request header X-API-Key.',
  },
  ACCESS_DENIED: KEY_REFUSED,
  INVALID_API_KEY: {
    code: 'auth_forbidden',
    status: 403,
    message: 'The API key is disabled or not assigned to a plan.',
    hint: `Ask ${OPERATOR} to enable the key or to put it on a plan.`,
  },
  MISSING_AUTHENTICATION_TOKEN: WRONG_PATH,
  RESOURCE_NOT_FOUND: WRONG_PATH,
  /** A wrong path with an Authorization header: the gateway then expects an AWS signature in it. */
  INVALID_SIGNATURE: WRONG_PATH,
  EXPIRED_TOKEN: WRONG_PATH,
  AUTHORIZER_FAILURE: STORE_DOWN,
  AUTHORIZER_CONFIGURATION_ERROR: STORE_DOWN,
  BAD_REQUEST_PARAMETERS: UNREADABLE,
  BAD_REQUEST_BODY: UNREADABLE,
  UNSUPPORTED_MEDIA_TYPE: { ...UNREADABLE, status: 415 },
  THROTTLED: {
    code: 'rate_limited',
    status: 429,
    message: 'Too many requests with this key.',
    hint: 'Wait for the seconds in Retry-After; see the RateLimit-* headers.',
    retryAfterSeconds: 1,
    rateLimited: true,
  },
  QUOTA_EXCEEDED: {
    code: 'rate_limited',
    status: 429,
    message: 'The monthly quota of this key is used up.',
    hint: `The monthly quota resets on the first of the month (UTC); ask ${OPERATOR} for a larger plan.`,
    retryAfterSeconds: 3600,
    rateLimited: true,
  },
  /** The firewall's one rule counts requests by address. */
  WAF_FILTERED: {
    code: 'rate_limited',
    status: 429,
    message: 'Too many requests from this address.',
    hint: 'Wait for the seconds in Retry-After.',
    retryAfterSeconds: 300,
  },
  INTEGRATION_FAILURE: { ...FUNCTION_FAILED, status: 502 },
  INTEGRATION_TIMEOUT: { ...FUNCTION_FAILED, status: 504 },
  API_CONFIGURATION_ERROR: { code: 'internal_error', status: 500, message: 'The service failed.' },
  DEFAULT_4XX: {
    code: 'bad_request',
    message: 'The request was refused.',
    hint: 'Check the request against the documentation.',
  },
  DEFAULT_5XX: { code: 'internal_error', message: 'The service failed.' },
} as const satisfies Record<string, GatewayError>;

export type GatewayErrorType = keyof typeof GATEWAY_ERRORS;
