/** Headers of each file of the portal, from the local service and from S3 and CloudFront alike. */

/** Only this host's own files; images may also be data URLs in style sheets, as in Swagger UI. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const SECURITY_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

/** Files below this path have a hash of their content in their name and never change. */
export const HASHED_FILES = '/assets/';
/** Sent with status 404 to a browser that asks for a page that does not exist. */
export const NOT_FOUND_PAGE = '/404.html';
export const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Every other file may be cached, but is revalidated with each use. */
export const REVALIDATED = 'no-cache';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
};

/** Headers of the file at `path`, which begins with a slash. Throws for a file without a known content type. */
export function contentType(path: string): string {
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)];
  if (type === undefined) throw new Error(`there is no content type for ${path}`);
  return type;
}

/**
 * Whether a request for `path`, which names no file, gets the page instead of the API's envelope: a browser asks for a
 * page, and the path is not of any version of the API.
 */
export const wantsPage = (path: string, accept: string | undefined): boolean =>
  (accept ?? '').includes('text/html') && !/^\/v\d+(?:\/|$)/.test(path);

export const cacheControl = (path: string): string =>
  path.startsWith(HASHED_FILES) ? IMMUTABLE : REVALIDATED;
