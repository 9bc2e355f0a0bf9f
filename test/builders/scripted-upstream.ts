/** A loopback web server that plays a list of scripted turns in order, with the good and bad replies of real upstreams. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from './loopback.ts';

export type Turn = (request: IncomingMessage, response: ServerResponse) => void;

export interface ScriptedUpstream {
  readonly host: string;
  readonly origin: string;
  /** The received requests, oldest first. */
  readonly requests: { readonly url: string; readonly headers: IncomingMessage['headers'] }[];
  close(): Promise<void>;
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
  halfBody: (body: string): Turn => {
    return (_request, response) => {
      response.writeHead(200, { 'content-length': String(body.length) });
      response.write(body.slice(0, Math.ceil(body.length / 2)), () => response.destroy());
    };
  },
};

/** Starts the server on 127.0.0.1; after the last turn the last one is repeated. */
export async function scriptedUpstream(script: readonly Turn[]): Promise<ScriptedUpstream> {
  const requests: ScriptedUpstream['requests'] = [];
  const server = createServer((request, response) => {
    const turn = script[Math.min(requests.length, script.length - 1)];
    requests.push({ url: request.url ?? '', headers: request.headers });
    turn?.(request, response);
  });
  const { port, origin, close } = await listening(server);
  return { host: `127.0.0.1:${port}`, origin, requests, close };
}
