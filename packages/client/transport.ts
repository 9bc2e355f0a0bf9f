/** Sends a request: attempts, retries, revalidation. */
import { PortCongestionError } from './error.ts';
import type { ClientOptions } from './options.ts';
import { readError, readInfo, type ServiceResponse, unexpectedResponse } from './response.ts';
import { backoffMs, isRetryable } from './retry.ts';

interface ClientRequest {
  /** Path and query, from `/v1` on. */
  readonly path: string;
  readonly type: 'application/json' | 'text/csv';
  readonly authenticated: boolean;
  readonly signal: AbortSignal | undefined;
  /** Parses a body; throws when the body does not have the expected form. */
  readonly read: (body: string) => unknown;
}

/** Stored as text, so that callers never share an object. */
interface CachedResponse {
  readonly etag: string;
  readonly body: string;
}

/** Sends a request and resolves with the parsed response. Rejects with `PortCongestionError`, or with the signal's reason. */
export type Transport = (request: ClientRequest) => Promise<unknown>;

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

/** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  withinTime(ms, signal, () => new Promise<never>(() => {})).catch((reason: unknown) => {
    if (reason !== OUT_OF_TIME) throw reason;
  });

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
  /** By path; the one that was used longest ago is the first, because a Map keeps the order of insertion. */
  const cache = new Map<string, CachedResponse>();
  const keep = (path: string, response: CachedResponse): void => {
    cache.delete(path);
    cache.set(path, response);
    const [oldest] = cache.keys();
    if (cache.size > cacheEntries && oldest !== undefined) cache.delete(oldest);
  };

  const sendOnce = (
    { path, type, authenticated, signal }: ClientRequest,
    cached: CachedResponse | undefined,
  ): Promise<ServiceResponse> =>
    withinTime(timeoutMs, signal, async (attemptSignal) => {
      const headers: Record<string, string> = { Accept: type };
      if (authenticated && apiKey !== undefined) headers['X-API-Key'] = apiKey;
      if (cached !== undefined) headers['If-None-Match'] = cached.etag;
      // A redirect is not followed: it would send the key to another address.
      const response = await fetch(base + path, { headers, redirect: 'manual', signal: attemptSignal });
      return { status: response.status, headers: response.headers, body: await response.text() };
    });

  const noResponse = (thrown: unknown, attempts: number): PortCongestionError => {
    const late = thrown === OUT_OF_TIME;
    const cause = late ? `none within ${timeoutMs} ms` : withoutKey(errorReason(thrown), apiKey);
    const reason = `No response: ${cause}`;
    return new PortCongestionError(reason, { code: late ? 'timeout' : 'network_error', reason, attempts });
  };

  /** The parsed body of a response, or the error. */
  const readResponse = (
    request: ClientRequest,
    response: ServiceResponse,
    cached: CachedResponse | undefined,
    attempt: number,
  ): { value: unknown } | PortCongestionError => {
    const { status, headers, body } = response;
    if (status === 304 && cached !== undefined) return { value: request.read(cached.body) };
    if (status >= 400) return readError({ ...response, body: withoutKey(body, apiKey) }, attempt, now());
    if (status !== 200) return unexpectedResponse('not a response of the service.', response, attempt);
    if (!headers.get('Content-Type')?.startsWith(request.type))
      return unexpectedResponse(`the response is not ${request.type}.`, response, attempt);
    try {
      const value = request.read(body);
      const etag = headers.get('ETag');
      if (etag !== null) keep(request.path, { etag, body });
      return { value };
    } catch {
      // Not every runtime reports that a connection ended in the middle of a chunked body.
      return noResponse(new Error('the body is incomplete'), attempt);
    }
  };

  const tryOnce = async (
    request: ClientRequest,
    attempt: number,
  ): Promise<{ value: unknown } | PortCongestionError> => {
    const cached = cache.get(request.path);
    if (cached !== undefined) keep(request.path, cached);
    let response: ServiceResponse;
    try {
      response = await sendOnce(request, cached);
    } catch (thrown) {
      if (request.signal?.aborted) throw request.signal.reason;
      return noResponse(thrown, attempt);
    }
    onResponse?.({ path: request.path, attempt, ...readInfo(response) });
    return readResponse(request, response, cached, attempt);
  };

  const mayRetry = ({ status, retryAfterSeconds = 0 }: PortCongestionError): boolean =>
    (status === undefined || isRetryable(status)) && retryAfterSeconds <= maxRetryAfterSeconds;

  return async (request) => {
    for (let retry = 0; ; retry += 1) {
      const outcome = await tryOnce(request, retry + 1);
      if (!(outcome instanceof PortCongestionError)) return outcome.value;
      if (retry >= maxRetries || !mayRetry(outcome)) throw outcome;
      const { retryAfterSeconds } = outcome;
      const ms = retryAfterSeconds === undefined ? backoffMs(retry, random()) : retryAfterSeconds * 1_000;
      await wait(ms, request.signal);
      request.signal?.throwIfAborted();
    }
  };
}
