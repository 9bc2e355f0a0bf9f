/** Sends a request: attempts, retries, revalidation. */
import { PortCongestionError } from './error.ts';
import { type CachedResponse, EtagCache } from './etag-cache.ts';
import type { ClientOptions } from './options.ts';
import {
  errorOf,
  rateLimitOf,
  requestIdOf,
  type ServiceResponse,
  unexpected,
  vintagesOf,
} from './response.ts';
import { backoffMs, isRetryable, sleep } from './retry.ts';
import { OUT_OF_TIME, withinTime } from './time-limit.ts';

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
function reasonOf(thrown: unknown): string {
  const { message, cause } = (thrown ?? {}) as { message?: unknown; cause?: { message?: unknown } };
  return String(cause?.message || message || thrown).split('\n', 1)[0] ?? '';
}

export function createTransport(options: ClientOptions): Transport {
  const {
    baseUrl,
    apiKey,
    maxRetries = 4,
    timeoutMs = 10_000,
    longestRetryAfterSeconds = 60,
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
    const what = late ? `none within ${timeoutMs} ms` : withoutKey(reasonOf(thrown), apiKey);
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
    const [requestId, rateLimit] = [requestIdOf(response), rateLimitOf(response)];
    onResponse?.({ path: request.path, status, requestId, attempt, rateLimit, ...vintagesOf(response) });
    if (status === 304 && cached !== undefined) return { value: request.read(cached.body) };
    if (status !== 200) {
      if (status < 400) return unexpected('not a response of the service.', response, attempt);
      return errorOf({ ...response, body: withoutKey(body, apiKey) }, attempt, now());
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
      const tooLong = retryAfterSeconds !== undefined && retryAfterSeconds > longestRetryAfterSeconds;
      if (retry >= maxRetries || tooLong || !mayRetry) throw outcome;
      const ms = retryAfterSeconds === undefined ? backoffMs(retry, random()) : retryAfterSeconds * 1_000;
      await wait(ms, request.signal);
      request.signal?.throwIfAborted();
    }
  };
}
