/** What a client and a call can be told. */
import type { Window } from './records.ts';

export interface ClientOptions {
  /** Address of the service, for example `https://api.example.com`; paths begin with `/v1` behind it. */
  readonly baseUrl: string;
  /** Your API key. Only the health probe works without one. */
  readonly apiKey?: string | undefined;
  /** Further tries after the first, on 429, 5xx and network errors; 4 unless told otherwise. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds that one try may take, its body included; 10,000 unless told otherwise. */
  readonly timeoutMs?: number | undefined;
  /** A Retry-After above this is not waited for: the call fails at once and says the value; 60 seconds. */
  readonly longestRetryAfterSeconds?: number | undefined;
  /** Answers kept for revalidation by ETag; 100, and 0 keeps none. */
  readonly cacheEntries?: number | undefined;
  /** A live key in a browser is refused, because every visitor can read it there. True takes that risk. */
  readonly allowLiveKeyInBrowser?: boolean | undefined;
  /** Told of every answer that arrives, retried ones included. */
  readonly onResponse?: ((info: ResponseInfo) => void) | undefined;
  /** Replacements for tests: how requests are sent, time is told and passes, and chance falls (0 to 1). */
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly now?: (() => number) | undefined;
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  readonly random?: (() => number) | undefined;
}

export interface CallOptions {
  /** Ends the request, and the wait before a retry too; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface UntilOptions extends CallOptions {
  /** Last UTC day of the window, `YYYY-MM-DD`, included; today when it is left out. */
  readonly until?: string | undefined;
}

/** The last 7, 14 or 30 UTC calendar days, today included; or `days`, a whole number from 1 to 30. */
export type WindowOptions = UntilOptions &
  (
    | { readonly window?: Window | undefined; readonly days?: undefined }
    | { readonly days?: number | undefined; readonly window?: undefined }
  );

/** Exactly one of `window` and `days` (1 to 30). */
export type TrendOptions = UntilOptions &
  (
    | { readonly window: Window; readonly days?: undefined }
    | { readonly days: number; readonly window?: undefined }
  );

/** What the service says of the key's allotment. */
export interface RateLimit {
  /** Requests a minute. */
  readonly limit: number;
  /** What is left of them. */
  readonly remaining: number;
  /** When all of them are back. */
  readonly resetAt: Date;
}

export interface ResponseInfo {
  /** Path and query of the request. */
  readonly path: string;
  readonly status: number;
  readonly requestId: string | undefined;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly rateLimit: RateLimit | undefined;
}
