/** An endpoint's data as the bytes and headers of a 200: what a reply is made of, whoever asks. */
import { CACHEABLE, CSV_TYPE, HEADERS, JSON_TYPE, KEY_HEADER, NOT_CACHEABLE } from '../contracts/headers.ts';
import { csvColumnsOf, fileNameOf, type Route } from '../contracts/route.ts';
import { csvOf } from './csv.ts';
import { entityTag } from './etag.ts';
import type { ReadParameters } from './request.ts';

export interface Answer {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent where an answer is never revalidated. */
  readonly etag?: string;
}

/** The answer of the route to good parameters. */
export function answerOf(route: Route, parameters: ReadParameters, data: unknown): Answer {
  if (!route.authenticated) {
    const headers = { [HEADERS.contentType]: JSON_TYPE, [HEADERS.cacheControl]: NOT_CACHEABLE };
    return { body: JSON.stringify(data), headers };
  }
  const { path, query } = parameters;
  const columns = query.format === 'csv' ? csvColumnsOf(route) : undefined;
  const csv = columns !== undefined;
  const body = csv ? csvOf(columns, data as readonly object[]) : JSON.stringify(data);
  const etag = entityTag(body);
  const content: Record<string, string> = csv
    ? {
        [HEADERS.contentType]: CSV_TYPE,
        [HEADERS.contentDisposition]: `inline; filename="${fileNameOf(route, Object.values(path), query.days ?? query.window, 'csv')}"`,
      }
    : { [HEADERS.contentType]: JSON_TYPE };
  const validators = { [HEADERS.etag]: etag, [HEADERS.cacheControl]: CACHEABLE, [HEADERS.vary]: KEY_HEADER };
  return { body, headers: { ...content, ...validators }, etag };
}
