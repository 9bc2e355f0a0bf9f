/** The OpenAPI 3.1 document of the API, built from the route table. No handler loads it. */
import { KEY_HEADER } from './headers.ts';
import { DESCRIPTION, PAGES, TITLE } from './openapi/document-texts.ts';
import { headerComponents } from './openapi/headers.ts';
import { parametersOf, sharedParameters } from './openapi/parameters.ts';
import {
  EXAMPLE_REQUEST_ID,
  type ResponseSources,
  responsesOf,
  sharedResponses,
} from './openapi/responses.ts';
import { recordSchemas } from './openapi/schemas.ts';
import { TAGS } from './route.ts';
import { OPERATION_IDS, type OperationId, ROUTES, type Route } from './routes.ts';

export interface DocumentParts extends ResponseSources {
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
  } & Extensions;
  readonly servers: readonly ({ readonly url: string; readonly description: string } & Extensions)[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** By path template, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly object[];
  readonly responses: object;
}

const SECURITY_SCHEME = 'apiKey';

/** `sources` on the preferred path, `sourcesAlias` on an alias of it. */
function operationOf(operation: OperationId, path: string, parts: DocumentParts): OpenApiOperation {
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
    ...(alias ? { 'x-alias-of': preferred } : {}),
    ...(route.beta === true ? { 'x-beta': true } : {}),
    ...(route.deprecation === undefined ? {} : { deprecated: true, 'x-sunset': route.deprecation.sunset }),
    ...(route.authenticated ? {} : { security: [] }),
    parameters: parametersOf(route),
    responses: responsesOf(operation, path, parts),
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
    ROUTES[operation].paths.map((path) => [path, { get: operationOf(operation, path, parts) }] as const),
  );
  const responses = sharedResponses(parts);
  return {
    openapi: '3.1.0',
    info: {
      title: TITLE,
      version: parts.version,
      description: DESCRIPTION,
      'x-docs': PAGES.docs,
      'x-changelog': PAGES.changelog,
    },
    servers: [
      {
        url: '/',
        description: 'The address that serves this file: local, test or production.',
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
