/** Sends a request: attempts, retries, revalidation. */
import { type ClientErrorCode, PortCongestionError } from './error.ts';
import { type CachedResponse, EtagCache } from './etag-cache.ts';
import type { ClientOptions, RateLimit, ResponseInfo } from './options.ts';
import type { ErrorCode } from './records.ts';
import { backoffMs, isRetryable, retryAfterSeconds, sleep } from './retry.ts';

// Limits the time of one attempt, and ends it early when the caller aborts.

/** The reason of an attempt that ran out of time. */
const OUT_OF_TIME = Symbol('out of time');

/**
 * Runs `work` for at most `ms`. Rejects with `OUT_OF_TIME` or the signal's reason at once, even when `work` ignores
 * the signal that it gets.
 */
function withinTime<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const controller = new AbortController();
    const clear = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const end = (reason: unknown): void => {
      clear();
      controller.abort();
      reject(reason);
    };
    const onAbort = (): void => end(signal?.reason);
    const timer = setTimeout(end, ms, OUT_OF_TIME);
    signal?.addEventListener('abort', onAbort, { once: true });
    work(controller.signal).then(resolve, reject).finally(clear);
  });
}

// Reads a response of the service: its headers and its errors.

/** A response with its body read. */
interface ServiceResponse {
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

/** What the headers say of the vintages behind the response. */
function readVintages({ headers }: ServiceResponse): Pick<ResponseInfo, 'vintagesFrom' | 'backfilled'> {
  const vintagesFrom = headers.get('X-Vintages-From');
  return {
    ...(vintagesFrom === null ? {} : { vintagesFrom }),
    ...(headers.get('X-Vintages') === 'backfilled' ? { backfilled: true } : {}),
  };
}

/** The request id, if it is a UUID: anything else does not come from the service. */
const readRequestId = ({ headers }: ServiceResponse): string | undefined =>
  /^[0-9a-f-]{36}$/i.exec(headers.get('x-request-id') ?? '')?.[0];

/** The error envelope; undefined when the body is something else, for example a proxy's error page. */
function readEnvelope(body: string): { code: ErrorCode; message: string; hint?: unknown } | undefined {
  try {
    const envelope = JSON.parse(body);
    return typeof envelope?.code === 'string' && typeof envelope.message === 'string' ? envelope : undefined;
  } catch {
    return undefined;
  }
}

/** The error for a response that is neither 2xx nor 304. */
function toError(response: ServiceResponse, attempts: number, nowMs: number): PortCongestionError {
  const envelope = readEnvelope(response.body);
  const hint = typeof envelope?.hint === 'string' ? envelope.hint : undefined;
  const message = envelope?.message ?? 'The response has no error envelope.';
  return new PortCongestionError(`${response.status}: ${[message, hint].filter(Boolean).join(' ')}`, {
    code: envelope?.code ?? ('invalid_response' satisfies ClientErrorCode),
    status: response.status,
    reason: message,
    hint,
    requestId: readRequestId(response),
    retryAfterSeconds: retryAfterSeconds(response.headers.get('Retry-After'), nowMs),
    attempts,
  });
}

/** The error for a response with a good status and an unexpected form. */
const unexpected = (what: string, response: ServiceResponse, attempts: number): PortCongestionError =>
  new PortCongestionError(`${response.status}: ${what}`, {
    code: 'invalid_response',
    status: response.status,
    reason: what,
    hint: 'Check baseUrl: something other than the service may be responding.',
    requestId: readRequestId(response),
    retryAfterSeconds: undefined,
    attempts,
  });

type MediaType = 'application/json' | 'text/csv';

interface ClientRequest<T> {
  /** Path and query, from `/v1` on. */
  readonly path: string;
  readonly type: MediaType;
  readonly authenticated: boolean;
  readonly signal: AbortSignal | undefined;
  /** Parses a body; throws when the body does not have the expected form. */
  readonly read: (body: string) => T;
}

/** Sends a request and resolves with the parsed response. Rejects with `PortCongestionError`, or with the signal's reason. */
export type Transport = <T>(request: ClientRequest<T>) => Promise<T>;

/** Removes the key from a text for an error, in case a server on the way echoes it. */
const withoutKey = (text: string, key: string | undefined): string =>
  key === undefined ? text : text.split(key).join('[key]');

/** Why `fetch` failed, in one line: undici puts the reason in the cause. */
function errorReason(thrown: unknown): string {
  const { message, cause } = (thrown ?? {}) as { message?: unknown; cause?: { message?: unknown } };
  return String(cause?.message || message || thrown).split('\n', 1)[0] ?? '';
}

export function createTransport(options: ClientOptions): Transport {
  const {
    baseUrl,
    apiKey,
    maxRetries = 4,
    timeoutMs = 10_000,
    maxRetryAfterSeconds = 60,
    cacheEntries = 100,
    onResponse,
    // Looked up at each call and called without a receiver, as browsers require.
    fetch = (input, init) => globalThis.fetch(input, init),
    now = Date.now,
    random = Math.random,
  } = options;
  const wait = options.sleep ?? sleep;
  const base = baseUrl.replace(/\/+$/, '');
  const cache = new EtagCache(cacheEntries);

  const sendOnce = (
    { path, type, authenticated, signal }: ClientRequest<unknown>,
    cached: CachedResponse | undefined,
  ) =>
    withinTime(timeoutMs, signal, async (attemptSignal): Promise<ServiceResponse> => {
      const headers: Record<string, string> = { Accept: type };
      if (authenticated && apiKey !== undefined) headers['X-API-Key'] = apiKey;
      if (cached !== undefined) headers['If-None-Match'] = cached.etag;
      // A redirect is not followed: it would send the key to another address.
      const response = await fetch(base + path, { headers, redirect: 'manual', signal: attemptSignal });
      return { status: response.status, headers: response.headers, body: await response.text() };
    });

  const noResponse = (thrown: unknown, attempts: number): PortCongestionError => {
    const late = thrown === OUT_OF_TIME;
    const what = late ? `none within ${timeoutMs} ms` : withoutKey(errorReason(thrown), apiKey);
    const reason = `No response: ${what}`;
    return new PortCongestionError(reason, {
      code: late ? 'timeout' : 'network_error',
      status: undefined,
      reason,
      hint: undefined,
      requestId: undefined,
      retryAfterSeconds: undefined,
      attempts,
    });
  };

  /** One attempt: the parsed response, or the error. */
  const tryOnce = async <T>(
    request: ClientRequest<T>,
    attempt: number,
  ): Promise<{ value: T } | PortCongestionError> => {
    const cached = cache.get(request.path);
    let response: ServiceResponse;
    try {
      response = await sendOnce(request, cached);
    } catch (thrown) {
      if (request.signal?.aborted) throw request.signal.reason;
      return noResponse(thrown, attempt);
    }
    const { status, headers, body } = response;
    const [requestId, rateLimit] = [readRequestId(response), readRateLimit(response)];
    onResponse?.({ path: request.path, status, requestId, attempt, rateLimit, ...readVintages(response) });
    if (status === 304 && cached !== undefined) return { value: request.read(cached.body) };
    if (status !== 200) {
      if (status < 400) return unexpected('not a response of the service.', response, attempt);
      return toError({ ...response, body: withoutKey(body, apiKey) }, attempt, now());
    }
    if (!headers.get('Content-Type')?.startsWith(request.type))
      return unexpected(`the response is not ${request.type}.`, response, attempt);
    try {
      const value = request.read(body);
      const etag = headers.get('ETag');
      if (etag !== null) cache.set(request.path, { etag, body });
      return { value };
    } catch {
      // Not every runtime reports that a connection ended in the middle of a chunked body.
      return noResponse(new Error('the body is incomplete'), attempt);
    }
  };

  return async (request) => {
    for (let retry = 0; ; retry += 1) {
      const outcome = await tryOnce(request, retry + 1);
      if (!(outcome instanceof PortCongestionError)) return outcome.value;
      const { status, retryAfterSeconds } = outcome;
      const mayRetry = status === undefined || isRetryable(status);
      const tooLong = retryAfterSeconds !== undefined && retryAfterSeconds > maxRetryAfterSeconds;
      if (retry >= maxRetries || tooLong || !mayRetry) throw outcome;
      const ms = retryAfterSeconds === undefined ? backoffMs(retry, random()) : retryAfterSeconds * 1_000;
      await wait(ms, request.signal);
      request.signal?.throwIfAborted();
    }
  };
}
