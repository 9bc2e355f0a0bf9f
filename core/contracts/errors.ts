/** Errors of the API: the codes, the envelope in which every 4xx and 5xx is sent, and the error that handlers throw. */
import * as z from 'zod/mini';
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
