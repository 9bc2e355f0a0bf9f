/** The HTTP client of the sources: stays on the declared hosts, limits size and time, retries transient failures. */
import { type Clock, type Instant, SECOND_MS } from '../../reference/time.ts';
import type { SourceDeclaration } from '../source.ts';
import {
  type BodyReader,
  type HttpClient,
  type HttpReply,
  type ReplyHead,
  UpstreamFailure,
} from './http-client.ts';
import { jitteredDelayMs, mayRetry, parseRetryAfter } from './retry.ts';

// Reads a reply's body up to a limit; bytes beyond the limit are never in memory.

/** Codings that `fetch` decodes; the bytes of any other cannot be read. */
const KNOWN_CODINGS = new Set(['', 'identity', 'gzip', 'x-gzip', 'deflate', 'br']);

/** Throws `UpstreamFailure` when the reply has a content coding that was not requested. */
function refuseUnknownCoding(headers: Headers): void {
  const codings = (headers.get('content-encoding') ?? '').toLowerCase().split(',');
  const unknown = codings.map((coding) => coding.trim()).find((coding) => !KNOWN_CODINGS.has(coding));
  if (unknown !== undefined) throw new UpstreamFailure('unknown-coding', `content coding ${unknown}`);
}

/**
 * The whole body, decompressed. Counts decompressed bytes as they stream, so that a small reply which inflates
 * without end stops at `maxBytes` with an `UpstreamFailure`. A body that breaks off rejects as `fetch` does.
 */
async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array> {
  if (!response.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > maxBytes) {
      await reader.cancel().catch(() => undefined);
      throw new UpstreamFailure('too-large', `more than ${maxBytes} bytes`);
    }
    chunks.push(next.value);
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
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

const RETRIED_REASONS = new Set(['network', 'timed-out', 'unknown-coding']);

/** Aborts an attempt that takes too long; setting it again restarts the time. */
class AbortTimer {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly abort: AbortController) {}

  set(ms: number): void {
    this.clear();
    this.timer = setTimeout(() => this.abort.abort(), Math.max(1, ms));
  }

  clear(): void {
    clearTimeout(this.timer);
  }
}

function readHead(response: Response): ReplyHead {
  const headers: Record<string, string> = {};
  response.headers.forEach((value, name) => {
    headers[name] = value;
  });
  return { status: response.status, headers };
}

class FetchHttpClient implements HttpClient {
  private readonly limits: NetworkLimits;

  constructor(
    private readonly declaration: Pick<SourceDeclaration, 'hosts' | 'maxReplyBytes'>,
    private readonly options: NetworkOptions,
  ) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  async get(
    address: string,
    headers: Readonly<Record<string, string>> = {},
    read?: BodyReader,
  ): Promise<HttpReply> {
    const url = this.allowed(address, 'host-refused');
    const deadlineAt = this.options.now() + this.limits.totalTimeoutMs;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.tryOnce(url, headers, deadlineAt, read);
      if (!(outcome instanceof UpstreamFailure)) return outcome;
      const last = attempt + 1 >= this.limits.tries;
      if (last || !this.isRetryable(outcome)) throw outcome;
      const askedPauseSeconds = outcome.retryAfterSeconds;
      if (askedPauseSeconds !== undefined && askedPauseSeconds > this.limits.maxRetryAfterSeconds)
        throw outcome;
      const pauseMs = (askedPauseSeconds ?? 0) * SECOND_MS + jitteredDelayMs(attempt, this.options.random);
      if (this.options.now() + pauseMs >= deadlineAt) throw outcome;
      await this.options.sleep(pauseMs);
    }
  }

  private isRetryable(failure: UpstreamFailure): boolean {
    return failure.reason === 'refused' || RETRIED_REASONS.has(failure.reason);
  }

  /** A reply to return, or the failure that ended this attempt. */
  private async tryOnce(
    url: URL,
    headers: Readonly<Record<string, string>>,
    deadlineAt: Instant,
    read: BodyReader | undefined,
  ): Promise<HttpReply | UpstreamFailure> {
    const abort = new AbortController();
    const timer = new AbortTimer(abort);
    timer.set(Math.min(this.limits.tryTimeoutMs, deadlineAt - this.options.now()));
    try {
      const response = await this.follow(url, headers, abort.signal);
      refuseUnknownCoding(response.headers);
      if (!mayRetry(response.status)) {
        const head = readHead(response);
        if (read === undefined)
          return { ...head, body: await readBounded(response, this.declaration.maxReplyBytes) };
        await read(this.chunksOf(response, timer), head);
        return { ...head, body: new Uint8Array() };
      }
      await readBounded(response, this.declaration.maxReplyBytes);
      const asked = parseRetryAfter(response.headers.get('retry-after') ?? undefined, this.options.now());
      return new UpstreamFailure('refused', `${place(url)}: status ${response.status}`, asked);
    } catch (error) {
      return networkFailure(error, place(url), abort.signal.aborted);
    } finally {
      timer.clear();
      // A reply that is not read to the end must not keep its connection open.
      abort.abort();
    }
  }

  private async *chunksOf(response: Response, timer: AbortTimer): AsyncGenerator<Uint8Array> {
    if (!response.body) return;
    const endAt = this.options.now() + this.limits.streamTimeoutMs;
    const reader = response.body.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      timer.set(Math.min(this.limits.tryTimeoutMs, endAt - this.options.now()));
      yield next.value;
    }
  }

  private async follow(
    first: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response> {
    let url = first;
    for (let hops = 0; ; hops += 1) {
      const response = await fetch(url, {
        signal,
        redirect: 'manual',
        headers: { 'user-agent': userAgent(this.options.contact), 'accept-encoding': 'gzip', ...headers },
      });
      const target = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
      if (target === null) return response;
      await response.body?.cancel();
      if (hops >= MAX_REDIRECTS) throw new UpstreamFailure('redirect-refused', `${place(first)}: too many`);
      url = this.allowed(
        URL.canParse(target, url.href) ? new URL(target, url.href).href : '',
        'redirect-refused',
      );
    }
  }

  /** `address` as a URL when it is https on a declared host; throws `UpstreamFailure` otherwise. */
  private allowed(address: string, reason: string): URL {
    if (!URL.canParse(address)) throw new UpstreamFailure(reason, 'not an address');
    const url = new URL(address);
    const loopback = this.options.allowLoopback === true && url.protocol === 'http:';
    const declared = this.declaration.hosts.includes(url.host) && url.username === '';
    const known = url.protocol === 'https:' ? declared : loopback && url.hostname === '127.0.0.1' && declared;
    if (!known) throw new UpstreamFailure(reason, `${url.protocol}//${url.host} is not a declared host`);
    return url;
  }
}

/** The client of one source. Every failure to get a reply is an `UpstreamFailure`; no address in it has a query. */
export const fetchHttpClient = (
  declaration: Pick<SourceDeclaration, 'hosts' | 'maxReplyBytes'>,
  options: NetworkOptions,
): HttpClient => new FetchHttpClient(declaration, options);
