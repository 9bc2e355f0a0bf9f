/** An endpoint's data as the bytes and headers of a 200: what a reply is made of, whoever asks. */
import { CACHEABLE, CSV_TYPE, HEADERS, JSON_TYPE, KEY_HEADER, NOT_CACHEABLE } from '../contracts/headers.ts';
import type { Route } from '../contracts/route.ts';
import { csvOf } from './csv.ts';
import { entityTag } from './etag.ts';
import type { ReadParameters } from './request.ts';

export interface Answer {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent where an answer is never revalidated. */
  readonly etag?: string;
}

/** `USLAX-trend-30d.csv`: what a browser names the file when it is saved. */
function fileName(operationId: string, { path, query }: ReadParameters): string {
  const days = query.days ?? query.window;
  return `${[...Object.values(path), operationId, ...(days === undefined ? [] : [`${days}d`])].join('-')}.csv`;
}

/** The answer of `operationId` to good parameters. */
export function answerOf(
  operationId: string,
  route: Route,
  parameters: ReadParameters,
  data: unknown,
): Answer {
  if (!route.authenticated) {
    const headers = { [HEADERS.contentType]: JSON_TYPE, [HEADERS.cacheControl]: NOT_CACHEABLE };
    return { body: JSON.stringify(data), headers };
  }
  const csv = parameters.query.format === 'csv' && route.csvColumns !== undefined;
  const body = csv ? csvOf(route.csvColumns, data as readonly object[]) : JSON.stringify(data);
  const etag = entityTag(body);
  const content: Record<string, string> = csv
    ? {
        [HEADERS.contentType]: CSV_TYPE,
        [HEADERS.contentDisposition]: `inline; filename="${fileName(operationId, parameters)}"`,
      }
    : { [HEADERS.contentType]: JSON_TYPE };
  const validators = { [HEADERS.etag]: etag, [HEADERS.cacheControl]: CACHEABLE, [HEADERS.vary]: KEY_HEADER };
  return { body, headers: { ...content, ...validators }, etag };
}
