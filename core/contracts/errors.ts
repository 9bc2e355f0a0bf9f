/** Errors of the API: the codes, the envelope in which every 4xx and 5xx is sent, and the error that handlers throw. */
import * as z from 'zod/mini';
import { OPERATOR } from './contact.ts';
import { described, ONE_LINE, record } from './wire.ts';

export const ERRORS = {
  bad_request: {
    statuses: [400],
    meaning: 'The request cannot be read, for example because of broken percent-encoding.',
  },
  auth_missing: { statuses: [401], meaning: 'No API key was sent.' },
  auth_invalid: { statuses: [401], meaning: 'The API key is malformed or unknown.' },
  auth_forbidden: {
    statuses: [403],
    meaning: 'The key is disabled, is not assigned to a plan, or its plan lacks the endpoint.',
  },
  not_found: { statuses: [404], meaning: 'No such path, port or chapter.' },
  conflict: { statuses: [409], meaning: 'Parameters that exclude each other were given together.' },
  validation_failed: {
    statuses: [422],
    meaning: 'A parameter is misspelt, or has a value that is not allowed.',
  },
  rate_limited: { statuses: [429], meaning: 'The rate limit or the monthly quota is used up.' },
  internal_error: { statuses: [500], meaning: 'The service failed.' },
  upstream_error: { statuses: [502, 503, 504], meaning: 'A dependency of the service does not respond.' },
} as const satisfies Record<string, { statuses: readonly number[]; meaning: string }>;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

export const errorEnvelope = record('ErrorEnvelope', 'Why the request failed, and what to do.', {
  code: described(z.enum(ERROR_CODES), { description: 'Machine-readable key.' }),
  message: described(z.string().check(z.regex(ONE_LINE), z.maxLength(500)), {
    description: 'One line for people.',
  }),
  request_id: described(z.uuid().check(z.maxLength(36)), {
    description: 'Equals the x-request-id header.',
  }),
  hint: z.optional(
    described(z.string().check(z.minLength(1), z.regex(ONE_LINE), z.maxLength(500)), {
      description: 'What to do next.',
    }),
  ),
});
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;

/** A failure with an error response of its own. Any other error becomes `internal_error`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly hint: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      hint?: string | undefined;
      status?: number | undefined;
      retryAfterSeconds?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? ERRORS[code].statuses[0];
    this.hint = options.hint;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The envelope of `error`, in the field order of the documentation. JSON omits an undefined hint. */
export const toEnvelope = ({ code, message, hint }: ApiError, requestId: string): ErrorEnvelope => ({
  code,
  message,
  request_id: requestId,
  hint,
});

// Errors that the gateway makes itself, before or instead of a function: one row for each gateway response type.

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
