/** The HTTP client of the sources: stays on the declared hosts, limits size and time, retries transient failures. */
import { type Clock, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../reference/time.ts';
import { HTTP_TIME, WHOLE_NUMBER } from './fields.ts';
import {
  type BodyReader,
  findWholeAnswer,
  type HttpClient,
  type HttpReply,
  UpstreamFailure,
} from './http-client.ts';
import type { SourceDeclaration } from './source.ts';

// When to retry an upstream: the delay before a retry, and the circuit of a source.

/** First and longest step of the exponential back-off, in milliseconds. */
const FIRST_STEP_MS = 500;
const MAX_STEP_MS = 20_000;

/** Statuses of transient failures. */
const RETRIED_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

export const mayRetry = (status: number): boolean => RETRIED_STATUSES.has(status);

/** Full jitter: uniform between 0 and the doubled step of `attempt` (0 = the first retry). `random` is in [0, 1). */
export const jitteredDelayMs = (attempt: number, random: () => number): number =>
  Math.round(random() * Math.min(MAX_STEP_MS, FIRST_STEP_MS * 2 ** attempt));

/** Seconds of a `Retry-After` header (RFC 9110, 10.2.3), rounded up, not below 0; undefined when missing or invalid. */
export function parseRetryAfter(header: string | undefined, nowAt: Instant): number | undefined {
  const text = header?.trim() ?? '';
  const seconds = text.length > 9 ? undefined : WHOLE_NUMBER.read(text);
  if (seconds !== undefined) return seconds;
  const at = HTTP_TIME.read(text);
  return at === undefined ? undefined : Math.max(0, Math.ceil((at - nowAt) / 1000));
}

// The circuit of a source: after repeated failures it is fetched less and less often, until a fetch succeeds.

/** Failures in a row that count as transient; the next one pauses the source. */
export const FAILURES_BEFORE_PAUSE = 4;
const FIRST_PAUSE_MS = 10 * MINUTE_MS;
const MAX_PAUSE_MS = 6 * HOUR_MS;

/**
 * Until when a source is paused after `failures` failures in a row, the last time at `failedAt`;
 * undefined while it may be fetched on its schedule. The pause doubles from ten minutes to six hours, and is not shorter than
 * the upstream's `Retry-After`, which counts up to six hours too.
 */
export function pausedUntil(
  failures: number,
  failedAt: Instant,
  retryAfterSeconds: number | undefined,
): Instant | undefined {
  const asked = failedAt + Math.min((retryAfterSeconds ?? 0) * 1000, MAX_PAUSE_MS);
  const doublings = failures - FAILURES_BEFORE_PAUSE - 1;
  const own = doublings < 0 ? failedAt : failedAt + Math.min(FIRST_PAUSE_MS * 2 ** doublings, MAX_PAUSE_MS);
  const until = Math.max(asked, own);
  return until > failedAt ? until : undefined;
}

/** Codings that `fetch` decodes; the bytes of any other cannot be read. */
const KNOWN_CODINGS = new Set(['', 'identity', 'gzip', 'x-gzip', 'deflate', 'br']);

/** Throws `UpstreamFailure` when the reply has a content coding that was not requested. */
function refuseUnknownCoding(headers: Headers): void {
  const codings = (headers.get('content-encoding') ?? '').toLowerCase().split(',');
  const unknown = codings.map((coding) => coding.trim()).find((coding) => !KNOWN_CODINGS.has(coding));
  if (unknown !== undefined) throw new UpstreamFailure('unknown-coding', `content coding ${unknown}`);
}

function headersOf(response: Response): Record<string, string> {
  const headers: Record<string, string> = {};
  response.headers.forEach((value, name) => {
    headers[name] = value;
  });
  return headers;
}

/** Chunks of a body; one that is not read to the end is cancelled. */
async function* chunksIn({ body }: Response): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The whole body. Counts decompressed bytes as they stream, so that one which inflates without end stops at `maxBytes`. */
async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksIn(response)) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new UpstreamFailure('too-large', `more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.byteLength;
  }
  return body;
}

const PRODUCT = 'port-congestion-data-service/0.1';

/** The `User-Agent` of every request: the product, and the contact of the stage where it has one. */
export const userAgent = (contact: string | undefined): string =>
  contact === undefined ? PRODUCT : `${PRODUCT} (${contact})`;
const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface NetworkLimits {
  /** Attempts in total, including the first. */
  readonly tries: number;
  /** One attempt, from connection to the last byte; of a body read in chunks, up to the first and between two. */
  readonly tryTimeoutMs: number;
  /** All attempts and the waits between them, without the chunks of a body after the first. */
  readonly totalTimeoutMs: number;
  /** A body that is read in chunks, from the first to the last. */
  readonly streamTimeoutMs: number;
  /** If the upstream asks for a longer pause, this pass ends and the next one waits. */
  readonly maxRetryAfterSeconds: number;
}

const DEFAULT_LIMITS: NetworkLimits = {
  tries: 4,
  tryTimeoutMs: 60 * SECOND_MS,
  totalTimeoutMs: 180 * SECOND_MS,
  streamTimeoutMs: 480 * SECOND_MS,
  maxRetryAfterSeconds: 60,
};

interface NetworkOptions {
  readonly now: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly limits?: Partial<NetworkLimits>;
  /** E-mail address or https address of the operator, stated in every request. */
  readonly contact?: string | undefined;
  /** Plain http to this machine's own loopback address, for scripted upstreams; never set where it is deployed. */
  readonly allowLoopback?: boolean;
}

/** Why there is no reply, for the operator. */
function networkFailure(error: unknown, where: string, timedOut: boolean): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  if (timedOut) return new UpstreamFailure('timed-out', `${where}: no complete reply in time`);
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return new UpstreamFailure('network', `${where}: ${cause instanceof Error ? cause.message : 'failed'}`);
}

/** The address for messages, without its query, which may contain a key. */
const place = (url: URL): string => `${url.host}${url.pathname}`;

const TOO_MANY_REQUESTS = 429;
const RETRIED_REASONS = new Set(['refused', 'rate-limited', 'network', 'timed-out', 'unknown-coding']);

/** Aborts an attempt that takes too long; setting it again restarts the time. */
class AbortTimer {
  private timer: NodeJS.Timeout | undefined;
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;

  set(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.controller.abort(), Math.max(1, ms));
  }

  /** A reply that is not read to the end must not keep its connection open. */
  end(): void {
    clearTimeout(this.timer);
    this.controller.abort();
  }
}

/**
 * The client of one source. Every failure to get a reply is an `UpstreamFailure`; no address in it has a query. A reply that has
 * one of the declared `wholeAnswers` is returned at once: neither retried nor redirected.
 */
export function fetchHttpClient(
  declaration: Pick<SourceDeclaration, 'hosts' | 'maxReplyBytes' | 'wholeAnswers'>,
  { now, random, sleep, contact, allowLoopback = false, ...options }: NetworkOptions,
): HttpClient {
  const limits: NetworkLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const isWhole = (reply: HttpReply): boolean =>
    findWholeAnswer(declaration.wholeAnswers ?? [], reply) !== undefined;

  /** `address` as a URL when it is https on a declared host; throws `UpstreamFailure` otherwise. */
  function allowed(address: string, reason: string): URL {
    if (!URL.canParse(address)) throw new UpstreamFailure(reason, 'not an address');
    const url = new URL(address);
    const isSecure =
      url.protocol === 'https:' ||
      (allowLoopback && url.protocol === 'http:' && url.hostname === '127.0.0.1');
    if (!isSecure || !declaration.hosts.includes(url.host) || url.username !== '')
      throw new UpstreamFailure(reason, `${url.protocol}//${url.host} is not a declared host`);
    return url;
  }

  async function follow(
    first: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response> {
    let url = first;
    for (let hops = 0; ; hops += 1) {
      const response = await fetch(url, {
        signal,
        redirect: 'manual',
        headers: { 'user-agent': userAgent(contact), 'accept-encoding': 'gzip', ...headers },
      });
      const target = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
      const { status } = response;
      if (target === null || isWhole({ status, headers: headersOf(response), body: new Uint8Array() }))
        return response;
      await response.body?.cancel();
      if (hops >= MAX_REDIRECTS) throw new UpstreamFailure('redirect-refused', `${place(first)}: too many`);
      url = allowed(URL.canParse(target, url.href) ? new URL(target, url.href).href : '', 'redirect-refused');
    }
  }

  async function* timedChunks(response: Response, timer: AbortTimer): AsyncGenerator<Uint8Array> {
    const endAt = now() + limits.streamTimeoutMs;
    for await (const chunk of chunksIn(response)) {
      timer.set(Math.min(limits.tryTimeoutMs, endAt - now()));
      yield chunk;
    }
  }

  /** A reply to return, or the failure that ended this attempt. */
  async function tryOnce(
    url: URL,
    asked: Readonly<Record<string, string>>,
    deadlineAt: Instant,
    read: BodyReader | undefined,
  ): Promise<HttpReply | UpstreamFailure> {
    const timer = new AbortTimer();
    timer.set(Math.min(limits.tryTimeoutMs, deadlineAt - now()));
    try {
      const response = await follow(url, asked, timer.signal);
      refuseUnknownCoding(response.headers);
      const { status } = response;
      const headers = headersOf(response);
      if (read !== undefined && !mayRetry(status)) {
        await read(timedChunks(response, timer), { status, headers });
        return { status, headers, body: new Uint8Array() };
      }
      const body = await readBounded(response, declaration.maxReplyBytes);
      // `fetch` gives what could be inflated of a compressed body that ends early, and no error; here that was nothing. With some content it
      // is left to the parser: JSON and XML say where they end, and a day file, which does not, is asked for without a coding.
      if (status === 200 && body.length === 0 && (headers['content-encoding'] ?? '') !== '')
        throw new UpstreamFailure('network', `${place(url)}: the compressed body is empty or cut off`);
      if (!mayRetry(status) || isWhole({ status, headers, body })) return { status, headers, body };
      const pause = parseRetryAfter(headers['retry-after'], now());
      const reason = status === TOO_MANY_REQUESTS ? 'rate-limited' : 'refused';
      return new UpstreamFailure(reason, `${place(url)}: status ${status}`, pause);
    } catch (error) {
      return networkFailure(error, place(url), timer.signal.aborted);
    } finally {
      timer.end();
    }
  }

  return {
    async get(address, headers = {}, read) {
      const url = allowed(address, 'host-refused');
      const deadlineAt = now() + limits.totalTimeoutMs;
      for (let attempt = 0; ; attempt += 1) {
        const outcome = await tryOnce(url, headers, deadlineAt, read);
        if (!(outcome instanceof UpstreamFailure)) return outcome;
        const { reason, retryAfterSeconds: pause = 0 } = outcome;
        const pauseMs = pause * SECOND_MS + jitteredDelayMs(attempt, random);
        const isOver =
          attempt + 1 >= limits.tries ||
          !RETRIED_REASONS.has(reason) ||
          pause > limits.maxRetryAfterSeconds ||
          now() + pauseMs >= deadlineAt;
        if (isOver) throw outcome;
        await sleep(pauseMs);
      }
    },
  };
}
