/**
 * The typed client: requests by openapi-fetch, types made from the OpenAPI document, and one `fetch` that does what the
 * contract asks of clients.
 */
import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths } from './api.ts';

/** When to retry: after Retry-After if the service sends it, else with exponential backoff and jitter. */
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;
const JITTER = 0.2;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Statuses that a retry may fix. Any other 4xx would come again, because the request itself is wrong. */
export const isRetryable = (status: number): boolean => status === 429 || status >= 500;

/**
 * Wait before retry number `retry` (0 is the first): 1, 2, 4, 8 s and so on, each up to 20 % shorter or longer,
 * never above 30 s. `chance` is uniform in 0..1.
 */
export const backoffMs = (retry: number, chance: number): number =>
  Math.min(MAX_WAIT_MS, Math.round(FIRST_WAIT_MS * 2 ** retry * (1 - JITTER + 2 * JITTER * chance)));

/** Seconds that a Retry-After value asks for, as a number or as an HTTP date; undefined when it is neither. */
export function retryAfterSeconds(value: string | null, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1_000));
}

export type * from './api.ts';

export interface ClientOptions {
  /** Address of the service, for example `https://api.example.com`; paths that begin with `/v1` are appended. */
  readonly baseUrl: string;
  /** Your API key. Only the health probe works without one. */
  readonly apiKey?: string | undefined;
  /** Retries after the first try, on 429, 5xx and network errors; default 4. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds that one try may take, body included; default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** A 429 or 503 with a longer Retry-After is returned at once; default 60 seconds. */
  readonly maxRetryAfterSeconds?: number | undefined;
  /** Responses cached for revalidation by ETag; default 100, 0 turns the cache off. */
  readonly cacheEntries?: number | undefined;
  /** Replacements for tests: fetch, clock, sleep and random numbers (0 to 1). */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  readonly now?: (() => number) | undefined;
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  readonly random?: (() => number) | undefined;
}

/** Why there is no response of the service: of the network, of time, or because something else responded. */
export class PortCongestionError extends Error {
  override readonly name = 'PortCongestionError';
  readonly code: 'network_error' | 'timeout' | 'invalid_response';
  /** HTTP status of an invalid response. */
  readonly status: number | undefined;
  /** Number of tries. */
  readonly attempts: number;

  constructor(message: string, code: PortCongestionError['code'], attempts: number, status?: number) {
    super(message);
    this.code = code;
    this.attempts = attempts;
    this.status = status;
  }
}

/** A response with its whole body. */
interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

const realSleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });

