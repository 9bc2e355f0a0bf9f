/** The one error of the client: what the service said, or what kept it from saying anything. Never the key. */
import type { ErrorCode } from './records.ts';

/** Codes of failures that have no answer of the service in them. */
export type ClientErrorCode = 'network_error' | 'timeout' | 'invalid_response';

interface ErrorDetails {
  readonly code: ErrorCode | ClientErrorCode;
  readonly status: number | undefined;
  readonly hint: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly attempts: number;
}

export class PortCongestionError extends Error {
  override readonly name = 'PortCongestionError';
  /** The service's code, or the client's own when there was no answer of the service. */
  readonly code: ErrorCode | ClientErrorCode;
  /** HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;
  /** What to do next, where the service says so. */
  readonly hint: string | undefined;
  /** Id of the request, to report it by. */
  readonly requestId: string | undefined;
  /** Seconds that the service asks to wait, where it does. */
  readonly retryAfterSeconds: number | undefined;
  /** Tries that were made. */
  readonly attempts: number;

  constructor(message: string, details: ErrorDetails) {
    super(message);
    this.code = details.code;
    this.status = details.status;
    this.hint = details.hint;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.attempts = details.attempts;
  }
}
