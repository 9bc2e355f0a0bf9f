/** Response headers: their names and fixed values. */

export const HEADERS = {
  requestId: 'x-request-id',
  cacheControl: 'Cache-Control',
  contentEncoding: 'Content-Encoding',
  contentType: 'Content-Type',
  contentLength: 'Content-Length',
  etag: 'ETag',
  vary: 'Vary',
  retryAfter: 'Retry-After',
  rateLimitLimit: 'RateLimit-Limit',
  rateLimitRemaining: 'RateLimit-Remaining',
  rateLimitReset: 'RateLimit-Reset',
  link: 'Link',
  deprecation: 'Deprecation',
  sunset: 'Sunset',
  contentDisposition: 'Content-Disposition',
  vintages: 'X-Vintages',
  vintagesFrom: 'X-Vintages-From',
  contentTypeOptions: 'X-Content-Type-Options',
} as const;

/** The request header that carries the key. */
export const KEY_HEADER = 'X-API-Key';

/** What responses of read endpoints vary by. */
export const VARY = `${KEY_HEADER}, Accept-Encoding`;

/** Reads may be cached for five minutes, per key. */
export const CACHEABLE = 'public, max-age=300';
export const NOT_CACHEABLE = 'no-store';
export const JSON_TYPE = 'application/json';
export const CSV_MEDIA_TYPE = 'text/csv';
/** Every value of `format` with the type that it is sent as. */
export const FORMATS = {
  json: JSON_TYPE,
  csv: `${CSV_MEDIA_TYPE}; charset=utf-8`,
  atom: 'application/atom+xml',
  jsonfeed: 'application/feed+json',
  geojson: 'application/geo+json',
} as const;
export type Format = keyof typeof FORMATS;

/** Request header in which the portal's distribution states the host that the client asked; the gateway sees another one. */
export const VIEWER_HOST = 'x-viewer-host';
