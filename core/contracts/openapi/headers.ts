/** Response headers: meaning, format, and the responses that have them. */
import { CACHEABLE, HEADERS, NOT_CACHEABLE, VARY } from '../headers.ts';
import { PLANS } from '../plans.ts';
import { csvHeader, type Route } from '../route.ts';
import type { JsonSchema } from './schemas.ts';

const MS_PER_SECOND = 1000;
const LATEST_SECOND = Date.parse('9999-12-31T23:59:59Z') / MS_PER_SECOND;
const text = (pattern: string, maxLength: number): JsonSchema => ({ type: 'string', pattern, maxLength });
const oneOf = (...values: string[]): JsonSchema => ({ type: 'string', enum: values });
const whole = (minimum: number, maximum: number): JsonSchema => ({
  type: 'integer',
  format: maximum > 2 ** 31 ? 'int64' : 'int32',
  minimum,
  maximum,
});

/** A header that is always sent where it is stated, or only sometimes. */
const header =
  (required: boolean) => (description: string, schema: JsonSchema, example: string | number) => ({
    description,
    required,
    schema,
    example,
  });
const always = header(true);
const sometimes = header(false);

/** Component name by header; `examples` are the real values of the example responses. */
export const headerComponents = (examples: { requestId: string; etag: string }) => ({
  RequestId: always(
    'Id of this request, a new UUID on every response.',
    { type: 'string', format: 'uuid', maxLength: 36 },
    examples.requestId,
  ),
  Cacheable: always('The response may be cached for five minutes.', oneOf(CACHEABLE), CACHEABLE),
  CacheableOnceFilled: always(
    'The response may be cached for five minutes, except before the first observation.',
    oneOf(CACHEABLE, NOT_CACHEABLE),
    CACHEABLE,
  ),
  NotCacheable: always('Errors and health are never cached.', oneOf(NOT_CACHEABLE), NOT_CACHEABLE),
  Vary: always(
    'A cache may reuse a response for the same key and encoding only, and, where a stage allows origins, for the same origin.',
    oneOf(VARY, `${VARY}, Origin`),
    VARY,
  ),
  NoSniff: always('Clients must not guess another content type.', oneOf('nosniff'), 'nosniff'),
  ETag: always(
    'Strong validator: equal bytes have equal tags.',
    text('^"[\\x21\\x23-\\x7e]+"$', 100),
    examples.etag,
  ),
  RateLimitLimit: sometimes(
    "The minute's allotment of the key.",
    whole(1, 1_000_000),
    PLANS.lite.ratePerSecond * 60,
  ),
  RateLimitRemaining: sometimes(
    'Requests left of the allotment. The burst beyond it is tolerance and not counted here.',
    whole(0, 1_000_000),
    PLANS.lite.ratePerSecond * 60 - 3,
  ),
  RateLimitReset: sometimes(
    'UTC epoch second at which the full allotment is available again.',
    whole(0, LATEST_SECOND),
    Date.parse('2026-11-20T12:00:03Z') / MS_PER_SECOND,
  ),
  RetryAfter: always('Seconds to wait before the next attempt.', whole(1, 86_400), 1),
  Successor: always(
    'Points from a retained alias to the preferred path.',
    text('^<[^>]+>; rel="successor-version"', 2_000),
    '<../v1/meta/sources>; rel="successor-version"',
  ),
  DeprecationLink: always(
    'Points to the page about the deprecation.',
    text('rel="deprecation"', 2_000),
    '</docs/changelog.html>; rel="deprecation"',
  ),
  Deprecation: always('When the path was deprecated (RFC 9745).', text('^@\\d+$', 20), '@1795132800'),
  Sunset: always(
    'When the path may be removed (RFC 8594).',
    text('^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$', 29),
    'Thu, 18 Feb 2027 00:00:00 GMT',
  ),
  Vintages: sometimes(
    'On a response to `as_of`: `backfilled` where a back-fill computed figures of it, which were not available on that day.',
    oneOf('backfilled'),
    'backfilled',
  ),
  VintagesFrom: sometimes(
    'On an empty response to `as_of`: the first UTC day with a vintage.',
    { type: 'string', format: 'date', maxLength: 10 },
    '2026-11-01',
  ),
  ContentDisposition: sometimes(
    'On CSV: suggested file name.',
    text('^inline; filename="[A-Za-z0-9-]+\\.csv"$', 200),
    'inline; filename="TWKHH-trend-30d.csv"',
  ),
});

type Component = keyof ReturnType<typeof headerComponents>;
type Headers = Readonly<Record<string, { readonly $ref: string }>>;

const refer = (pairs: Readonly<Record<string, Component>>): Headers =>
  Object.fromEntries(
    Object.entries(pairs).map(([name, component]) => [name, { $ref: `#/components/headers/${component}` }]),
  );

const REQUEST_ID = { [HEADERS.requestId]: 'RequestId' } as const;
const RATE_LIMIT = {
  [HEADERS.rateLimitLimit]: 'RateLimitLimit',
  [HEADERS.rateLimitRemaining]: 'RateLimitRemaining',
  [HEADERS.rateLimitReset]: 'RateLimitReset',
} as const;

/** Headers of a path that is an alias or deprecated. */
function standing(route: Route, path: string): Readonly<Record<string, Component>> {
  if (route.deprecation !== undefined)
    return {
      [HEADERS.link]: 'DeprecationLink',
      [HEADERS.deprecation]: 'Deprecation',
      [HEADERS.sunset]: 'Sunset',
    };
  return path === route.paths[0] ? {} : { [HEADERS.link]: 'Successor' };
}

/** Headers of a 200 or a 304 on `path`. */
export const successHeaders = (route: Route, path: string, status: 200 | 304): Headers =>
  refer({
    ...REQUEST_ID,
    ...(route.authenticated
      ? {
          [HEADERS.cacheControl]: route.isCacheable === undefined ? 'Cacheable' : 'CacheableOnceFilled',
          [HEADERS.etag]: 'ETag',
          [HEADERS.vary]: 'Vary',
          ...RATE_LIMIT,
        }
      : { [HEADERS.cacheControl]: 'NotCacheable' }),
    [HEADERS.contentTypeOptions]: 'NoSniff',
    ...standing(route, path),
    ...('as_of' in route.query && { [HEADERS.vintages]: 'Vintages', [HEADERS.vintagesFrom]: 'VintagesFrom' }),
    ...(status === 200 && csvHeader(route) && { [HEADERS.contentDisposition]: 'ContentDisposition' }),
  });

/** Headers of an error. A refused key has no rate limit to state, nor has the health probe. */
export const errorHeaders = (route: Route, status: number): Headers =>
  refer({
    ...REQUEST_ID,
    [HEADERS.cacheControl]: 'NotCacheable',
    [HEADERS.contentTypeOptions]: 'NoSniff',
    ...(route.authenticated && status !== 401 && RATE_LIMIT),
    ...((status === 429 || status === 503) && { [HEADERS.retryAfter]: 'RetryAfter' }),
  });
