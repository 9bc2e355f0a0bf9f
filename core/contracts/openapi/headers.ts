/** Response headers: meaning, format, and the responses that have them. */
import { CACHEABLE, HEADERS, NOT_CACHEABLE, VARY } from '../headers.ts';
import { PLANS } from '../plans.ts';
import { csvHeader, type Route } from '../route.ts';
import type { JsonSchema } from './schemas.ts';

interface HeaderText {
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly example: string | number;
}

const MS_PER_SECOND = 1000;
const LATEST_SECOND = Date.parse('9999-12-31T23:59:59Z') / MS_PER_SECOND;
const text = (pattern: string, maxLength: number): JsonSchema => ({ type: 'string', pattern, maxLength });
const whole = (minimum: number, maximum: number): JsonSchema => ({
  type: 'integer',
  format: maximum > 2 ** 31 ? 'int64' : 'int32',
  minimum,
  maximum,
});
const fixed = (value: string, description: string): HeaderText => ({
  description,
  required: true,
  schema: { type: 'string', enum: [value] },
  example: value,
});

/** Component name by header; `examples` are the real values of the example responses. */
export const headerComponents = (examples: { requestId: string; etag: string }) =>
  ({
    RequestId: {
      description: 'Id of this request, a new UUID on every response.',
      required: true,
      schema: {
        ...text('^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$', 36),
        format: 'uuid',
      },
      example: examples.requestId,
    },
    Cacheable: fixed(CACHEABLE, 'The response may be cached for five minutes.'),
    CacheableOnceFilled: {
      description: 'The response may be cached for five minutes, except before the first observation.',
      required: true,
      schema: { type: 'string', enum: [CACHEABLE, NOT_CACHEABLE] },
      example: CACHEABLE,
    },
    NotCacheable: fixed(NOT_CACHEABLE, 'Errors and health are never cached.'),
    Vary: {
      description:
        'A cache may reuse a response for the same key and encoding only, and, where a stage allows origins, for the same origin.',
      required: true,
      schema: { type: 'string', enum: [VARY, `${VARY}, Origin`] },
      example: VARY,
    },
    NoSniff: fixed('nosniff', 'Clients must not guess another content type.'),
    ETag: {
      description: 'Strong validator: equal bytes have equal tags.',
      required: true,
      schema: text('^"[\\x21\\x23-\\x7e]+"$', 100),
      example: examples.etag,
    },
    RateLimitLimit: {
      description: "The minute's allotment of the key.",
      required: false,
      schema: whole(1, 1_000_000),
      example: PLANS.lite.ratePerSecond * 60,
    },
    RateLimitRemaining: {
      description: 'Requests left of the allotment. The burst beyond it is tolerance and not counted here.',
      required: false,
      schema: whole(0, 1_000_000),
      example: PLANS.lite.ratePerSecond * 60 - 3,
    },
    RateLimitReset: {
      description: 'UTC epoch second at which the full allotment is available again.',
      required: false,
      schema: whole(0, LATEST_SECOND),
      example: Date.parse('2026-11-20T12:00:03Z') / MS_PER_SECOND,
    },
    RetryAfter: {
      description: 'Seconds to wait before the next attempt.',
      required: true,
      schema: whole(1, 86_400),
      example: 1,
    },
    Successor: {
      description: 'Points from a retained alias to the preferred path.',
      required: true,
      schema: text('^<[^>]+>; rel="successor-version"', 2_000),
      example: '<../v1/meta/sources>; rel="successor-version"',
    },
    DeprecationLink: {
      description: 'Points to the page about the deprecation.',
      required: true,
      schema: text('rel="deprecation"', 2_000),
      example: '</docs/changelog.html>; rel="deprecation"',
    },
    Deprecation: {
      description: 'When the path was deprecated (RFC 9745).',
      required: true,
      schema: text('^@\\d+$', 20),
      example: '@1795132800',
    },
    Sunset: {
      description: 'When the path may be removed (RFC 8594).',
      required: true,
      schema: text('^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$', 29),
      example: 'Thu, 18 Feb 2027 00:00:00 GMT',
    },
    Vintages: {
      description:
        'On a response to `as_of`: `backfilled` where a back-fill computed figures of it, which nobody could have known then.',
      required: false,
      schema: { type: 'string', enum: ['backfilled'] },
      example: 'backfilled',
    },
    VintagesFrom: {
      description: 'On an empty response to `as_of`: the first UTC day with a vintage.',
      required: false,
      schema: { ...text('^\\d{4}-\\d{2}-\\d{2}$', 10), format: 'date' },
      example: '2026-11-01',
    },
    ContentDisposition: {
      description: 'On CSV: suggested file name.',
      required: false,
      schema: text('^inline; filename="[A-Za-z0-9-]+\\.csv"$', 200),
      example: 'inline; filename="HKHKG-trend-30d.csv"',
    },
  }) as const satisfies Record<string, HeaderText>;

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
  const link = route.deprecation === undefined ? 'Successor' : 'DeprecationLink';
  const linked = route.deprecation !== undefined || path !== route.paths[0];
  return {
    ...(linked ? { [HEADERS.link]: link } : {}),
    ...(route.deprecation === undefined
      ? {}
      : { [HEADERS.deprecation]: 'Deprecation', [HEADERS.sunset]: 'Sunset' }),
  };
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
    ...('as_of' in route.query
      ? { [HEADERS.vintages]: 'Vintages', [HEADERS.vintagesFrom]: 'VintagesFrom' }
      : {}),
    ...(status === 200 && csvHeader(route) !== undefined
      ? { [HEADERS.contentDisposition]: 'ContentDisposition' }
      : {}),
  });

/** Headers of an error. A refused key has no rate limit to state, nor has the health probe. */
export const errorHeaders = (route: Route, status: number): Headers =>
  refer({
    ...REQUEST_ID,
    [HEADERS.cacheControl]: 'NotCacheable',
    [HEADERS.contentTypeOptions]: 'NoSniff',
    ...(route.authenticated && status !== 401 ? RATE_LIMIT : {}),
    ...(status === 429 || status === 503 ? { [HEADERS.retryAfter]: 'RetryAfter' } : {}),
  });
