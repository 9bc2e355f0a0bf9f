/** Headers that do not depend on the data: alias and deprecation of the path, and cross-origin permission. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { HEADERS, VARY } from '../contracts/headers.ts';
import type { Route } from '../contracts/route.ts';
import { headerOf } from './event.ts';

/** Seconds since the epoch as RFC 9745 writes them, and an HTTP date as RFC 8594 does. */
const deprecatedSince = (day: string): string => `@${Date.parse(`${day}T00:00:00Z`) / 1000}`;
const httpDate = (day: string): string => new Date(`${day}T00:00:00Z`).toUTCString();

/** `path` relative to `resource`: a prefix of both, such as the stage name, is not known here. */
const relativeTo = (resource: string, path: string): string =>
  `${'../'.repeat(resource.split('/').length - 2)}${path.slice(1)}`;

/** The headers of a path that is an alias or deprecated. `resource` is the path template that was matched. */
export function routeHeaders(route: Route, resource: string): Record<string, string> {
  const [preferred, ...aliases] = route.paths;
  const links: string[] = [];
  if (aliases.includes(resource)) links.push(`<${relativeTo(resource, preferred)}>; rel="successor-version"`);
  if (route.deprecation !== undefined) links.push(`<${route.deprecation.link}>; rel="deprecation"`);
  return {
    ...(links.length === 0 ? {} : { [HEADERS.link]: links.join(', ') }),
    ...(route.deprecation === undefined
      ? {}
      : {
          [HEADERS.deprecation]: deprecatedSince(route.deprecation.since),
          [HEADERS.sunset]: httpDate(route.deprecation.sunset),
        }),
  };
}

/** Response headers that a page of another origin may read. */
const EXPOSED = [
  HEADERS.etag,
  HEADERS.retryAfter,
  HEADERS.rateLimitLimit,
  HEADERS.rateLimitRemaining,
  HEADERS.rateLimitReset,
  HEADERS.requestId,
  HEADERS.link,
  HEADERS.vintages,
  HEADERS.vintagesFrom,
].join(', ');

/** The origins of a setting like `https://a.example,https://b.example`; none when it is absent. */
export const originsOf = (setting: string | undefined): ReadonlySet<string> =>
  new Set((setting ?? '').split(',').filter((origin) => origin !== ''));

/** The headers that let a page of a named origin read the response. Keys do not belong in pages, so none is the default. */
export function corsHeaders(
  origins: ReadonlySet<string>,
  event: APIGatewayProxyEvent,
): Record<string, string> {
  if (origins.size === 0) return {};
  const origin = headerOf(event, 'origin');
  // Caches must store responses by origin, also those without permission.
  const vary = { [HEADERS.vary]: `${VARY}, Origin` };
  if (origin === undefined || !origins.has(origin)) return vary;
  return { ...vary, 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED };
}
