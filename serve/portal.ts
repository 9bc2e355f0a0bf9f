/** The portal on one machine: the built files, compressed and with the headers that CloudFront sends, and the shared demo key. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Gateway } from '../local/gateway/gateway.ts';
import {
  cacheControlOf,
  contentTypeOf,
  NOT_FOUND_PAGE,
  SECURITY_HEADERS,
  wantsPage,
} from '../portal/served-headers.ts';
import { type PortalSettings, withSettings } from '../portal/settings-block.ts';
import { type Coding, createCompression } from './compression.ts';

/** Responds to a request for the portal and returns true; returns false for every other request. */
export type Portal = (request: IncomingMessage, response: ServerResponse) => boolean;

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

const headersOf = ({ path, digest }: ServedFile, coding: Coding): Readonly<Record<string, string>> => ({
  ...SECURITY_HEADERS,
  'Content-Type': contentTypeOf(path),
  'Cache-Control': cacheControlOf(path),
  Vary: 'Accept-Encoding',
  ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
  // Other bytes need another strong tag.
  ETag: coding === 'identity' ? `"${digest}"` : `"${digest}-${coding}"`,
});

/** Whether a tag of If-None-Match is that of the file; weak comparison, as the header asks for. */
const matches = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) ?? false;

/**
 * Reads `directory` once and serves only the files found then, so no path can lead out of it. Throws
 * when the directory cannot be read.
 */
export function createPortal(directory: string, settings: PortalSettings = {}): Portal {
  const files = readFiles(directory, settings);
  const compress = createCompression();
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const [path = ''] = (request.url ?? '').split('?');
    const named = files.get(path);
    if (!named && files.has(`${path}/`)) {
      response.writeHead(301, { Location: `${path}/`, 'Content-Length': 0 }).end();
      return true;
    }
    const file = named ?? (wantsPage(path, request.headers.accept) ? files.get(NOT_FOUND_PAGE) : undefined);
    if (!file) return false;
    const { coding, bytes } = compress(file.digest, file.bytes, request.headers['accept-encoding']);
    const headers = headersOf(file, coding);
    if (named && matches(request.headers['if-none-match'], headers.ETag ?? '')) {
      response.writeHead(304, headers).end();
      return true;
    }
    response.writeHead(named ? 200 : 404, { ...headers, 'Content-Length': bytes.length });
    response.end(request.method === 'HEAD' ? undefined : bytes);
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
