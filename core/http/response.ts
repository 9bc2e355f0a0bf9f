/** The 200 or 304 of a request: data as JSON or CSV, with an entity tag, a content coding, and the headers of its path. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { atom, jsonFeedOf } from '../contracts/feeds.ts';
import { csvFileName, csvHeader, csvRows, type Route } from '../contracts/route.ts';
import { CACHEABLE, FORMATS, HEADERS, JSON_TYPE, NOT_CACHEABLE, VARY } from '../contracts/wire.ts';
import { type GatewayEvent, type ReadParameters, readHeader } from './request.ts';

// Headers that do not depend on the data: alias and deprecation of the path, and cross-origin permission.

/** Seconds since the epoch as RFC 9745 writes them, and an HTTP date as RFC 8594 does. */
const deprecatedSince = (day: string): string => `@${Date.parse(`${day}T00:00:00Z`) / 1000}`;
const httpDate = (day: string): string => new Date(`${day}T00:00:00Z`).toUTCString();

/** `path` relative to `resource`: a prefix of both, such as the stage name, is not known here. */
const relativeTo = (resource: string, path: string): string =>
  `${'../'.repeat(resource.split('/').length - 2)}${path.slice(1)}`;

/** The headers of a path that is an alias or deprecated. `resource` is the path template that was matched. */
export function routeHeaders(route: Route, resource: string): Record<string, string> {
  const [preferred, ...aliases] = route.paths;
  const links: string[] = [];
  if (aliases.includes(resource)) links.push(`<${relativeTo(resource, preferred)}>; rel="successor-version"`);
  if (route.deprecation !== undefined) links.push(`<${route.deprecation.link}>; rel="deprecation"`);
  return {
    ...(links.length > 0 && { [HEADERS.link]: links.join(', ') }),
    ...(route.deprecation && {
      [HEADERS.deprecation]: deprecatedSince(route.deprecation.since),
      [HEADERS.sunset]: httpDate(route.deprecation.sunset),
    }),
  };
}

/** Response headers that a page of another origin may read. */
const EXPOSED = [
  HEADERS.etag,
  HEADERS.retryAfter,
  HEADERS.rateLimitLimit,
  HEADERS.rateLimitRemaining,
  HEADERS.rateLimitReset,
  HEADERS.requestId,
  HEADERS.link,
  HEADERS.vintages,
  HEADERS.vintagesFrom,
].join(', ');

/** The origins of a setting like `https://a.example,https://b.example`; none when it is absent. */
export const allowedOrigins = (setting: string | undefined): ReadonlySet<string> =>
  new Set((setting ?? '').split(',').filter((origin) => origin !== ''));

/** The headers that let a page of a named origin read the response. Keys do not belong in pages, so none is the default. */
export function corsHeaders(origins: ReadonlySet<string>, event: GatewayEvent): Record<string, string> {
  if (origins.size === 0) return {};
  const origin = readHeader(event, 'origin');
  // Caches must store responses by origin, also those without permission.
  const vary = { [HEADERS.vary]: `${VARY}, Origin` };
  if (origin === undefined || !origins.has(origin)) return vary;
  return { ...vary, 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED };
}

// Content codings: whether a client takes gzip, and a body in it (RFC 9110, 8.4 and 12.5.3).

/** A body of fewer bytes fits into one packet as it is. */
const MIN_GZIP_BYTES = 1024;

/** Whether an Accept-Encoding value allows gzip: by name, else by `*`, with a weight above 0. Absent means no. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  const weights = new Map<string, number>();
  for (const coding of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = coding.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    weights.set(name, Number(weight));
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

/** The tag of the gzip form of a body with the strong tag `etag`: a strong tag belongs to one encoding. */
const gzipTag = (etag: string): string => `${etag.slice(0, -1)}-gzip"`;

/** The body as base64 of its gzip form, made when first asked for; undefined for a body that is too short. */
export function compress(body: string): (() => string) | undefined {
  if (Buffer.byteLength(body) < MIN_GZIP_BYTES) return undefined;
  let encoded: string | undefined;
  return () => {
    encoded ??= gzipSync(body).toString('base64');
    return encoded;
  };
}

