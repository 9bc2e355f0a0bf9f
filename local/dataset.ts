/** The dataset on one machine: the files of a folder of releases below `/data/`, with ranges, as DuckDB reads Parquet. */
import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, type Stats, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { ApiError, toEnvelope } from '../core/contracts/errors.ts';
import { JSON_TYPE } from '../core/contracts/wire.ts';
import { INDEX, LATEST, latestIn, NEWEST, releaseFolder } from '../core/store/release-place.ts';
import { contentType, REVALIDATED, SECURITY_HEADERS } from '../portal/served-headers.ts';
import { type Front, isUnchanged, pathRead, sendBytes } from './gateway.ts';

const PATH = '/data/';

/** Anyone may read it, from pages of other hosts as well. */
const HEADERS = {
  ...SECURITY_HEADERS,
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Accept-Ranges, Content-Length, Content-Range, ETag',
  'Accept-Ranges': 'bytes',
  'Cache-Control': REVALIDATED,
};

/** A page that sends a range may be asked for a preflight first. */
const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': 3600,
};

/** Without a release the index says how to write one. */
const NONE = Buffer.from(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>No release</title></head>
<body><p>There is no release yet: <code>npm run release</code> writes one.</p></body></html>
`);

function sendNotFound(request: IncomingMessage, response: ServerResponse): true {
  const requestId = randomUUID();
  const fault = new ApiError('not_found', 'The dataset has no such file.', {
    hint: 'GET /data/latest.json names the newest release, and the manifest.json of a release its files.',
  });
  const headers = {
    ...HEADERS,
    'Cache-Control': 'no-store',
    'Content-Type': JSON_TYPE,
    'x-request-id': requestId,
  };
  sendBytes(request, response, 404, headers, Buffer.from(JSON.stringify(toEnvelope(fault, requestId))));
  return true;
}

/** The path of a file within the folder; undefined for one that leads out of it, or into an unfinished release. */
function pathInside(path: string): string | undefined {
  const inside = path.slice(PATH.length).replaceAll(/%3d/gi, '=');
  if (inside === '') return INDEX;
  return /^\w[\w=.-]*(\/\w[\w=.-]*)*\.(html|json|parquet)$/.test(inside) ? inside : undefined;
}

/**
 * The range that a request asks for, its end included. `whole` without one, with several, or with one that is not well-formed, which
 * RFC 9110 says to ignore; undefined when none of it exists.
 */
function toRange(header: string | undefined, size: number) {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  const isReversed = from !== '' && to !== '' && Number(to) < Number(from);
  if ((from === '' && to === '') || isReversed) return 'whole';
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start < size ? { start, end } : undefined;
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  file: string,
  { size, mtimeMs }: Stats,
): void {
  const ETag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`;
  const headers = { ...HEADERS, 'Content-Type': contentType(file), ETag };
  if (isUnchanged(request, response, headers)) return;
  const { range: wanted, 'if-range': ifRange } = request.headers;
  const range = toRange(ifRange === undefined || ifRange === ETag ? wanted : undefined, size);
  if (range === undefined) {
    response.writeHead(416, { ...headers, 'Content-Range': `bytes */${size}` }).end();
    return;
  }
  const { start, end } = range === 'whole' ? { start: 0, end: size - 1 } : range;
  // A range that is the whole file is a range all the same: readers such as Polars take a 200 for a server without ranges.
  response.writeHead(range === 'whole' ? 200 : 206, {
    ...headers,
    'Content-Length': end - start + 1,
    ...(range === 'whole' ? {} : { 'Content-Range': `bytes ${start}-${end}/${size}` }),
  });
  if (request.method === 'HEAD') response.end();
  // A reader that hangs up needs no answer, and a file that goes away in the middle ends the response early.
  else pipeline(createReadStream(file, { start, end }), response, () => undefined);
}

/** The day of the release that a folder names as its newest. A damaged file names none, until the next run writes it again. */
function newestIn(folder: string): string | undefined {
  const file = join(folder, LATEST);
  return existsSync(file) ? latestIn(readFileSync(file, 'utf8')) : undefined;
}

/** Serves the files of `folder`, which may change while the service runs; until it has a release, those of `before`. */
export const datasetFront =
  (folder: string, before = folder): Front =>
  (request, response) => {
    if (request.method === 'OPTIONS' && request.url?.startsWith(PATH)) {
      response.writeHead(204, PREFLIGHT_HEADERS).end();
      return true;
    }
    const path = pathRead(request) ?? '';
    if (`${path}/` === PATH) {
      response.writeHead(301, { Location: PATH, 'Content-Length': 0 }).end();
      return true;
    }
    if (!path.startsWith(PATH)) return false;
    const inside = pathInside(path);
    if (inside === undefined) return sendNotFound(request, response);
    const home = newestIn(folder) === undefined ? before : folder;
    const newest = newestIn(home);
    if (newest !== undefined && inside.startsWith(NEWEST)) {
      const Location = `${PATH}${releaseFolder(newest)}/${inside.slice(NEWEST.length)}`;
      response
        .writeHead(302, { ...HEADERS, 'Cache-Control': 'no-store', Location, 'Content-Length': 0 })
        .end();
      return true;
    }
    const file = join(home, inside);
    const found = statSync(file, { throwIfNoEntry: false });
    const isServed = inside !== LATEST || newest !== undefined;
    if (isServed && found?.isFile() && found.size > 0) send(request, response, file, found);
    else if (inside === INDEX) {
      const headers = { ...HEADERS, 'Content-Type': contentType(`/${INDEX}`), 'x-request-id': randomUUID() };
      sendBytes(request, response, 404, headers, NONE);
    } else sendNotFound(request, response);
    return true;
  };
