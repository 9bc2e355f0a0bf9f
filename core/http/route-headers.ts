/** Headers that the route table asks for: where an alias leads, and when a path ends. */
import { HEADERS } from '../contracts/headers.ts';
import type { Route } from '../contracts/route.ts';

/** Seconds since the epoch as RFC 9745 writes them, and an HTTP date as RFC 8594 does. */
const deprecatedSince = (day: string): string => `@${Date.parse(`${day}T00:00:00Z`) / 1000}`;
const httpDate = (day: string): string => new Date(`${day}T00:00:00Z`).toUTCString();

/** `path` as seen from `resource`: what stands before both, such as a stage's name, is not known here. */
const relativeTo = (resource: string, path: string): string =>
  `${'../'.repeat(resource.split('/').length - 2)}${path.slice(1)}`;

/** `resource` is the path template that was matched. */
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
