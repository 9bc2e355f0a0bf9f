/** The error of the client: an error response of the service, or the reason why there is no response. Never contains the key. */
import type { ErrorCode } from './contract.ts';

/** Codes of failures without a response of the service. */
export type ClientErrorCode = 'network_error' | 'timeout' | 'invalid_response';

type Stated = Pick<PortCongestionError, 'code' | 'reason' | 'attempts'>;
type ErrorDetails = Stated & Partial<Omit<PortCongestionError, keyof Error | keyof Stated>>;

export class PortCongestionError extends Error {
  override readonly name = 'PortCongestionError';
  /** The service's code, or the client's own when the service sent no response. */
  readonly code: ErrorCode | ClientErrorCode;
  /** HTTP status; undefined when there was no response. */
  readonly status: number | undefined;
  /** What happened, in one line: `message` without the status and the hint. */
  readonly reason: string;
  /** What to do next, if the service says so. */
  readonly hint: string | undefined;
  /** Id of the request, to report it by. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry, if the service says so. */
  readonly retryAfterSeconds: number | undefined;
  /** Number of attempts. */
  readonly attempts: number;

  constructor(message: string, details: ErrorDetails) {
    super(message);
    this.code = details.code;
    this.status = details.status;
    this.reason = details.reason;
    this.hint = details.hint;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.attempts = details.attempts;
  }
}
