/** A loopback web server that plays a list of scripted turns in order, with the good and bad replies of real upstreams. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fetchHttpClient } from '../../core/upstream/fetch-client.ts';
import type { HttpClient } from '../../core/upstream/http-client.ts';
import type { SourceDeclaration } from '../../core/upstream/source.ts';
import { listening } from './loopback.ts';

export type Turn = (request: IncomingMessage, response: ServerResponse) => void;

export interface ScriptedUpstream {
  readonly host: string;
  readonly origin: string;
  /** The received requests, oldest first. */
  readonly requests: { readonly url: string; readonly headers: IncomingMessage['headers'] }[];
}

export const turns = {
  status: (status: number, headers: Record<string, string> = {}, body: string | Uint8Array = ''): Turn => {
    return (_request, response) => {
      response.writeHead(status, headers).end(body);
    };
  },
  ok: (body: string | Uint8Array, headers: Record<string, string> = {}): Turn =>
    turns.status(200, headers, body),
  /** Takes the request and never responds. */
  stall: (): Turn => () => undefined,
  /** Sends the first half of the body and then nothing, with the connection open. */
  stallInBody: (body: string): Turn => {
    return (_request, response) => {
      response.writeHead(200, { 'content-length': String(body.length) });
      response.write(body.slice(0, Math.ceil(body.length / 2)));
    };
  },
  reset: (): Turn => (request) => request.socket.resetAndDestroy(),
  /** Promises more than it sends, then hangs up. */
  halfBody: (body: string | Uint8Array, headers: Record<string, string> = {}): Turn => {
    return (_request, response) => {
      response.writeHead(200, { 'content-length': String(body.length), ...headers });
      response.write(body.slice(0, Math.ceil(body.length / 2)), () => response.destroy());
    };
  },
};

const closing: (() => Promise<void>)[] = [];

/** After each test of a suite that starts some: `afterEach(closeUpstreams)`. */
export async function closeUpstreams(): Promise<void> {
  for (const close of closing.splice(0)) await close();
}

/** Starts the server on 127.0.0.1 until `closeUpstreams`; after the last turn the last one is repeated. */
export async function scriptedUpstream(script: readonly Turn[]): Promise<ScriptedUpstream> {
  const requests: ScriptedUpstream['requests'] = [];
  const server = createServer((request, response) => {
    const turn = script[Math.min(requests.length, script.length - 1)];
    requests.push({ url: request.url ?? '', headers: request.headers });
    turn?.(request, response);
  });
  const { port, origin, close } = await listening(server);
  closing.push(close);
  return { host: `127.0.0.1:${port}`, origin, requests };
}

/** A publisher's host on loopback, and the client of a deployed stage but for the address. */
export async function publishedUpstream(
  published: string,
  declared: SourceDeclaration,
  script: readonly Turn[],
) {
  const upstream = await scriptedUpstream(script);
  const client = fetchHttpClient(
    { ...declared, hosts: [upstream.host] },
    {
      now: () => Date.parse('2026-03-10T12:00:00Z'),
      random: () => 0.5,
      sleep: async () => undefined,
      allowLoopback: true,
      contact: 'ops@example.com',
    },
  );
  const http: HttpClient = {
    get: (address, headers) =>
      address.startsWith(`${published}/`)
        ? client.get(address.replace(published, upstream.origin), headers)
        : Promise.reject(new Error(`${address} is not of ${published}`)),
  };
  return { upstream, http };
}

/** A turn that takes until the next one of the event loop, and the most of them that were under way at once. */
export function slowTurn(body: string) {
  const counts = { running: 0, most: 0 };
  const turn: Turn = (_request, response) => {
    counts.running += 1;
    counts.most = Math.max(counts.most, counts.running);
    response.on('finish', () => {
      counts.running -= 1;
    });
    setImmediate(() => response.end(body));
  };
  return { counts, turn };
}
