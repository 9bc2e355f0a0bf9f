/** Cross-origin reads: off, but for the origins that a stage names. Keys do not belong in pages, so none is the default. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { HEADERS, KEY_HEADER } from '../contracts/headers.ts';
import { headerOf } from './event.ts';

/** Headers of an answer that a page of another origin may read. */
const EXPOSED = [
  HEADERS.etag,
  HEADERS.retryAfter,
  HEADERS.rateLimitLimit,
  HEADERS.rateLimitRemaining,
  HEADERS.rateLimitReset,
  HEADERS.requestId,
  HEADERS.link,
].join(', ');

/** The origins of a setting like `https://a.example,https://b.example`; none when it is absent. */
export const originsOf = (setting: string | undefined): ReadonlySet<string> =>
  new Set((setting ?? '').split(',').filter((origin) => origin !== ''));

/** Headers that let the page that asks read the answer; none for an origin that is not named. */
export function corsHeaders(
  origins: ReadonlySet<string>,
  event: APIGatewayProxyEvent,
): Record<string, string> {
  if (origins.size === 0) return {};
  const origin = headerOf(event, 'origin');
  // Caches must tell answers to different origins apart, also those that are given no permission.
  const vary = { [HEADERS.vary]: `${KEY_HEADER}, Origin` };
  if (origin === undefined || !origins.has(origin)) return vary;
  return { ...vary, 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED };
}
