/** The portal on one machine: the built files with the headers that CloudFront sends, and the shared demo key. */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { LOCAL_ADDRESS, NO_KEY } from '../core/contracts/wire.ts';
import { acceptsGzip } from '../core/http/response.ts';
import {
  cacheControl,
  contentType,
  NOT_FOUND_PAGE,
  SECURITY_HEADERS,
  wantsPage,
} from '../portal/served-headers.ts';
import { type PortalSettings, withSettings } from '../portal/settings-block.ts';
import { StartError } from './command-line.ts';
import { type Front, isUnchanged, pathRead, sendBytes } from './gateway.ts';

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

// The portal that a start serves; built again only when what it is made from changes.

const root = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../tools/build-portal.ts', import.meta.url));
const INPUTS = [
  ...['portal', 'docs', 'core', 'lib/stage-config.ts', 'tools/build-portal.ts', 'tools/route-values.ts'],
  ...['CHANGELOG.md', 'cdk.json', 'package-lock.json', 'tsconfig.json'],
];
/** Most builds on disk; a running service uses the files of one of them. */
const MAX_BUILDS = 3;

function files(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => files(join(path, name)));
}

export function digestOfInputs(home = root, inputs: readonly string[] = INPUTS): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of inputs
    .map((name) => join(home, name))
    .filter(existsSync)
    .flatMap(files))
    hash.update(file.slice(home.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** Builds in a separate process, so that the API never waits for the compiler, and its memory is freed. */
function runBuild(outdir: string, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, outdir], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint = `${complaint}${chunk}`.slice(-4000);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new StartError(`the portal cannot be built, its pages are missing:\n${complaint.trim()}`));
    });
  });
}

function removeOld(home: string, current: string): void {
  const others = readdirSync(home).filter((name) => name !== current);
  const byAge = others
    .map((name) => ({ name, at: statSync(join(home, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { name } of byAge.slice(MAX_BUILDS - 1))
    rmSync(join(home, name), { recursive: true, force: true });
}

/** The folder of the built portal. Calls `onBuild` when a build is needed; the signal stops one that is under way. */
export async function openBuiltPortal(onBuild: () => void, signal: AbortSignal): Promise<string> {
  const home = join(root, 'dist', 'local-portal');
  const digest = digestOfInputs();
  const directory = join(home, digest);
  if (existsSync(directory)) return directory;
  onBuild();
  mkdirSync(home, { recursive: true });
  const unfinished = join(home, `${digest}.${process.pid}`);
  await runBuild(unfinished, signal);
  // Another start may have built the same meanwhile.
  if (existsSync(directory)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, directory);
  removeOld(home, digest);
  return directory;
}
