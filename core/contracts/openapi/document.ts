/** The OpenAPI 3.1 document of the API, built from the route table. No handler loads it. */

import * as z from 'zod/mini';
import { groupBy } from '../../reference/statistics.ts';
import { type ApiError, ERRORS, toEnvelope } from '../errors.ts';
import { atom, jsonFeed, jsonFeedOf } from '../feeds.ts';
import type { Parameter } from '../parameters.ts';
import { PLANS } from '../plans.ts';
import { csvHeader, csvRows, type Route, requiredParameter, TAGS } from '../route.ts';
import { OPERATION_IDS, type OperationId, ROUTES } from '../routes.ts';
import {
  CACHEABLE,
  CSV_MEDIA_TYPE,
  FORMATS,
  HEADERS,
  JSON_TYPE,
  KEY_HEADER,
  LOCAL_ADDRESS,
  NOT_CACHEABLE,
  VARY,
} from '../wire.ts';
import { type JsonSchema, recordReference, recordSchemas, responseSchema, toJsonSchema } from './schemas.ts';

// Response headers: meaning, format, and the responses that have them.

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
const errorHeaders = (route: Route, status: number): Headers =>
  refer({
    ...REQUEST_ID,
    [HEADERS.cacheControl]: 'NotCacheable',
    [HEADERS.contentTypeOptions]: 'NoSniff',
    ...(route.authenticated && status !== 401 && RATE_LIMIT),
    ...((status === 429 || status === 503) && { [HEADERS.retryAfter]: 'RetryAfter' }),
  });

// The parameters of an operation, from the route table.

/** The default as text: the allowed text that parses to the default value. */
function sentDefault(parameter: Parameter<unknown>, { enum: allowed }: JsonSchema): unknown {
  if (parameter.default === undefined || !Array.isArray(allowed)) return undefined;
  return allowed.find((text) => z.safeParse(parameter.schema, text).data === parameter.default);
}

/** Values with data in the recordings that a first start serves. Hints name a port that the sample has too. */
const RECORDED_EXAMPLES: Readonly<Record<string, string>> = {
  UNLOCODE: 'TWKHH',
  port: 'TWKHH',
  country: 'TW',
};

function describeParameter(
  place: 'path' | 'query',
  name: string,
  parameter: Parameter<unknown>,
  route: Route,
) {
  const { description, ...text } = toJsonSchema(parameter.schema) as { description?: string };
  const { integer, example } = parameter;
  const schema: JsonSchema = integer === undefined ? text : { type: 'integer', format: 'int32', ...integer };
  const fallback = sentDefault(parameter, schema);
  const rivals = (route.exclusive ?? []).filter((rival) => rival !== name).map((rival) => `\`${rival}\``);
  const required = requiredParameter(route) === undefined ? '' : '; one of them must be given';
  return {
    name,
    in: place,
    required: place === 'path',
    description: route.exclusive?.includes(name)
      ? `${parameter.description} Excludes ${rivals.join(', ')}${required}.`
      : parameter.description,
    schema: { ...schema, ...(fallback !== undefined && { default: fallback }) },
    example: integer === undefined ? (RECORDED_EXAMPLES[name] ?? example) : Number(example),
  };
}

/** Path parameters first; then the query, then the conditional header where responses have a tag. */
function parameters(route: Route): readonly object[] {
  const of = (place: 'path' | 'query') =>
    Object.entries(route[place]).map(([name, parameter]) => describeParameter(place, name, parameter, route));
  return [
    ...of('path'),
    ...of('query'),
    ...(route.authenticated ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ];
}

/** Parameters that operations share. */
const sharedParameters = (etagExample: string) => ({
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'ETag of an earlier response, a list of them, or `*`: an unchanged response is a 304.',
    schema: { type: 'string', maxLength: 8192, pattern: '^[\\x20-\\x7e\\x80-\\xff]*$' },
    example: etagExample,
  },
});

// The responses of an operation: successful ones by media type, and every error by status with an example.

/** An error that an operation returns, by a short name of the fault. */
export interface Fault {
  readonly name: string;
  readonly error: ApiError;
}

/** Parts of the document that come from the code that makes responses, so that its examples are real. */
interface ResponseSources {
  readonly csvOf: (columns: readonly string[], rows: readonly object[]) => string;
  readonly entityTag: (body: string) => string;
  readonly faultsOf: (operation: OperationId) => readonly Fault[];
}

