/** The portal on one machine: the built files, compressed and with the headers that CloudFront sends, and the shared demo key. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import {
  cacheControl,
  contentType,
  NOT_FOUND_PAGE,
  SECURITY_HEADERS,
  wantsPage,
} from '../../portal/served-headers.ts';
import { type PortalSettings, withSettings } from '../../portal/settings-block.ts';
import type { Gateway } from '../gateway/gateway.ts';

// Compression of files that do not change: each is compressed once, for the first reader who takes it.

type Coding = 'br' | 'gzip' | 'identity';

interface Coded {
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
function createCompression() {
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

/** Responds to a request for the portal and returns true; returns false for every other request. */
type Portal = (request: IncomingMessage, response: ServerResponse) => boolean;

const INDEX = 'index.html';

interface ServedFile {
  readonly path: string;
  readonly bytes: Buffer;
  /** Of the uncompressed bytes. */
  readonly digest: string;
}

const served = (path: string, bytes: Buffer): ServedFile => ({
  path,
  bytes,
  digest: createHash('sha256').update(bytes).digest('base64url'),
});

/** Every file by the path that it is served at; a folder's index also at the folder itself. */
function readFiles(directory: string, settings: PortalSettings): ReadonlyMap<string, ServedFile> {
  const files = new Map<string, ServedFile>();
  const names = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const { parentPath, name } of names) {
    const file = join(parentPath, name);
    const path = file.slice(directory.length).replaceAll('\\', '/').replace(/^\/*/, '/');
    const stored = readFileSync(file);
    const bytes = path.endsWith('.html') ? Buffer.from(withSettings(stored.toString(), settings)) : stored;
    files.set(path, served(path, bytes));
    if (name === INDEX) files.set(path.slice(0, -INDEX.length), served(path, bytes));
  }
  return files;
}

const makeHeaders = ({ path, digest }: ServedFile, coding: Coding): Readonly<Record<string, string>> => ({
  ...SECURITY_HEADERS,
  'Content-Type': contentType(path),
  'Cache-Control': cacheControl(path),
  Vary: 'Accept-Encoding',
  ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
  // Other bytes need another strong tag.
  ETag: coding === 'identity' ? `"${digest}"` : `"${digest}-${coding}"`,
});

/** Whether a tag of If-None-Match is that of the file; weak comparison, as the header asks for. */
export const matchesTag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) ?? false;

/**
 * Reads `directory` once and serves only the files found then, so no path can lead out of it. Throws
 * when the directory cannot be read.
 */
export function createPortal(directory: string, settings: PortalSettings = {}): Portal {
  const files = readFiles(directory, settings);
  const compress = createCompression();
  const send = (
    request: IncomingMessage,
    response: ServerResponse,
    file: ServedFile,
    status: 200 | 404,
  ): void => {
    const { coding, bytes } = compress(file.digest, file.bytes, request.headers['accept-encoding']);
    const headers = makeHeaders(file, coding);
    if (status === 200 && matchesTag(request.headers['if-none-match'], headers.ETag ?? '')) {
      response.writeHead(304, headers).end();
      return;
    }
    response.writeHead(status, { ...headers, 'Content-Length': bytes.length });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  };
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const [path = ''] = (request.url ?? '').split('?');
    const named = files.get(path);
    const missing = wantsPage(path, request.headers.accept) ? files.get(NOT_FOUND_PAGE) : undefined;
    if (named) send(request, response, named, 200);
    else if (files.has(`${path}/`))
      response.writeHead(301, { Location: `${path}/`, 'Content-Length': 0 }).end();
    else if (missing) send(request, response, missing, 404);
    else return false;
    return true;
  };
}

/** Requests that the portal does not serve go to the gateway, which responds to an unknown path with an error envelope. */
export const behindPortal = (portal: Portal, gateway: Gateway): Gateway => ({
  ...gateway,
  listener: (request, response) => {
    if (!portal(request, response)) gateway.listener(request, response);
  },
});
