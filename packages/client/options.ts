/** Options of a client and of a call, and what it reports. */
import type { PortCongestionError } from './error.ts';

export interface ClientOptions {
  /** Address of the service, for example `https://api.example.com`; paths that begin with `/v1` are appended. */
  readonly baseUrl: string;
  /** Your API key. Only the health probe works without one. */
  readonly apiKey?: string | undefined;
  /** Retries after the first attempt, on 429, 5xx and network errors; default 4. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds that one attempt may take, body included; default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** When Retry-After is longer than this, the call fails at once and the error has the value; default 60 seconds. */
  readonly maxRetryAfterSeconds?: number | undefined;
  /** Responses cached for revalidation by ETag; default 100, 0 turns the cache off. */
  readonly cacheEntries?: number | undefined;
  /** A live key in a browser is refused, because every visitor can read it there. True takes that risk. */
  readonly allowLiveKeyInBrowser?: boolean | undefined;
  /** Called with every response, retried ones included. */
  readonly onResponse?: ((info: ResponseInfo) => void) | undefined;
  /** Replacements for tests: fetch, clock, sleep and random numbers (0 to 1). */
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly now?: (() => number) | undefined;
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  readonly random?: (() => number) | undefined;
}

export interface CallOptions {
  /** Aborts the request, and the wait before a retry; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The key's rate limit, from the response headers. */
export interface RateLimit {
  /** Requests a minute. */
  readonly limit: number;
  /** Requests left this minute. */
  readonly remaining: number;
  /** When all of them are back. */
  readonly resetAt: Date;
}

export interface ResponseInfo {
  /** Path and query of the request. */
  readonly path: string;
  readonly status: number;
  readonly requestId: string | undefined;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly rateLimit: RateLimit | undefined;
  /** On an empty response to `as_of`: the first UTC day with a vintage. */
  readonly vintagesFrom?: string;
  /** True on a response to `as_of` with figures of a back-fill, which were not known on that day. */
  readonly backfilled?: true;
}

/** The result for one port: its value or its error. */
export type PortResult<T> =
  | { readonly port: string; readonly value: T; readonly error?: undefined }
  | { readonly port: string; readonly value?: undefined; readonly error: PortCongestionError };
