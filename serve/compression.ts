/** Compression of files that do not change: each is compressed once, for the first reader who takes it. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export type Coding = 'br' | 'gzip' | 'identity';

export interface Coded {
  readonly coding: Coding;
  readonly bytes: Buffer;
}

/** CloudFront leaves smaller files as they are. */
const MIN_BYTES = 1000;
/** Higher ones take seconds for the largest file and save little. */
const BROTLI_QUALITY = 6;

const CODERS: Readonly<Record<Exclude<Coding, 'identity'>, (bytes: Buffer) => Buffer>> = {
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => gzipSync(bytes),
};

/** Whether the header Accept-Encoding takes `coding`; one with `q=0` is refused. */
const takes = (header: string, coding: Coding): boolean =>
  header.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === coding && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
  });

/**
 * Brotli where the reader takes it, else gzip, else the bytes as they are; these also where compression saves nothing.
 *
 * @returns a function of the digest and the bytes of a file and the request's Accept-Encoding
 */
export function createCompression() {
  const coded = new Map<string, Buffer>();
  return (digest: string, bytes: Buffer, acceptEncoding = ''): Coded => {
    const coding = (['br', 'gzip'] as const).find((name) => takes(acceptEncoding, name));
    if (coding === undefined || bytes.length < MIN_BYTES) return { coding: 'identity', bytes };
    const key = `${coding} ${digest}`;
    const compressed = coded.get(key) ?? CODERS[coding](bytes);
    coded.set(key, compressed);
    return compressed.length < bytes.length ? { coding, bytes: compressed } : { coding: 'identity', bytes };
  };
}
