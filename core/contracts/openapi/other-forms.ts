/**
 * The document in OpenAPI 3.0.3, for generators that do not read 3.1 and for requests that are made from it without a
 * person: JSON only, and of parameters that exclude each other only the first.
 */

import { type Route, requiredParameter } from '../route.ts';
import { ROUTES } from '../routes.ts';
import { JSON_TYPE, KEY_HEADER, NO_KEY } from '../wire.ts';
import { documentOf, type OpenApiDocument, type OpenApiOperation } from './document.ts';
import type { JsonSchema } from './schemas.ts';

/** File name on the portal. */
export const PLAIN_FILE = '/openapi-3.0.json';

/** A schema of 3.1 as one of 3.0.3: null is a flag there, a reference stands alone, and there is one example. */
function plainSchema({ type, anyOf, $ref, const: only, examples, ...rest }: JsonSchema): JsonSchema {
  const types = [type ?? []].flat() as readonly unknown[];
  const options = (anyOf ?? []) as readonly JsonSchema[];
  const [value, ...others] = options.filter((option) => option.type !== 'null');
  if (others.length > 0) throw new Error('OpenAPI 3.0 has no place for a choice of schemas');
  const nullable = types.includes('null') || options.some((option) => option.type === 'null');
  const reference = $ref ?? value?.$ref;
  const [example] = (examples ?? []) as readonly unknown[];
  const more = {
    ...rest,
    ...(nullable && { nullable }),
    ...(only !== undefined && { enum: [only] }),
    ...(example !== undefined && { example }),
  };
  if (reference === undefined) return { type: types.find((name) => name !== 'null'), ...more };
  return Object.keys(more).length === 0 ? { $ref: reference } : { ...more, allOf: [{ $ref: reference }] };
}

const isSchema = (node: JsonSchema): boolean =>
  'anyOf' in node || 'const' in node || typeof node.type === 'string' || Array.isArray(node.type);

/** Every schema below `node` as one of 3.0.3. Examples of bodies stay as they are. */
function plain(node: unknown, key = ''): unknown {
  if (Array.isArray(node)) return node.map((item) => plain(item));
  if (typeof node !== 'object' || node === null || key === 'example' || key === 'value') return node;
  const adapted =
    key !== 'properties' && isSchema(node as JsonSchema) ? plainSchema(node as JsonSchema) : node;
  return Object.fromEntries(Object.entries(adapted).map(([name, child]) => [name, plain(child, name)]));
}

/** An alternative of a parameter cannot be sent beside it, and OpenAPI cannot say so: only the first is left. */
function plainOperation(path: string, operation: OpenApiOperation): OpenApiOperation {
  const route = Object.values<Route>(ROUTES).find(({ paths }) => paths.includes(path));
  const [, ...alternatives] = route?.exclusive ?? [];
  const required = route && requiredParameter(route);
  const parameters = operation.parameters.flatMap((parameter) => {
    const { name = '', description = '' } = parameter as { name?: string; description?: string };
    if (alternatives.includes(name)) return [];
    if (name !== route?.exclusive?.[0]) return [parameter];
    return [
      { ...parameter, required: name === required, description: description.replace(/ Excludes .*$/, '') },
    ];
  });
  return { ...operation, parameters };
}

export function plainDocument(document: OpenApiDocument): OpenApiDocument {
  const { paths, info, ...rest } = documentOf(document, JSON_TYPE);
  // 3.0 has no identifier of a licence.
  const license = { name: info.license.name };
  const operations = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [method, plainOperation(path, operation)]),
    ),
  ]);
  return plain({
    ...rest,
    openapi: '3.0.3',
    info: { ...info, license },
    paths: Object.fromEntries(operations),
  }) as OpenApiDocument;
}

// A Postman collection (format 2.1) of the requests that the document describes, with its examples.

/** File name on the portal. */
export const POSTMAN_FILE = '/postman.json';

interface Described {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly example: unknown;
}

/** Optional parameters are listed, but not sent until they are ticked. */
function request(path: string, { description, parameters, security }: OpenApiOperation) {
  const described = parameters.filter((parameter): parameter is Described => 'name' in parameter);
  const stated = (place: string) =>
    described
      .filter((parameter) => parameter.in === place)
      .map(({ name, example, required, description: about }) => ({
        key: name,
        value: String(example),
        description: about,
        ...(place === 'query' && !required && { disabled: true }),
      }));
  return {
    method: 'GET',
    description,
    ...(security && { auth: { type: 'noauth' } }),
    url: {
      raw: `{{baseUrl}}${path.replace(/\{(\w+)\}/g, ':$1')}`,
      host: ['{{baseUrl}}'],
      path: path
        .slice(1)
        .replace(/\{(\w+)\}/g, ':$1')
        .split('/'),
      query: stated('query'),
      variable: stated('path'),
    },
  };
}

/** `document` is the plain one, in which no two parameters exclude each other. `key` is a public key, if there is one. */
export function postmanCollection({ info, servers, tags, paths }: OpenApiDocument, key = NO_KEY): object {
  const operations = Object.entries(paths).flatMap(([path, { get }]) => (get ? [{ path, get }] : []));
  return {
    info: {
      name: info.title,
      description: info.description,
      version: info.version,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: KEY_HEADER, type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: servers[0]?.url },
      { key: 'apiKey', value: key },
    ],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: operations
        .filter(({ get }) => get.tags.includes(name))
        .map(({ path, get }) => ({ name: get.summary, request: request(path, get) })),
    })),
  };
}
