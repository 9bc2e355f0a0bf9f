/** Content codings: whether a client takes gzip, and a body in it (RFC 9110, 8.4 and 12.5.3). */
import { gzipSync } from 'node:zlib';

/** A body of fewer bytes fits into one packet as it is. */
const MIN_GZIP_BYTES = 1024;

/** Whether an Accept-Encoding value allows gzip: by name, else by `*`, with a weight above 0. Absent means no. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const weights = new Map<string, number>();
  for (const coding of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = coding.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    weights.set(name, Number(weight));
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

/** The tag of the gzip form of a body with the strong tag `etag`: a strong tag belongs to one encoding. */
export const gzipTagOf = (etag: string): string => `${etag.slice(0, -1)}-gzip"`;

/** The body as base64 of its gzip form, made when first asked for; undefined for a body that is too short. */
export function gzipOf(body: string): (() => string) | undefined {
  if (Buffer.byteLength(body) < MIN_GZIP_BYTES) return undefined;
  let encoded: string | undefined;
  return () => {
    encoded ??= gzipSync(body).toString('base64');
    return encoded;
  };
}
