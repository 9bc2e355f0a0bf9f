/** The OpenAPI 3.1 document of the API, built from the route table. No handler loads it. */
import { CACHEABLE, KEY_HEADER } from './headers.ts';
import { headerComponents } from './openapi/headers.ts';
import { parameters, sharedParameters } from './openapi/parameters.ts';
import {
  describeResponses,
  EXAMPLE_REQUEST_ID,
  type ResponseSources,
  sharedResponses,
} from './openapi/responses.ts';
import { recordSchemas } from './openapi/schemas.ts';
import { LOCAL_ADDRESS } from './placeholders.ts';
import { PLANS } from './plans.ts';
import { TAGS } from './route.ts';
import { OPERATION_IDS, type OperationId, ROUTES, type Route } from './routes.ts';

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
