/** The 200 or 304 of a request: data as JSON or CSV, with an entity tag. */
import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { atomOf, FEED_TYPES, jsonFeedOf } from '../contracts/feeds.ts';
import { CACHEABLE, CSV_TYPE, HEADERS, JSON_TYPE, NOT_CACHEABLE, VARY } from '../contracts/headers.ts';
import { csvColumnsOf, csvRowsOf, fileNameOf, type Route } from '../contracts/route.ts';
import { acceptsGzip, gzipOf, gzipTagOf } from './encoding.ts';
import { headerOf } from './event.ts';
import type { ReadParameters } from './request.ts';

/** Data as the bytes and headers of a 200, the same for every caller. */
export interface Representation {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent where a client cannot revalidate. */
  readonly etag?: string;
  /** The body as base64 of its gzip form; absent where it is not worth it. */
  readonly gzip?: (() => string) | undefined;
}

type Item = string | number | object | null;
type Cell = string | number | readonly Item[] | null | undefined;

const quoted = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function cellOf(value: Cell): string {
  if (value === undefined || value === null) return '';
  if (!Array.isArray(value)) return quoted(String(value));
  return quoted(value.map(itemOf).join(' '));
}

const itemOf = (item: Item): string =>
  typeof item === 'object' && item !== null ? Object.values(item).join(':') : String(item ?? '');

/**
 * CSV as RFC 4180 defines it, with LF line ends: a header row always, then one line for each row. Numbers are written as
 * in JSON, lists are separated by a space, the values of an object in them by colons; a missing value, in a list too, is empty.
 */
export function csvOf(columns: readonly string[], rows: readonly object[]): string {
  const lines = rows.map((row) =>
    columns.map((column) => cellOf((row as Record<string, Cell>)[column])).join(','),
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
function contentOf(
  route: Route,
  { path, query }: ReadParameters,
  data: unknown,
): Pick<Representation, 'body'> & { readonly content: Record<string, string> } {
  const { format } = query;
  if (route.feedOf !== undefined && (format === 'atom' || format === 'jsonfeed')) {
    const feed = route.feedOf(data);
    const self = `${route.paths[0]}?format=${format}`;
    const body = format === 'atom' ? atomOf(feed, self) : JSON.stringify(jsonFeedOf(feed, self));
    return { body, content: { [HEADERS.contentType]: FEED_TYPES[format] } };
  }
  const columns = format === 'csv' ? csvColumnsOf(route) : undefined;
  if (columns === undefined)
    return { body: JSON.stringify(data), content: { [HEADERS.contentType]: JSON_TYPE } };
  return {
    body: csvOf(columns, csvRowsOf(route, data)),
    content: {
      [HEADERS.contentType]: CSV_TYPE,
      [HEADERS.contentDisposition]: `inline; filename="${fileNameOf(route, Object.values(path), query, 'csv')}"`,
    },
  };
}

/** The representation of `data` that `parameters` ask for. */
export function representationOf(route: Route, parameters: ReadParameters, data: unknown): Representation {
  if (!route.authenticated) {
    const headers = { [HEADERS.contentType]: JSON_TYPE, [HEADERS.cacheControl]: NOT_CACHEABLE };
    return { body: JSON.stringify(data), headers };
  }
  const { body, content } = contentOf(route, parameters, data);
  const etag = entityTag(body);
  const cacheControl = route.isCacheable?.(data) === false ? NOT_CACHEABLE : CACHEABLE;
  const validators = {
    [HEADERS.etag]: etag,
    [HEADERS.cacheControl]: cacheControl,
    [HEADERS.vary]: VARY,
  };
  return { body, headers: { ...content, ...validators }, etag, gzip: gzipOf(body) };
}

/**
 * The 304 of a client that has these data in either encoding, else the 200, as gzip where the client takes it. HEAD
 * gets no body. The headers may be cached: they are not changed.
 */
export function responseTo(
  event: APIGatewayProxyEvent,
  { body, headers, etag, gzip }: Representation,
): APIGatewayProxyResult {
  const encode = acceptsGzip(headerOf(event, 'accept-encoding')) ? gzip : undefined;
  const plainTags = etag === undefined ? [] : [etag];
  const gzipTags = gzip === undefined ? [] : plainTags.map(gzipTagOf);
  const tags = encode === undefined ? [...plainTags, ...gzipTags] : [...gzipTags, ...plainTags];
  const current = tags.find((tag) => namesTag(headerOf(event, 'if-none-match'), tag));
  // A 304 states the type as well: without it API Gateway would add JSON's, and caches would store that.
  if (current !== undefined)
    return { statusCode: 304, headers: { ...headers, [HEADERS.etag]: current }, body: '' };
  const isHead = event.httpMethod === 'HEAD';
  if (encode === undefined) return { statusCode: 200, headers, body: isHead ? '' : body };
  const encoded = { [HEADERS.contentEncoding]: 'gzip', [HEADERS.etag]: tags[0] ?? '' };
  return {
    statusCode: 200,
    headers: { ...headers, ...encoded },
    body: isHead ? '' : encode(),
    isBase64Encoded: !isHead,
  };
}
