/** The outcome of a request: a response, an error of the API, or no response at all. */
import type { ErrorEnvelope } from '../../core/contracts/errors.ts';
import { HEADERS, KEY_HEADER } from '../../core/contracts/headers.ts';

/** The key's allotment as stated in the response. */
export interface Limits {
  readonly limit: number;
  readonly remaining: number;
  /** Epoch seconds. */
  readonly resetsAt: number;
}

export interface DataResponse {
  readonly kind: 'data';
  readonly text: string;
  readonly limits: Limits | undefined;
}

export interface ErrorResponse {
  readonly kind: 'error';
  readonly status: number;
  readonly error: ErrorEnvelope;
  readonly retryAfterSeconds: number | undefined;
  readonly limits: Limits | undefined;
}

interface NoResponse {
  readonly kind: 'no-response';
}

export type Outcome = DataResponse | ErrorResponse | NoResponse;
export type Fetcher = (
  path: string,
  init: { headers: Record<string, string>; signal?: AbortSignal },
) => Promise<Response>;

function limitsOf(headers: Headers): Limits | undefined {
  const read = (name: string): number => Number(headers.get(name) ?? Number.NaN);
  const limits = {
    limit: read(HEADERS.rateLimitLimit),
    remaining: read(HEADERS.rateLimitRemaining),
    resetsAt: read(HEADERS.rateLimitReset),
  };
  return Object.values(limits).every(Number.isFinite) ? limits : undefined;
}

/** Whether the body can be the API's: a web page comes from a proxy in between. */
const isOfApi = (contentType: string): boolean => /^application\/json\b/.test(contentType);

/** The error envelope in `text`; a proxy between the page and the API may respond without one. */
function envelopeIn(text: string, status: number, requestId: string): ErrorEnvelope {
  try {
    const body = JSON.parse(text) as ErrorEnvelope;
    if (typeof body.code === 'string' && typeof body.message === 'string') return body;
  } catch {
    // The envelope below says so.
  }
  const isFault = status >= 400 && status < 500;
  const code = status === 429 ? 'rate_limited' : isFault ? 'bad_request' : 'upstream_error';
  return {
    code,
    message: `The response has status ${status} and is not the API's own.`,
    request_id: requestId,
    hint: 'Something between you and the API may have responded. Try again in a minute.',
  };
}

/** Sends a GET of `path` with `key`, if there is one. Throws only when `signal` aborts it. */
export async function send(
  path: string,
  key: string,
  fetcher: Fetcher,
  signal?: AbortSignal,
): Promise<Outcome> {
  let response: Response;
  let text: string;
  try {
    const headers: Record<string, string> = key === '' ? {} : { [KEY_HEADER]: key };
    response = await fetcher(path, { headers, signal });
    text = await response.text();
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    return { kind: 'no-response' };
  }
  const { headers, status } = response;
  const requestId = headers.get(HEADERS.requestId) ?? '';
  const limits = limitsOf(headers);
  const contentType = headers.get(HEADERS.contentType) ?? '';
  if (!response.ok || !isOfApi(contentType)) {
    const seconds = Number(headers.get(HEADERS.retryAfter) ?? Number.NaN);
    const retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
    return { kind: 'error', status, error: envelopeIn(text, status, requestId), retryAfterSeconds, limits };
  }
  return { kind: 'data', text, limits };
}
