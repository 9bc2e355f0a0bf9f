/** The typed table of error codes: their statuses and what they mean. */

export const ERRORS = {
  bad_request: {
    statuses: [400],
    meaning: 'The request cannot be read, for example broken percent-encoding.',
  },
  auth_missing: { statuses: [401], meaning: 'No API key was sent.' },
  auth_invalid: { statuses: [401], meaning: 'The API key is malformed or unknown.' },
  auth_forbidden: {
    statuses: [403],
    meaning: 'The key is disabled, on no plan, or its plan lacks the endpoint.',
  },
  not_found: { statuses: [404], meaning: 'No such path, port or chapter.' },
  conflict: { statuses: [409], meaning: 'Parameters that exclude each other were given together.' },
  validation_failed: { statuses: [422], meaning: 'A parameter has a value that is not allowed.' },
  rate_limited: { statuses: [429], meaning: 'The rate limit or the monthly quota is used up.' },
  internal_error: { statuses: [500], meaning: 'The service failed.' },
  upstream_error: { statuses: [502, 503, 504], meaning: 'Something that the service needs does not answer.' },
} as const satisfies Record<string, { statuses: readonly number[]; meaning: string }>;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];
