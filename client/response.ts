/** Reads a response of the service: its headers and its errors. */
import { type ClientErrorCode, PortCongestionError } from './error.ts';
import type { RateLimit, ResponseInfo } from './options.ts';
import type { ErrorCode } from './records.ts';
import { retryAfterSeconds } from './retry.ts';

/** A response with its body read. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly body: string;
}

export function rateLimitOf({ headers }: ServiceResponse): RateLimit | undefined {
  const figures = ['Limit', 'Remaining', 'Reset'].map((name) => headers.get(`RateLimit-${name}`));
  if (!figures.every((figure) => figure !== null && /^\d+$/.test(figure))) return undefined;
  const [limit = 0, remaining = 0, reset = 0] = figures.map(Number);
  return { limit, remaining, resetAt: new Date(reset * 1_000) };
}

/** What the headers say of the vintages behind the response. */
export function vintagesOf({ headers }: ServiceResponse): Pick<ResponseInfo, 'vintagesFrom' | 'backfilled'> {
  const vintagesFrom = headers.get('X-Vintages-From');
  return {
    ...(vintagesFrom === null ? {} : { vintagesFrom }),
    ...(headers.get('X-Vintages') === 'backfilled' ? { backfilled: true } : {}),
  };
}

/** The request id, if it is a UUID: anything else does not come from the service. */
export const requestIdOf = ({ headers }: ServiceResponse): string | undefined =>
  /^[0-9a-f-]{36}$/i.exec(headers.get('x-request-id') ?? '')?.[0];

/** The error envelope; undefined when the body is something else, for example a proxy's error page. */
function envelopeOf(body: string): { code: ErrorCode; message: string; hint?: unknown } | undefined {
  try {
    const envelope = JSON.parse(body);
    return typeof envelope?.code === 'string' && typeof envelope.message === 'string' ? envelope : undefined;
  } catch {
    return undefined;
  }
}

/** The error for a response that is neither 2xx nor 304. */
export function errorOf(response: ServiceResponse, attempts: number, nowMs: number): PortCongestionError {
  const envelope = envelopeOf(response.body);
  const hint = typeof envelope?.hint === 'string' ? envelope.hint : undefined;
  const message = envelope?.message ?? 'The response has no error envelope.';
  return new PortCongestionError(`${response.status}: ${[message, hint].filter(Boolean).join(' ')}`, {
    code: envelope?.code ?? ('invalid_response' satisfies ClientErrorCode),
    status: response.status,
    reason: message,
    hint,
    requestId: requestIdOf(response),
    retryAfterSeconds: retryAfterSeconds(response.headers.get('Retry-After'), nowMs),
    attempts,
  });
}

/** The error for a response with a good status and an unexpected form. */
export const unexpected = (what: string, response: ServiceResponse, attempts: number): PortCongestionError =>
  new PortCongestionError(`${response.status}: ${what}`, {
    code: 'invalid_response',
    status: response.status,
    reason: what,
    hint: 'Check baseUrl: something other than the service may be responding.',
    requestId: requestIdOf(response),
    retryAfterSeconds: undefined,
    attempts,
  });
