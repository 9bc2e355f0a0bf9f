/** Failures as error responses. Only an `ApiError` states its message; any other error is a 500 or 503 without details. */
import { ApiError, toEnvelope } from '../contracts/errors.ts';
import { HEADERS, JSON_TYPE, NOT_CACHEABLE } from '../contracts/headers.ts';

/** Error classes that mean an outage of a dependency. They become a 503, because a retry may succeed. */
export type OutageClass = abstract new (...args: never[]) => Error;

/** 503: the service cannot respond now, and a retry may succeed. */
const unavailable = (message: string, cause?: unknown): ApiError =>
  new ApiError('upstream_error', message, {
    status: 503,
    retryAfterSeconds: 5,
    hint: 'Try again after the seconds in Retry-After.',
    cause,
  });

/** The error of a request whose function runs out of time, most often because the store is slow. */
export const outOfTime = (): ApiError => unavailable('The service did not respond in time.');

/** The `ApiError` for any thrown value. */
export function apiError(thrown: unknown, outages: readonly OutageClass[]): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (outages.some((outage) => thrown instanceof outage))
    return unavailable('The data store does not respond.', thrown);
  return new ApiError('internal_error', 'The service failed.', {
    hint: 'Try again; if the error persists, report the request_id.',
    cause: thrown,
  });
}

/** The error that Middy's error handler turns into a response: status, headers, and the body as the message. */
export function renderError(error: ApiError, requestId: string, headers: Readonly<Record<string, string>>) {
  return {
    statusCode: error.status,
    expose: true,
    message: JSON.stringify(toEnvelope(error, requestId)),
    headers: {
      ...headers,
      [HEADERS.contentType]: JSON_TYPE,
      [HEADERS.cacheControl]: NOT_CACHEABLE,
      ...(error.retryAfterSeconds !== undefined && {
        [HEADERS.retryAfter]: String(error.retryAfterSeconds),
      }),
    },
  };
}
