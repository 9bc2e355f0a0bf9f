/** A Postman collection (format 2.1) of the requests that the document describes, with its examples. */
import { KEY_HEADER } from '../headers.ts';
import type { OpenApiDocument, OpenApiOperation } from '../openapi.ts';
import { NO_KEY } from '../placeholders.ts';

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