const EXAMPLE_REQUEST_ID = '0f4f2a54-6c1e-4b0a-9d5e-2f6f0d8f3a71';
const MAX_CSV = 2_000_000;

/** What each status of an error means. `component`: the name of the response, where it is equal for all keyed operations. */
const STATUSES: Readonly<Record<number, { readonly meaning: string; readonly component?: string }>> = {
  400: { meaning: 'The request cannot be read.' },
  401: { meaning: 'The key is missing, malformed or unknown.', component: 'KeyRefused' },
  403: { meaning: 'The key is known but not allowed.' },
  404: { meaning: 'Nothing is there.' },
  409: { meaning: 'Parameters exclude each other.' },
  422: { meaning: 'A parameter is misspelt, or has a value that is not allowed.' },
  429: { meaning: 'The rate limit or the monthly quota is used up.', component: 'Limited' },
  500: { meaning: 'The service failed.', component: 'Failed' },
  502: { meaning: 'A component of the service failed.', component: 'PartFailed' },
  503: { meaning: 'A dependency of the service does not respond.', component: 'Unavailable' },
  504: { meaning: 'The service did not respond in time.', component: 'TimedOut' },
};

function goodContent(operation: OperationId, making: ResponseSources): object {
  const route: Route = ROUTES[operation];
  const { example } = route;
  const csvColumns = csvHeader(route);
  const json = { schema: responseSchema(operation), example };
  if (csvColumns === undefined) return { [JSON_TYPE]: json };
  const base = 'https://data.example';
  const feed = route.feedOf?.(example, {}, base);
  const self = (format: 'atom' | 'jsonfeed'): string => `${base}${route.paths[0]}?format=${format}`;
  const csv = {
    schema: {
      type: 'string',
      description: `Header \`${csvColumns.join(',')}\`, then one row each, ASCII or UTF-8 without a byte-order mark, LF line ends.`,
      pattern: `^${csvColumns.join(',')}\\n`,
      maxLength: MAX_CSV,
    },
    example: making.csvOf(csvColumns, csvRows(route, example)),
  };
  return {
    [JSON_TYPE]: json,
    [CSV_MEDIA_TYPE]: csv,
    ...(route.geoJson && {
      [FORMATS.geojson]: {
        schema: toJsonSchema(route.geoJson.schema),
        example: route.geoJson.of(example),
      },
    }),
    ...(feed && {
      [FORMATS.atom]: {
        schema: {
          type: 'string',
          description: 'Atom 1.0 (RFC 4287).',
          pattern: '^<\\?xml ',
          maxLength: MAX_CSV,
        },
        example: atom(feed, self('atom'), '2025-10-04'),
      },
      [FORMATS.jsonfeed]: {
        schema: toJsonSchema(jsonFeed),
        example: jsonFeedOf(feed, self('jsonfeed')),
      },
    }),
  };
}

function errorResponse(operation: OperationId, status: number, faults: readonly Fault[]): object {
  return {
    description: STATUSES[status]?.meaning ?? `Status ${status}.`,
    headers: errorHeaders(ROUTES[operation], status),
    content: {
      [JSON_TYPE]: {
        schema: recordReference('ErrorEnvelope'),
        examples: Object.fromEntries(
          faults.map(({ name, error }) => [
            name,
            { summary: ERRORS[error.code].meaning, value: toEnvelope(error, EXAMPLE_REQUEST_ID) },
          ]),
        ),
      },
    },
  };
}

const byStatus = (faults: readonly Fault[]): ReadonlyMap<number, readonly Fault[]> =>
  new Map([...groupBy(faults, ({ error }) => error.status)].sort(([a], [b]) => a - b));

/** The shared components. Throws when two operations differ. */
function sharedResponses(making: ResponseSources): Readonly<Record<string, object>> {
  const shared = new Map<string, object>();
  for (const operation of OPERATION_IDS.filter((id) => ROUTES[id].authenticated)) {
    for (const [status, faults] of byStatus(making.faultsOf(operation))) {
      const name = STATUSES[status]?.component;
      if (name === undefined) continue;
      const response = errorResponse(operation, status, faults);
      const other = shared.get(name) ?? response;
      if (JSON.stringify(other) !== JSON.stringify(response))
        throw new Error(`the ${status} of ${operation} differs from that of the other operations`);
      shared.set(name, response);
    }
  }
  return Object.fromEntries(shared);
}

