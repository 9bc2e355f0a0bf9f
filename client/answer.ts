/** Reads an answer of the service: its headers, its errors, and whether it is what was asked for. */
import { type ClientErrorCode, PortCongestionError } from './error.ts';
import type { RateLimit } from './options.ts';
import type { ErrorCode } from './records.ts';
import { retryAfterSeconds } from './retry.ts';

/** One answer, its body read to the end. */
export interface Answer {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly body: string;
}

export function rateLimitOf({ headers }: Answer): RateLimit | undefined {
  const figures = ['Limit', 'Remaining', 'Reset'].map((name) => headers.get(`RateLimit-${name}`));
  if (!figures.every((figure) => figure !== null && /^\d+$/.test(figure))) return undefined;
  const [limit = 0, remaining = 0, reset = 0] = figures.map(Number);
  return { limit, remaining, resetAt: new Date(reset * 1_000) };
}

/** Only a UUID is taken: whatever else may stand there is not from the service. */
export const requestIdOf = ({ headers }: Answer): string | undefined =>
  /^[0-9a-f-]{36}$/i.exec(headers.get('x-request-id') ?? '')?.[0];

/** An error envelope, or nothing where the body is something else, as a proxy on the way may send. */
function envelopeOf(body: string): { code: ErrorCode; message: string; hint?: unknown } | undefined {
  try {
    const envelope = JSON.parse(body);
    return typeof envelope?.code === 'string' && typeof envelope.message === 'string' ? envelope : undefined;
  } catch {
    return undefined;
  }
}

/** The error that an answer is which is neither good nor 304. */
export function errorOf(answer: Answer, attempts: number, nowMs: number): PortCongestionError {
  const envelope = envelopeOf(answer.body);
  const hint = typeof envelope?.hint === 'string' ? envelope.hint : undefined;
  const message = envelope?.message ?? 'The answer has no error envelope.';
  return new PortCongestionError(`${answer.status}: ${[message, hint].filter(Boolean).join(' ')}`, {
    code: envelope?.code ?? ('invalid_response' satisfies ClientErrorCode),
    status: answer.status,
    hint,
    requestId: requestIdOf(answer),
    retryAfterSeconds: retryAfterSeconds(answer.headers.get('Retry-After'), nowMs),
    attempts,
  });
}

/** The error of an answer that is good by its status but not by its form. */
export const unexpected = (what: string, answer: Answer, attempts: number): PortCongestionError =>
  new PortCongestionError(`${answer.status}: ${what}`, {
    code: 'invalid_response',
    status: answer.status,
    hint: 'Check baseUrl: something other than the service may be answering.',
    requestId: requestIdOf(answer),
    retryAfterSeconds: undefined,
    attempts,
  });