/** Data as the bytes and headers of a 200, the same for every caller. */
export interface Representation {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent where a client cannot revalidate. */
  readonly etag?: string;
  /** The body as base64 of its gzip form; absent where it is not worth it. */
  readonly gzip?: (() => string) | undefined;
}

type Cell = string | number | readonly (string | number | null)[] | null | undefined;

const quoted = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function cell(value: Cell): string {
  if (value === undefined || value === null) return '';
  if (!Array.isArray(value)) return quoted(String(value));
  return quoted(value.map((item) => String(item ?? '')).join(' '));
}

/**
 * CSV as RFC 4180 defines it, with LF line ends: a header row always, then one line for each row. Numbers are written as
 * in JSON, lists are separated by a space; a missing value, in a list too, is empty.
 */
export function csv(columns: readonly string[], rows: readonly object[]): string {
  const lines = rows.map((row) =>
    columns.map((column) => cell((row as Record<string, Cell>)[column])).join(','),
  );
  return `${[columns.join(','), ...lines].join('\n')}\n`;
}

/** A quoted strong entity tag of the exact bytes of `body` (RFC 9110, 8.8.3): equal data have equal tags everywhere. */
export const entityTag = (body: string): string =>
  `"${createHash('sha256').update(body).digest('base64url')}"`;

/**
 * Whether an If-None-Match value names `tag`, by the weak comparison of RFC 9110, 13.1.2: lists, `W/` forms and `*` count,
 * and anything that is not an entity tag is ignored.
 */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const named = ifNoneMatch.matchAll(/(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g);
  return [...named].some(([, opaque]) => opaque === tag);
}

/** The body in the format that is asked for, with its type. */
function writeContent(
  route: Route,
  { path, query, base = '' }: ReadParameters,
  data: unknown,
  nowAt: number,
): Pick<Representation, 'body'> & { readonly content: Record<string, string> } {
  const { format } = query;
  if (route.feedOf !== undefined && (format === 'atom' || format === 'jsonfeed')) {
    const feed = route.feedOf(data, query, base);
    const sent = Object.entries(query).filter(
      ([name, value]) => value !== undefined && value !== route.query[name]?.default,
    );
    const self = `${base}${route.paths[0]}?${new URLSearchParams(sent.map(([name, value]) => [name, String(value)]))}`;
    const body =
      format === 'atom'
        ? atom(feed, self, new Date(nowAt).toISOString().slice(0, 10))
        : JSON.stringify(jsonFeedOf(feed, self));
    return { body, content: { [HEADERS.contentType]: FORMATS[format] } };
  }
  if (route.geoJson !== undefined && format === 'geojson')
    return {
      body: JSON.stringify(route.geoJson.of(data)),
      content: { [HEADERS.contentType]: FORMATS.geojson },
    };
  const columns = format === 'csv' ? csvHeader(route) : undefined;
  if (columns === undefined)
    return { body: JSON.stringify(data), content: { [HEADERS.contentType]: JSON_TYPE } };
  return {
    body: csv(columns, csvRows(route, data)),
    content: {
      [HEADERS.contentType]: FORMATS.csv,
      [HEADERS.contentDisposition]: `inline; filename="${csvFileName(route, Object.values(path), query)}"`,
    },
  };
}

/** The representation of `data` that `parameters` ask for; `nowAt` is the service's time, in epoch milliseconds. */
export function representation(
  route: Route,
  parameters: ReadParameters,
  data: unknown,
  nowAt: number,
): Representation {
  if (!route.authenticated) {
    const headers = { [HEADERS.contentType]: JSON_TYPE, [HEADERS.cacheControl]: NOT_CACHEABLE };
    return { body: JSON.stringify(data), headers };
  }
  const { body, content } = writeContent(route, parameters, data, nowAt);
  const etag = entityTag(body);
  const headers = {
    ...content,
    [HEADERS.etag]: etag,
    [HEADERS.cacheControl]: route.isCacheable?.(data) === false ? NOT_CACHEABLE : CACHEABLE,
    [HEADERS.vary]: VARY,
  };
  return { body, headers, etag, gzip: compress(body) };
}

/**
 * The 304 of a client that has these data in either encoding, else the 200, as gzip where the client takes it. HEAD
 * gets no body, and the length of the body that GET has. The representation may be cached: the headers are a copy of its own.
 */
