/** Reads a response of the service: its headers and its errors. */
import { PortCongestionError } from './error.ts';
import type { RateLimit, ResponseInfo } from './options.ts';
import { retryAfterSeconds } from './retry.ts';

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly body: string;
}

function readRateLimit({ headers }: ServiceResponse): RateLimit | undefined {
  const figures = ['Limit', 'Remaining', 'Reset'].map((name) => headers.get(`RateLimit-${name}`));
  if (!figures.every((figure) => figure !== null && /^\d+$/.test(figure))) return undefined;
  const [limit = 0, remaining = 0, reset = 0] = figures.map(Number);
  return { limit, remaining, resetAt: new Date(reset * 1_000) };
}

/** The request id, if it is a UUID: anything else does not come from the service. */
const readRequestId = ({ headers }: ServiceResponse): string | undefined =>
  /^[0-9a-f-]{36}$/i.exec(headers.get('x-request-id') ?? '')?.[0];

export function readInfo(response: ServiceResponse): Omit<ResponseInfo, 'path' | 'attempt'> {
  const { status, headers } = response;
  const vintagesFrom = headers.get('X-Vintages-From');
  return {
    status,
    requestId: readRequestId(response),
    rateLimit: readRateLimit(response),
    ...(vintagesFrom === null ? {} : { vintagesFrom }),
    ...(headers.get('X-Vintages') === 'backfilled' ? { backfilled: true } : {}),
  };
}

/** The text fields of an error envelope; none for any other body, such as a proxy's error page. */
function readEnvelope(body: string): Readonly<Record<string, string>> {
  try {
    const fields = Object.entries(JSON.parse(body) as object).filter(
      ([, value]) => typeof value === 'string',
    );
    const envelope = Object.fromEntries(fields);
    return 'code' in envelope && 'message' in envelope ? envelope : {};
  } catch {
    return {};
  }
}

/** The error for a response of 400 and above. */
export function readError(response: ServiceResponse, attempts: number, nowMs: number): PortCongestionError {
  const { code, message: reason = 'The response has no error envelope.', hint } = readEnvelope(response.body);
  return new PortCongestionError(`${response.status}: ${[reason, hint].filter(Boolean).join(' ')}`, {
    code: (code as PortCongestionError['code'] | undefined) ?? 'invalid_response',
    status: response.status,
    reason,
    hint,
    requestId: readRequestId(response),
    retryAfterSeconds: retryAfterSeconds(response.headers.get('Retry-After'), nowMs),
    attempts,
  });
}

/** The error for a response with a good status and an unexpected form. */
export const unexpectedResponse = (
  reason: string,
  response: ServiceResponse,
  attempts: number,
): PortCongestionError =>
  new PortCongestionError(`${response.status}: ${reason}`, {
    code: 'invalid_response',
    status: response.status,
    reason,
    hint: 'Check baseUrl: something other than the service may be responding.',
    requestId: readRequestId(response),
    attempts,
  });