/** Every status that `operation` returns on `path`. */
function describeResponses(operation: OperationId, path: string, making: ResponseSources): object {
  const route: Route = ROUTES[operation];
  const errors = [...byStatus(making.faultsOf(operation))].map(([status, faults]) => {
    const name = route.authenticated ? STATUSES[status]?.component : undefined;
    const response = name && { $ref: `#/components/responses/${name}` };
    return [status, response ?? errorResponse(operation, status, faults)];
  });
  return {
    200: {
      description: route.summary,
      headers: successHeaders(route, path, 200),
      content: goodContent(operation, making),
    },
    ...(route.authenticated && {
      304: {
        description:
          'The data have not changed since the response whose tag was sent in If-None-Match. No body.',
        headers: successHeaders(route, path, 304),
      },
    }),
    ...Object.fromEntries(errors),
  };
}

// The OpenAPI file's description of the API as a whole. Its figures come from the plans and headers.

const TITLE = 'Port Congestion Data Service';

const LICENCE = {
  name: 'All rights reserved; data keep the licences of their publishers',
  identifier: 'LicenseRef-All-rights-reserved',
};
const CONTACT = { name: 'The operator of the service' };

/** Pages of the portal, relative to the address of the API. */
export const PAGES = {
  docs: '/docs/',
  changelog: '/docs/changelog.html',
  errors: '/docs/errors.html',
} as const;

const { ratePerSecond, burst } = PLANS.lite;
const quotas = Object.values(PLANS)
  .map(({ title, monthlyQuota }) => `${title} ${monthlyQuota.toLocaleString('en-US')}`)
  .join(', ');

const RATE_LIMIT_TEXT = `A key is admitted ${ratePerSecond * 60} requests a minute, with a burst of ${burst}: a token bucket of ${burst} tokens that refills by ${ratePerSecond} a second. \`RateLimit-Limit\` is the number of requests per minute, \`RateLimit-Remaining\` the number left, \`RateLimit-Reset\` the UTC epoch second at which all of them are available again. A request beyond the burst gets a 429 with \`Retry-After\`, in seconds. Every request whose key is accepted counts, JSON and CSV alike, 304 included. Requests per calendar month (UTC): ${quotas}; above that, 429 until the next month.`;

const DESCRIPTION = `Congestion metrics, dwell periods and alerts of ports, the freshness of the sources behind them, and monthly import momentum by HS code.

**Methods.** All endpoints are GET; HEAD returns the same status and headers without the body. Every other method or path returns 404.

**Parameters.** A query parameter whose name differs from one of the endpoint's by case or by one letter (more, less, other or exchanged with its neighbour) is a 422 that names the right one, and so is a parameter of another resource that would choose its rows, such as \`from\` on the trend; other unknown parameters are ignored.

**Keys.** Send your API key in the request header \`${KEY_HEADER}\`; only the health probe needs none. A key is a secret: it does not belong in a page or an app.

**Limits.** ${RATE_LIMIT_TEXT}

**Caching.** Responses have \`Cache-Control: ${CACHEABLE}\` and a strong \`ETag\`; send it back in \`If-None-Match\` and an unchanged response is a 304 without a body.

**Errors.** Every 4xx and 5xx is JSON of one form, also when CSV was requested: \`code\` for programs, \`message\` and \`hint\` for people, \`request_id\` to report it by; [each code](${PAGES.errors}) is explained. A request that cannot be read at all, on any path, is a 400 \`bad_request\`. Retry 429 and 5xx after \`Retry-After\`, or with exponential backoff and jitter when it is absent; do not retry other 4xx.

**Versions.** The major version is part of the path. Fields and optional parameters may be added; a breaking change is announced in the [changelog](${PAGES.changelog}) and gets a new path.`;

interface DocumentParts extends ResponseSources {
  /** Semantic version of the API. */
  readonly version: string;
}

type Extensions = Readonly<Record<`x-${string}`, unknown>>;

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly contact: Readonly<Record<string, string>>;
    readonly license: { readonly name: string; readonly identifier?: string };
  } & Extensions;
  readonly servers: readonly ({ readonly url: string; readonly description: string } & Extensions)[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** By path template, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly object[];
  readonly security?: readonly object[];
  readonly responses: object;
}

