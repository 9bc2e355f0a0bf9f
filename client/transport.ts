/** Sends a request until it is answered for good: tries, waits, revalidation. */
import { type Answer, errorOf, rateLimitOf, requestIdOf, unexpected } from './answer.ts';
import { PortCongestionError } from './error.ts';
import { EtagCache, type KeptAnswer } from './etag-cache.ts';
import type { ClientOptions } from './options.ts';
import { backoffMs, isRetryable, sleep } from './retry.ts';
import { OUT_OF_TIME, withinTime } from './time-limit.ts';

export type MediaType = 'application/json' | 'text/csv';

export interface Asked<T> {
  /** Path and query, from `/v1` on. */
  readonly path: string;
  readonly type: MediaType;
  readonly authenticated: boolean;
  readonly signal: AbortSignal | undefined;
  /** Makes the value of a body; throws when the body is not what was asked for. */
  readonly read: (body: string) => T;
}

/** Sends what is asked; the value of the good answer. Rejects with `PortCongestionError`, or with the signal's reason. */
export type Transport = <T>(asked: Asked<T>) => Promise<T>;

/** The key stands nowhere in an error, even when something on the way sends it back. */
const withoutKey = (text: string, key: string | undefined): string =>
  key === undefined ? text : text.split(key).join('[key]');

/** Why `fetch` gave up, in one line: undici puts the reason in the cause. */
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
    // Looked up at each call and called without a receiver: browsers insist on that.
    fetch = (input, init) => globalThis.fetch(input, init),
    now = Date.now,
    random = Math.random,
  } = options;
  const wait = options.sleep ?? sleep;
  const base = baseUrl.replace(/\/+$/, '');
  const cache = new EtagCache(cacheEntries);

  const sendOnce = ({ path, type, authenticated, signal }: Asked<unknown>, kept: KeptAnswer | undefined) =>
    withinTime(timeoutMs, signal, async (trySignal): Promise<Answer> => {
      const headers: Record<string, string> = { Accept: type };
      if (authenticated && apiKey !== undefined) headers['X-API-Key'] = apiKey;
      if (kept !== undefined) headers['If-None-Match'] = kept.etag;
      // A redirect is not followed: it would carry the key to wherever it leads.
      const response = await fetch(base + path, { headers, redirect: 'manual', signal: trySignal });
      return { status: response.status, headers: response.headers, body: await response.text() };
    });

  const noAnswer = (thrown: unknown, attempts: number): PortCongestionError => {
    const late = thrown === OUT_OF_TIME;
    const what = late ? `none within ${timeoutMs} ms` : withoutKey(reasonOf(thrown), apiKey);
    return new PortCongestionError(`No answer: ${what}`, {
      code: late ? 'timeout' : 'network_error',
      status: undefined,
      hint: undefined,
      requestId: undefined,
      retryAfterSeconds: undefined,
      attempts,
    });
  };

  /** The value of a good answer, or the error that this try ended in. */
  const tryOnce = async <T>(
    asked: Asked<T>,
    attempt: number,
  ): Promise<{ value: T } | PortCongestionError> => {
    const kept = cache.get(asked.path);
    let answer: Answer;
    try {
      answer = await sendOnce(asked, kept);
    } catch (thrown) {
      if (asked.signal?.aborted) throw asked.signal.reason;
      return noAnswer(thrown, attempt);
    }
    const { status, headers, body } = answer;
    const [requestId, rateLimit] = [requestIdOf(answer), rateLimitOf(answer)];
    onResponse?.({ path: asked.path, status, requestId, attempt, rateLimit });
    if (status === 304 && kept !== undefined) return { value: asked.read(kept.body) };
    if (status !== 200) {
      if (status < 400) return unexpected('not an answer of the service.', answer, attempt);
      return errorOf({ ...answer, body: withoutKey(body, apiKey) }, attempt, now());
    }
    if (!headers.get('Content-Type')?.startsWith(asked.type))
      return unexpected(`the answer is not ${asked.type}.`, answer, attempt);
    try {
      const value = asked.read(body);
      const etag = headers.get('ETag');
      if (etag !== null) cache.set(asked.path, { etag, body });
      return { value };
    } catch {
      // Not every runtime says that a connection ended in the middle of a chunked body.
      return noAnswer(new Error('the body is not whole'), attempt);
    }
  };

  return async (asked) => {
    for (let retry = 0; ; retry += 1) {
      const outcome = await tryOnce(asked, retry + 1);
      if (!(outcome instanceof PortCongestionError)) return outcome.value;
      const { status, retryAfterSeconds } = outcome;
      const mayHeal = status === undefined || isRetryable(status);
      const tooLong = retryAfterSeconds !== undefined && retryAfterSeconds > longestRetryAfterSeconds;
      if (retry >= maxRetries || tooLong || !mayHeal) throw outcome;
      const ms = retryAfterSeconds === undefined ? backoffMs(retry, random()) : retryAfterSeconds * 1_000;
      await wait(ms, asked.signal);
      asked.signal?.throwIfAborted();
    }
  };
}