/** The reason that `fetch` gives in the cause of its error, by code or message. */
function networkReason(thrown: unknown): string {
  const { cause, message } = (thrown ?? {}) as {
    cause?: { code?: string; message?: string };
    message?: string;
  };
  return cause?.code || cause?.message || message || 'the connection failed';
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Whether the body is the whole of what its media type announces: not every runtime reports a body that was cut off. */
const isWhole = ({ body }: Received, type: string): boolean =>
  type === 'text/csv' ? body.endsWith('\n') : type !== 'application/json' || isJson(body);

const isEnvelope = (body: string): boolean => {
  const parsed = isJson(body) ? (JSON.parse(body) as { code?: unknown; message?: unknown } | null) : null;
  return typeof parsed?.code === 'string' && typeof parsed.message === 'string';
};

const GOOD_TYPES = ['application/json', 'text/csv', 'application/atom+xml', 'application/feed+json'];

/** Throws a TypeError, which does not contain the key, unless the key fits in a header. */
function checkOptions({ baseUrl, apiKey }: ClientOptions): void {
  if (!/^https?:\/\/[^/?#]/.test(baseUrl)) throw new TypeError('baseUrl must be an http or https address');
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError(
      'apiKey is empty or has characters that keys never have, such as a space or a line end',
    );
}

/** `fetch` with the key, a time limit for each try, retries, and revalidation of responses it has seen. */
function contractFetch(options: ClientOptions): (request: Request) => Promise<Response> {
  const {
    apiKey,
    timeoutMs = 10_000,
    maxRetries = 4,
    maxRetryAfterSeconds = 60,
    cacheEntries = 100,
  } = options;
  const { fetch = globalThis.fetch, now = Date.now, sleep = realSleep, random = Math.random } = options;
  const withoutKey = (text: string): string => (apiKey ? text.replaceAll(apiKey, '[key]') : text);
  /** By address; the one that was used longest ago is the first, because a Map keeps the order of insertion. */
  const cache = new Map<string, Received>();

  const keep = (url: string, received: Received): void => {
    cache.delete(url);
    if (received.headers.has('ETag')) cache.set(url, received);
    const [oldest] = cache.keys();
    if (cache.size > cacheEntries && oldest !== undefined) cache.delete(oldest);
  };

  const send = async (request: Request, cached: Received | undefined): Promise<Received> => {
    const headers = new Headers(request.headers);
    const etag = cached?.headers.get('ETag');
    if (apiKey !== undefined) headers.set('X-API-Key', apiKey);
    if (etag && !headers.has('If-None-Match')) headers.set('If-None-Match', etag);
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
    // A redirect is not followed: it would send the key to another address.
    const response = await fetch(new Request(request.url, { headers, signal, redirect: 'manual' }));
    return { status: response.status, headers: response.headers, body: await response.text() };
  };

  /** What a try failed with, unless the caller has ended it. */
  const failure = (thrown: unknown, attempts: number, { signal }: Request): PortCongestionError => {
    if (signal.aborted) throw signal.reason;
    const late = (thrown as Error | undefined)?.name === 'TimeoutError';
    const reason = late ? `none within ${timeoutMs} ms` : withoutKey(networkReason(thrown));
    return new PortCongestionError(`No response: ${reason}`, late ? 'timeout' : 'network_error', attempts);
  };

  /** The response for the caller, or what is wrong with it. */
  const check = (
    received: Received,
    cached: Received | undefined,
    request: Request,
    attempts: number,
  ): Response | PortCongestionError => {
    const { status, headers, body } = received;
    if (status === 304 && cached !== undefined && !request.headers.has('If-None-Match')) {
      keep(request.url, cached);
      return new Response(cached.body, { headers: cached.headers });
    }
    const invalid = (what: string): PortCongestionError =>
      new PortCongestionError(
        `${status}: ${what} Check baseUrl: something other than the service may be responding.`,
        'invalid_response',
        attempts,
        status,
      );
    if (status >= 400) {
      const text = withoutKey(body);
      return isEnvelope(text)
        ? new Response(text, { status, headers })
        : invalid('the response has no error envelope.');
    }
    if (status === 304 && request.headers.has('If-None-Match'))
      return new Response(null, { status, headers });
    if (status !== 200) return invalid('not a response of the service.');
    const type = headers.get('Content-Type')?.split(';', 1)[0] ?? '';
    if (!GOOD_TYPES.includes(type)) return invalid(`the response is ${type || 'of no type'}.`);
    if (!isWhole(received, type)) return failure(new Error('the body is incomplete'), attempts, request);
    keep(request.url, received);
    return new Response(body, { headers });
  };

  /** Milliseconds until the next try; undefined where there is none. */
  const pause = (status: number | undefined, retryAfter: string | null, retries: number) => {
    if (retries >= maxRetries || (status !== undefined && !isRetryable(status))) return undefined;
    const seconds = retryAfterSeconds(retryAfter, now());
    if (seconds === undefined) return backoffMs(retries, random());
    return seconds <= maxRetryAfterSeconds ? seconds * 1_000 : undefined;
  };

  return async (request) => {
    for (let retries = 0; ; retries += 1) {
      request.signal.throwIfAborted();
      const cached = cache.get(request.url);
      let retryAfter: string | null = null;
      const outcome = await send(request, cached).then(
        (received) => {
          retryAfter = received.headers.get('Retry-After');
          return check(received, cached, request, retries + 1);
        },
        (thrown: unknown) => failure(thrown, retries + 1, request),
      );
      const ms = pause(outcome.status, retryAfter, retries);
      if (ms !== undefined) await sleep(ms, request.signal);
      else if (outcome instanceof Response) return outcome;
      else throw outcome;
    }
  };
}

/** The client of openapi-fetch with the paths of the service; `data` is the JSON form, and text with `parseAs: 'text'`. */
export type PortCongestionClient = Client<paths, 'application/json'>;

/**
 * A client whose `GET` resolves with `data`, or with `error`, the error envelope of the service. It rejects with a
 * `PortCongestionError` when there is no response of the service, and with the signal's reason once that is aborted.
 * Throws a TypeError for an invalid base address or key.
 *
 * @example
 * const { data, error } = await client.GET('/v1/ports/{UNLOCODE}/trend', {
 *   params: { path: { UNLOCODE: 'TWKHH' }, query: { window: '7d' } },
 * });
 */
export function createClient(options: ClientOptions): PortCongestionClient {
  checkOptions(options);
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  return createFetchClient<paths, 'application/json'>({ baseUrl, fetch: contractFetch(options) });
}