const SECURITY_SCHEME = 'apiKey';

/** `sources` on the preferred path, `sourcesAlias` on an alias of it. */
function describeOperation(operation: OperationId, path: string, parts: DocumentParts): OpenApiOperation {
  const route: Route = ROUTES[operation];
  const [preferred] = route.paths;
  const alias = path !== preferred;
  return {
    operationId: alias ? `${operation}Alias` : operation,
    summary: alias ? `${route.summary} (alias of ${preferred})` : route.summary,
    description: alias
      ? `The same as \`${preferred}\`, which is preferred. This path remains for existing clients.`
      : route.description,
    tags: [route.tag],
    ...(alias && { 'x-alias-of': preferred }),
    ...(route.beta && { 'x-beta': true }),
    ...(route.deprecation && { deprecated: true, 'x-sunset': route.deprecation.sunset }),
    ...(!route.authenticated && { security: [] }),
    parameters: parameters(route),
    responses: describeResponses(operation, path, parts),
  };
}

/** The header components that some response refers to; only a deprecated path needs all of them. */
function usedHeaders(paths: unknown, headers: Readonly<Record<string, object>>) {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  );
}

/** The whole document. The same arguments give the same document, down to the order of its keys. */
export function openApiDocument(parts: DocumentParts): OpenApiDocument {
  const etag = parts.entityTag(JSON.stringify(ROUTES.trend.example));
  const paths = OPERATION_IDS.flatMap((operation) =>
    ROUTES[operation].paths.map(
      (path) => [path, { get: describeOperation(operation, path, parts) }] as const,
    ),
  );
  const responses = sharedResponses(parts);
  return {
    openapi: '3.1.0',
    info: {
      title: TITLE,
      version: parts.version,
      description: DESCRIPTION,
      contact: CONTACT,
      license: LICENCE,
      'x-docs': PAGES.docs,
      'x-changelog': PAGES.changelog,
    },
    servers: [
      {
        url: LOCAL_ADDRESS,
        description: 'The service that this file describes: local, test or production.',
        'x-internal': false,
      },
    ],
    security: [{ [SECURITY_SCHEME]: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        [SECURITY_SCHEME]: {
          type: 'apiKey',
          in: 'header',
          name: KEY_HEADER,
          description:
            'Development keys begin with `pcd_dev_`, production keys with `pcd_live_`. Not for pages and apps.',
        },
      },
      parameters: sharedParameters(etag),
      headers: usedHeaders([paths, responses], headerComponents({ requestId: EXAMPLE_REQUEST_ID, etag })),
      responses,
      schemas: recordSchemas(),
    },
  };
}

// The OpenAPI document of one media type. Generators give a response one type and read it in one way, so clients of
// the whole document get a union, or parse CSV as JSON.

/** File names on the portal. */
export const MEDIA_TYPE_FILES = {
  [JSON_TYPE]: '/openapi-json.json',
  [CSV_MEDIA_TYPE]: '/openapi-csv.json',
} as const;
export type MediaType = keyof typeof MEDIA_TYPE_FILES;

type Responses = Readonly<Record<string, { readonly content?: Readonly<Record<string, object>> }>>;

/** `format` is left out where it can only be JSON, which is its default. */
function listParameters(parameters: readonly object[], mediaType: MediaType): readonly object[] {
  return parameters.flatMap((parameter) => {
    if (!('name' in parameter) || parameter.name !== 'format') return [parameter];
    const schema = { type: 'string', enum: ['csv'], default: 'csv' };
    return mediaType === JSON_TYPE ? [] : [{ ...parameter, required: true, schema }];
  });
}

/** The operations of `document` that respond with `mediaType`, reduced to that media type. */
export function documentOf(document: OpenApiDocument, mediaType: MediaType): OpenApiDocument {
  const paths = Object.entries(document.paths).flatMap(([path, operations]) => {
    const { get } = operations;
    const responses = get?.responses as Responses | undefined;
    const form = responses?.[200]?.content?.[mediaType];
    if (get === undefined || form === undefined) return [];
    const operation = {
      ...get,
      parameters: listParameters(get.parameters, mediaType),
      responses: { ...responses, 200: { ...responses?.[200], content: { [mediaType]: form } } },
    };
    return [[path, { ...operations, get: operation }] as const];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}
