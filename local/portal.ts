/** The portal on one machine: the built files with the headers that CloudFront sends, and the shared demo key. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { LOCAL_ADDRESS, NO_KEY } from '../core/contracts/placeholders.ts';
import { acceptsGzip } from '../core/http/response.ts';
import {
  cacheControl,
  contentType,
  NOT_FOUND_PAGE,
  SECURITY_HEADERS,
  wantsPage,
} from '../portal/served-headers.ts';
import { type PortalSettings, withSettings } from '../portal/settings-block.ts';
import { type Front, isUnchanged, pathRead, sendBytes } from './front.ts';

const INDEX = 'index.html';
/** CloudFront leaves smaller files as they are. */
const MIN_GZIP_BYTES = 1000;

interface Encoded {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>> & { readonly ETag: string };
}

/** A file in the encoding for an Accept-Encoding value; it is compressed once, for the first reader who takes it. */
type ServedFile = (acceptEncoding: string | undefined, host: string) => Encoded;

function servedFile(path: string, bytes: Buffer): ServedFile {
  const digest = createHash('sha256').update(bytes).digest('base64url');
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Type': contentType(path),
    'Cache-Control': cacheControl(path),
    Vary: 'Accept-Encoding',
  };
  const plain = { bytes, headers: { ...headers, ETag: `"${digest}"` } };
  let compressed: Encoded | undefined;
  return (acceptEncoding) => {
    if (bytes.length < MIN_GZIP_BYTES || !acceptsGzip(acceptEncoding)) return plain;
    compressed ??= {
      bytes: gzipSync(bytes),
      // Other bytes need another strong tag.
      headers: { ...headers, 'Content-Encoding': 'gzip', ETag: `"${digest}-gzip"` },
    };
    return compressed;
  };
}

/** A file whose text states the address of the API: served with the address that the request was sent to, and the demo key. */
function addressedFile(path: string, bytes: Buffer, demoKey = NO_KEY): ServedFile {
  const text = bytes.toString().replace(`"${NO_KEY}"`, JSON.stringify(demoKey));
  return (acceptEncoding, host) =>
    servedFile(path, Buffer.from(text.replace(LOCAL_ADDRESS, `http://${host}`)))(acceptEncoding, host);
}

/** The name and port that a request was sent to; those of the connection where its header has another form. */
function hostOf({ headers, socket }: IncomingMessage): string {
  const { host = '' } = headers;
  return /^[\w.-]+(:\d+)?$/.test(host) ? host : `127.0.0.1:${socket.localPort}`;
}

/** Every file by the path that it is served at; a folder's index also at the folder itself. */
function readFiles(directory: string, settings: PortalSettings): ReadonlyMap<string, ServedFile> {
  const files = new Map<string, ServedFile>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(directory.length).replaceAll('\\', '/').replace(/^\/*/, '/');
    const stored = readFileSync(file);
    const bytes = path.endsWith('.html') ? Buffer.from(withSettings(stored.toString(), settings)) : stored;
    const isAddressed = path.endsWith('.json') && bytes.includes(`"${LOCAL_ADDRESS}"`);
    const served = isAddressed ? addressedFile(path, bytes, settings.demoKey) : servedFile(path, bytes);
    files.set(path, served);
    if (entry.name === INDEX) files.set(path.slice(0, -INDEX.length), served);
  }
  return files;
}

/**
 * Reads the folder once, when it has been built, and serves only the files found then, so no path can lead out of it. A page that is
 * asked for earlier waits; the API never does. Where the build fails there are no pages.
 */
export function portalFront(built: Promise<string>, settings: PortalSettings): Front {
  let serve: Front | undefined;
  const ready = built.then(
    (directory) => filesFront(readFiles(directory, settings)),
    (): Front => () => false,
  );
  ready.then((front) => {
    serve = front;
  });
  return (request, response) => {
    if (pathRead(request)?.startsWith('/v1/') !== false) return false;
    return serve?.(request, response) ?? ready.then((front) => front(request, response));
  };
}

const filesFront =
  (files: ReadonlyMap<string, ServedFile>): Front =>
  (request, response) => {
    const path = pathRead(request) ?? '';
    const { accept, 'accept-encoding': acceptEncoding } = request.headers;
    const host = hostOf(request);
    const named = files.get(path)?.(acceptEncoding, host);
    const missing = wantsPage(path, accept) ? files.get(NOT_FOUND_PAGE)?.(acceptEncoding, host) : undefined;
    if (named) {
      if (!isUnchanged(request, response, named.headers))
        sendBytes(request, response, 200, named.headers, named.bytes);
    } else if (files.has(`${path}/`))
      response.writeHead(301, { Location: `${path}/`, 'Content-Length': 0 }).end();
    else if (missing) sendBytes(request, response, 404, missing.headers, missing.bytes);
    else return false;
    return true;
  };
