/** The dataset on one machine: the files of a folder of releases below `/data/`, with ranges, as DuckDB reads Parquet. */
import { randomUUID } from 'node:crypto';
import { createReadStream, readFileSync, type Stats, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { INDEX, LATEST, latestIn } from '../../core/store/release-place.ts';
import { contentType, REVALIDATED, SECURITY_HEADERS } from '../../portal/served-headers.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { matchesTag } from './portal.ts';

const PATH = '/data/';

/** Anyone may read it, from pages of other hosts as well. */
const HEADERS = {
  ...SECURITY_HEADERS,
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
  'Accept-Ranges': 'bytes',
  'Cache-Control': REVALIDATED,
};

const NONE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>No release</title></head>
<body><p>There is no release yet: <code>npm run release</code> writes one.</p></body></html>
`;

/** The path of a file within the folder; undefined for a path that names none, leads out of it, or is of an unfinished release. */
function pathInside(url: string): string | undefined {
  const [path = ''] = url.split('?');
  if (!path.startsWith(PATH)) return undefined;
  const inside = path.slice(PATH.length).replaceAll(/%3d/gi, '=');
  if (inside === '') return INDEX;
  return /^\w[\w=.-]*(\/\w[\w=.-]*)*\.(html|json|parquet)$/.test(inside) ? inside : undefined;
}

interface Range {
  readonly start: number;
  /** Included. */
  readonly end: number;
}

/** The range that a request asks for: all without one or with several, undefined when none of it exists. */
function toRange(header: string | undefined, size: number): Range | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return { start: 0, end: size - 1 };
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start <= end && start < size ? { start, end } : undefined;
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  file: string,
  { size, mtimeMs }: Stats,
): void {
  const etag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`;
  const headers = { ...HEADERS, 'Content-Type': contentType(file), ETag: etag };
  const { range: wanted, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers;
  if (matchesTag(ifNoneMatch, etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  const asked = ifRange === undefined || ifRange === etag ? wanted : undefined;
  const range = toRange(asked, size);
  if (range === undefined) {
    response.writeHead(416, { ...headers, 'Content-Range': `bytes */${size}` }).end();
    return;
  }
  const { start, end } = range;
  const isPart = end - start + 1 < size;
  response.writeHead(isPart ? 206 : 200, {
    ...headers,
    'Content-Length': end - start + 1,
    ...(isPart ? { 'Content-Range': `bytes ${start}-${end}/${size}` } : {}),
  });
  if (request.method === 'HEAD') response.end();
  // A reader that hangs up needs no answer, and a file that goes away in the middle ends the response early.
  else pipeline(createReadStream(file, { start, end }), response, () => undefined);
}

/** Without a release the index says how to write one. */
function sendNone(response: ServerResponse, method: string): void {
  const headers = { 'Content-Type': contentType(`/${INDEX}`), 'x-request-id': randomUUID() };
  response.writeHead(404, { ...HEADERS, ...headers });
  response.end(method === 'HEAD' ? undefined : NONE);
}

/** Serves the files of `folder`, which may appear and change while the service runs; every other request is the gateway's. */
export const behindDataset = (folder: string, gateway: Gateway): Gateway => ({
  ...gateway,
  listener(request, response) {
    const { url = '', method } = request;
    if (method !== 'GET' && method !== 'HEAD') return gateway.listener(request, response);
    if (url === PATH.slice(0, -1)) {
      response.writeHead(301, { Location: PATH, 'Content-Length': 0 }).end();
      return;
    }
    const inside = pathInside(url);
    if (inside === undefined) return gateway.listener(request, response);
    const file = join(folder, inside);
    const found = statSync(file, { throwIfNoEntry: false });
    const isWhole = found?.isFile() === true && found.size > 0;
    // A damaged pointer names no release: to a reader there is none until the next run writes it again.
    const isDamaged = isWhole && inside === LATEST && latestIn(readFileSync(file, 'utf8')) === undefined;
    if (isWhole && !isDamaged) send(request, response, file, found);
    else if (inside === INDEX) sendNone(response, method);
    else gateway.listener(request, response);
  },
});
