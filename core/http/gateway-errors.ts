/** Errors that the gateway makes itself, before or instead of a function: one row for each gateway response type. */

import { REFUSALS } from '../access/refusals.ts';
import { withContact } from '../contracts/contact.ts';
import { ApiError, type ErrorCode, toEnvelope } from '../contracts/errors.ts';
import { HEADERS, JSON_TYPE, NOT_CACHEABLE } from '../contracts/wire.ts';

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

const FUNCTION_FAILED = { code: 'upstream_error', message: 'The service did not respond in time.' } as const;
const UNREADABLE = {
  code: 'bad_request',
  status: 400,
  message: 'The request cannot be read.',
  hint: 'Check the URL: percent-encoding must be complete and the path at most a few hundred characters.',
} as const;

export const GATEWAY_ERRORS = {
  UNAUTHORIZED: REFUSALS.key_missing,
  ACCESS_DENIED: REFUSALS.key_unknown,
  INVALID_API_KEY: REFUSALS.key_disabled,
  MISSING_AUTHENTICATION_TOKEN: WRONG_PATH,
  RESOURCE_NOT_FOUND: WRONG_PATH,
  /** A wrong path with an Authorization header: the gateway then expects an AWS signature in it. */
  INVALID_SIGNATURE: WRONG_PATH,
  EXPIRED_TOKEN: WRONG_PATH,
  AUTHORIZER_FAILURE: REFUSALS.key_store_down,
  AUTHORIZER_CONFIGURATION_ERROR: REFUSALS.key_store_down,
  BAD_REQUEST_PARAMETERS: UNREADABLE,
  BAD_REQUEST_BODY: UNREADABLE,
  UNSUPPORTED_MEDIA_TYPE: { ...UNREADABLE, status: 415 },
  /** The throttle of a plan or of the stage: the gateway does not say which. */
  THROTTLED: REFUSALS.plan_throttle,
  QUOTA_EXCEEDED: REFUSALS.monthly_quota,
  WAF_FILTERED: REFUSALS.address_rate,
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

/** What a stage's settings say in a gateway response. */
export interface GatewayResponseSettings {
  /** Contact for questions about keys and plans. */
  readonly contact?: string | undefined;
  /** Origins whose pages may read responses. A gateway response can name one alone, and an error holds no secret: with any it names all. */
  readonly corsOrigins: readonly string[];
}

/** The parts of a gateway response that differ from request to request; on AWS they are variables of its template. */
export interface GatewayValues {
  readonly requestId: string;
  /** From the authorizer's context. Undefined where it has none, and the header is then left out. */
  readonly rateLimit: string | undefined;
  readonly rateReset: string | undefined;
}

/** Headers of a gateway response that a page of another origin may read. */
const EXPOSED_OF_ERRORS = [
  HEADERS.retryAfter,
  HEADERS.rateLimitLimit,
  HEADERS.rateLimitRemaining,
  HEADERS.rateLimitReset,
  HEADERS.requestId,
].join(', ');

/**
 * The gateway response of an error: headers in the order in which they are sent, and the body. The template of a stage is made with it
 * from variables, the response of the service on one machine from values.
 */
export function renderGatewayResponse(
  { code, message, hint, retryAfterSeconds, rateLimited }: GatewayError,
  { contact, corsOrigins }: GatewayResponseSettings,
  { requestId, rateLimit, rateReset }: GatewayValues,
): { readonly headers: [name: string, value: string][]; readonly body: string } {
  const forPages = corsOrigins.length > 0;
  const options = hint === undefined ? {} : { hint: withContact(hint, contact) };
  const headers: [string, string | undefined][] = [
    [HEADERS.contentType, JSON_TYPE],
    [HEADERS.requestId, requestId],
    [HEADERS.cacheControl, NOT_CACHEABLE],
    [HEADERS.contentTypeOptions, 'nosniff'],
    [HEADERS.retryAfter, retryAfterSeconds?.toString()],
    [HEADERS.rateLimitLimit, rateLimited && rateLimit],
    [HEADERS.rateLimitRemaining, rateLimited && '0'],
    [HEADERS.rateLimitReset, rateLimited && rateReset],
    ['Access-Control-Allow-Origin', forPages ? '*' : undefined],
    ['Access-Control-Expose-Headers', forPages ? EXPOSED_OF_ERRORS : undefined],
  ];
  return {
    headers: headers.filter((header): header is [string, string] => header[1] !== undefined),
    body: JSON.stringify(toEnvelope(new ApiError(code, message, options), requestId)),
  };
}
