/** A loopback server that breaks responses in ways that only a real connection can: each request gets the next fault. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

export type Fault = (socket: Socket) => void;

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n';
const BODY = '[{"source":"x","last_fetch_iso":"2026-11-20T12:00:00Z"}]';

export const FAULTS = {
  good: (socket) => void socket.end(`${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY}`),
  chunked: (socket) =>
    void socket.end(
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
    ),
  resetAtOnce: (socket) => void socket.resetAndDestroy(),
  closedWithoutAWord: (socket) => void socket.end(),
  resetMidHead: (socket) => void socket.write('HTTP/1.1 200 O', () => socket.resetAndDestroy()),
  resetMidBody: (socket) =>
    void socket.write(`${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY.slice(0, 9)}`, () =>
      socket.resetAndDestroy(),
    ),
  cutShort: (socket) => void socket.end(`${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY.slice(0, 9)}`),
  cutChunk: (socket) => void socket.end(`${HEAD}Transfer-Encoding: chunked\r\n\r\nff\r\n[`),
  garbage: (socket) => void socket.end('this is not HTTP\r\n\r\n'),
  silent: () => undefined,
  stalledBody: (socket) => void socket.write(`${HEAD}Content-Length: ${BODY.length}\r\n\r\n[`),
} as const satisfies Record<string, Fault>;

export interface FaultServer {
  readonly url: string;
  /** The head of every request that came, as it was sent. */
  readonly heads: readonly string[];
  close(): Promise<void>;
}

/** The last fault of the script goes on for ever. */
export async function startFaultServer(script: readonly Fault[]): Promise<FaultServer> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      heads.push(data.toString('latin1'));
      script[Math.min(heads.length, script.length) - 1]?.(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heads,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
