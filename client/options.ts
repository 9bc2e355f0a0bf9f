/** Options of a client and of a call. */
import type { ForecastMetric, PortOrder, Severity, VesselClass, Window } from './records.ts';

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

export interface AsOfOptions extends CallOptions {
  /** The figures as they were served at the end of this UTC day, `YYYY-MM-DD`; those of now when it is left out. */
  readonly asOf?: string | undefined;
}

export interface PortsOptions extends AsOfOptions {
  /** Field to sort by, with a minus before it for the highest first; by UN/LOCODE when it is left out. */
  readonly sort?: PortOrder | undefined;
  /** Only the ports of this country: its ISO 3166-1 alpha-2 code. */
  readonly country?: string | undefined;
}

export interface ChangesOptions extends CallOptions {
  /** Most ports of a response, 1 to 500; 10 when it is left out. */
  readonly limit?: number | undefined;
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
  AsOfOptions &
  (
    | { readonly window: Window; readonly days?: undefined }
    | { readonly days: number; readonly window?: undefined }
  );

/** The days from `from` to `to`, `YYYY-MM-DD`, both included, at most 366 days apart; by default the last 30. */
export interface WaitsOptions extends AsOfOptions {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Only calls of this vessel class, where the source states it. */
  readonly class?: VesselClass | undefined;
}

export interface AlertFeedOptions extends CallOptions {
  /** First UTC day, `YYYY-MM-DD`, at most 90 days back. */
  readonly since?: string | undefined;
  /** Only the alerts of ports of this country: its ISO 3166-1 alpha-2 code. */
  readonly country?: string | undefined;
  /** Only alerts of this severity or a higher one. */
  readonly severity?: Severity | undefined;
  /** The `id` of the last alert of the page before. */
  readonly after?: string | undefined;
  /** Alerts in the response, 1 to 500; 100 by default. */
  readonly limit?: number | undefined;
}

export interface ForecastOptions extends CallOptions {
  /** `avg_wait_hours` when it is left out. */
  readonly metric?: ForecastMetric | undefined;
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
  /** On an empty response to `asOf`: the first UTC day with a vintage. */
  readonly vintagesFrom?: string;
  /** True on a response to `asOf` with figures of a back-fill, which nobody could have known then. */
  readonly backfilled?: true;
}
