/** A Postman collection (format 2.1) of the OpenAPI document: one request an operation, with its examples. */
import type { OpenApiDocument, OpenApiOperation } from '../../core/contracts/openapi.ts';

const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const LOCAL_ADDRESS = 'http://127.0.0.1:3000';

interface ShownParameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly example: string;
}
interface ShownResponse {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Readonly<
    Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>
  >;
}

/** Parameters that stand in the operation itself; shared ones are headers, which a person rarely sets. */
const shown = (operation: OpenApiOperation): readonly ShownParameter[] =>
  operation.parameters.filter((parameter) => 'name' in parameter) as ShownParameter[];

function urlOf(path: string, operation: OpenApiOperation): object {
  const parameters = shown(operation);
  const segments = path
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .split('/')
    .filter(Boolean);
  // The first of parameters that exclude each other is on; the rest are there to be switched on.
  const query = parameters
    .filter(({ in: place }) => place === 'query')
    .map(({ name, example, description }, index) => ({
      key: name,
      value: example,
      description,
      ...(index === 0 && name === 'window' ? {} : { disabled: true }),
    }));
  const on = query.filter((entry) => !('disabled' in entry)).map(({ key, value }) => `${key}=${value}`);
  return {
    raw: `{{baseUrl}}/${segments.join('/')}${on.length === 0 ? '' : `?${on.join('&')}`}`,
    host: ['{{baseUrl}}'],
    path: segments,
    ...(query.length === 0 ? {} : { query }),
    variable: parameters
      .filter(({ in: place }) => place === 'path')
      .map(({ name, example, description }) => ({ key: name, value: example, description })),
  };
}

const bodyText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** The first example of every status and media type that has a body. */
function savedAnswers(
  operation: OpenApiOperation,
  request: object,
  { components }: OpenApiDocument,
): readonly object[] {
  const resolved = Object.entries(operation.responses as Record<string, ShownResponse>).map(
    ([status, response]) => {
      const shared = components.responses?.[response.$ref?.split('/').at(-1) ?? ''];
      return [status, (shared ?? response) as ShownResponse] as const;
    },
  );
  return resolved.flatMap(([status, response]) =>
    Object.entries(response.content ?? {}).map(([type, { example, examples }]) => ({
      name: `${status} ${type.split(';')[0]}`,
      originalRequest: request,
      status: response.description,
      code: Number(status),
      _postman_previewlanguage: type.startsWith('text/csv') ? 'text' : 'json',
      header: [{ key: 'Content-Type', value: type }],
      cookie: [],
      body: bodyText(example ?? Object.values(examples ?? {})[0]?.value),
    })),
  );
}

function itemOf(path: string, operation: OpenApiOperation, document: OpenApiDocument): object {
  const request = {
    method: 'GET',
    header: [],
    url: urlOf(path, operation),
    description: operation.description,
    ...('security' in operation ? { auth: { type: 'noauth' } } : {}),
  };
  return { name: operation.summary, request, response: savedAnswers(operation, request, document) };
}

/** Requests are kept in a folder a tag; `baseUrl` and `apiKey` are variables of the collection. */
export function postmanCollection(document: OpenApiDocument): object {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  );
  return {
    info: { name: document.info.title, description: document.info.description, schema: FORMAT },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-API-Key', type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: LOCAL_ADDRESS, type: 'string' },
      { key: 'apiKey', value: '', type: 'string' },
    ],
    item: document.tags.map(({ name, description }) => ({
      name,
      description,
      item: operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ path, operation }) => itemOf(path, operation, document)),
    })),
  };
}
