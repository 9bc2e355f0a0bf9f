/**
 * The OpenAPI document of one media type. Generators give a response one type and read it in one way, so clients of the
 * whole document get a union, or parse CSV as JSON.
 */
import { CSV_MEDIA_TYPE, JSON_TYPE } from '../headers.ts';
import type { OpenApiDocument } from '../openapi.ts';

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