export function responseTo(
  event: GatewayEvent,
  { body, headers, etag, gzip }: Representation,
): APIGatewayProxyResult {
  const encode = acceptsGzip(readHeader(event, 'accept-encoding')) ? gzip : undefined;
  const ifNoneMatch = etag === undefined ? undefined : readHeader(event, 'if-none-match');
  if (ifNoneMatch !== undefined && etag !== undefined) {
    const tags = gzip === undefined ? [etag] : [etag, gzipTag(etag)];
    if (encode !== undefined) tags.reverse();
    const current = tags.find((tag) => namesTag(ifNoneMatch, tag));
    // A 304 states the type as well: without it API Gateway would add JSON's, and caches would store that.
    if (current !== undefined)
      return { statusCode: 304, headers: { ...headers, [HEADERS.etag]: current }, body: '' };
  }
  const sent = encode?.() ?? body;
  const good = { statusCode: 200, headers: { ...headers } as Record<string, string> };
  if (encode !== undefined && etag !== undefined)
    Object.assign(good.headers, { [HEADERS.contentEncoding]: 'gzip', [HEADERS.etag]: gzipTag(etag) });
  if (event.httpMethod !== 'HEAD')
    return encode === undefined ? { ...good, body } : { ...good, body: sent, isBase64Encoded: true };
  good.headers[HEADERS.contentLength] = String(
    Buffer.byteLength(sent, encode === undefined ? 'utf8' : 'base64'),
  );
  return { ...good, body: '' };
}

// The response cache of a function instance, so that a run of equal requests reads the store once. A cached response
// may be as old as the set time, on top of the time that clients may keep it.

export const MAX_LIFETIME_MS = 10_000;
/** Limits of the cache: responses, and characters of their bodies; the oldest is dropped first. */
const MAX_RESPONSES = 200;
const MAX_CHARACTERS = 16_000_000;

interface Entry {
  readonly response: Promise<Representation>;
  /** Time on the stopwatch. */
  readonly until: number;
  /** Length of the body; 0 while it is being made. */
  characters: number;
}

/** The cached response to these parameters, of this version of the data, else what `make` resolves with. A rejection is never cached. */
export type ResponseCache = (
  parameters: ReadParameters,
  make: () => Promise<Representation>,
  version?: string,
) => Promise<Representation>;

/** Milliseconds of a setting such as `5`, in seconds; 0 when it is absent. Throws unless it is from 0 to 10. */
export function readLifetimeMs(setting: string | undefined): number {
  const lifetimeMs = Number(setting ?? 0) * 1000;
  if (!(lifetimeMs >= 0 && lifetimeMs <= MAX_LIFETIME_MS))
    throw new Error(`responses may be cached for 0 to ${MAX_LIFETIME_MS / 1000} seconds, not ${setting}`);
  return lifetimeMs;
}

/** @param stopwatch monotonic milliseconds */
export function createResponseCache(lifetimeMs: number, stopwatch: () => number): ResponseCache {
  if (lifetimeMs === 0) return (_parameters, make) => make();
  const entries = new Map<string, Entry>();
  let characters = 0;

  const drop = (name: string): void => {
    characters -= entries.get(name)?.characters ?? 0;
    entries.delete(name);
  };
  const dropOldest = (): void => {
    const [oldest] = entries.keys();
    if (oldest !== undefined) drop(oldest);
  };

  /** The length of a body is known once the response is made. */
  const weigh = (name: string, entry: Entry, body: string): void => {
    if (entries.get(name) !== entry) return;
    entry.characters = body.length;
    characters += body.length;
    while (characters > MAX_CHARACTERS) dropOldest();
  };

  return ({ path, query, base }, make, version) => {
    const name = JSON.stringify([path, query, base, version]);
    const now = stopwatch();
    const cached = entries.get(name);
    if (cached !== undefined && cached.until > now) return cached.response;
    const entry: Entry = { response: make(), until: now + lifetimeMs, characters: 0 };
    drop(name);
    entries.set(name, entry);
    if (entries.size > MAX_RESPONSES) dropOldest();
    entry.response.then(
      ({ body }) => weigh(name, entry, body),
      () => {
        if (entries.get(name) === entry) drop(name);
      },
    );
    return entry.response;
  };
}
