/** Faults of an upstream at HTTP level: a loopback server sends redirects, sizes and speeds to the HTTP client of a stage. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { fetchHttpClient } from '../../core/upstream/fetch-client.ts';
import type { HttpClient } from '../../core/upstream/http-client.ts';
import type { SourceDeclaration } from '../../core/upstream/source.ts';
import { listening } from '../builders/loopback.ts';

export type Turn = (
  request: IncomingMessage,
  response: ServerResponse,
  declaration: SourceDeclaration,
) => void;

const LOGIN = '<!doctype html><html><head><title>Sign in</title></head></html>';
const MEGABYTE = new Uint8Array(1_000_000).fill(32);

export const NETWORK_LIES: Readonly<Record<string, Turn>> = {
  'a redirect to a login page': (request, response) => {
    if (request.url === '/login') response.writeHead(200, { 'content-type': 'text/html' }).end(LOGIN);
    else response.writeHead(302, { location: '/login' }).end();
  },
  'a redirect to a login page of another host': (_request, response) => {
    response.writeHead(302, { location: 'https://login.example.com/' }).end();
  },
  'a redirect in a circle': (request, response) => {
    response.writeHead(302, { location: request.url ?? '/' }).end();
  },
  'a slow drip': (_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  },
  'half of a body': (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('<'.repeat(500), () => response.destroy());
  },
  'ten times the largest reply': async (_request, response, { maxReplyBytes }) => {
    response.writeHead(200);
    const closed = once(response, 'close');
    for (let sent = 0; sent < 10 * maxReplyBytes && !response.closed; sent += MEGABYTE.length)
      if (!response.write(MEGABYTE)) await Promise.race([once(response, 'drain'), closed]);
    response.end();
  },
  'a reply that inflates beyond the largest': (_request, response, { maxReplyBytes }) => {
    const body = gzipSync(new Uint8Array(maxReplyBytes + 1));
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(body);
  },
};

/** Time limits in seconds where a stage has minutes. */
const LIMITS = { tries: 1, tryTimeoutMs: 1_500, totalTimeoutMs: 3_000 };

/** Runs `work` with a client that reaches the server in the place of the source's hosts. */
export async function lyingServer<Result>(
  declaration: SourceDeclaration,
  turn: Turn,
  work: (http: HttpClient) => Promise<Result>,
): Promise<Result> {
  const server = createServer((request, response) => turn(request, response, declaration));
  const { port, origin, close } = await listening(server);
  const client = fetchHttpClient(
    { ...declaration, hosts: [`127.0.0.1:${port}`] },
    { now: Date.now, random: Math.random, sleep: async () => undefined, allowLoopback: true, limits: LIMITS },
  );
  const get: HttpClient['get'] = (address, headers, read) => {
    const { pathname, search } = new URL(address);
    return client.get(`${origin}${pathname}${search}`, headers, read);
  };
  try {
    return await work({ get });
  } finally {
    await close();
  }
}
