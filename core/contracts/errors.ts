/** Errors as they are thrown, and how one becomes the envelope in which every 4xx and 5xx is sent. */
import { ERRORS, type ErrorCode } from './error-codes.ts';
import type { ErrorEnvelope } from './error-envelope.ts';

export { ERROR_CODES, ERRORS, type ErrorCode } from './error-codes.ts';
export type { ErrorEnvelope } from './error-envelope.ts';

/** A failure that has an answer on the wire. Anything else that is thrown becomes `internal_error`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly hint: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { hint?: string; status?: number; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? ERRORS[code].statuses[0];
    this.hint = options.hint;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The envelope of `error`, in the field order of the documentation. */
export const envelopeOf = (error: ApiError, requestId: string): ErrorEnvelope => ({
  code: error.code,
  message: error.message,
  request_id: requestId,
  ...(error.hint === undefined ? {} : { hint: error.hint }),
});
