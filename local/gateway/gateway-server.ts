/** The listening side of the local gateway: sockets, requests that no parser can read, and an orderly end. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { faultCode, faultText, StartFault } from '../start-fault.ts';
import type { Gateway } from './gateway.ts';

export interface GatewayServer {
  /** Base address, without a slash at its end. */
  readonly url: string;
  /** Takes no more requests, lets those under way end, and closes what is still open after `graceMs`. */
  close(): Promise<void>;
}

const KEEP_ALIVE_MS = 65_000;
/** A client gets this long to send its headers, and its whole request. */
const HEADERS_MS = 20_000;
const REQUEST_MS = 30_000;
const GRACE_MS = 5000;

function portFault(thrown: unknown, port: number): StartFault {
  if (faultCode(thrown) === 'EADDRINUSE')
    return new StartFault(
      `port ${port} is in use: stop what uses it, or choose another with --port (0: any free one)`,
    );
  if (faultCode(thrown) === 'EACCES')
    return new StartFault(`port ${port} may not be used without special rights`);
  return new StartFault(`port ${port} cannot be opened: ${faultText(thrown)}`);
}

/** Serves on the loopback address only. Throws `StartFault` when the port is taken. */
export async function serveGateway(gateway: Gateway, port: number): Promise<GatewayServer> {
  const server = createServer({ requireHostHeader: false, keepAlive: true }, gateway.listener);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  /** The newest answer of each connection; those before it are sent first. */
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => answers.set(request.socket, response));
  /** In the middle of another answer on the same connection there is nothing to be said any more. */
  const refuse = (socket: Duplex): void => {
    if (!socket.writable || answers.get(socket)?.closed === false) socket.destroy();
    else socket.end(gateway.unreadable());
  };
  server.on('clientError', (error, socket) => {
    if (faultCode(error) === 'ECONNRESET') socket.destroy();
    else refuse(socket);
  });
  server.on('connect', (_request, socket: Socket) => refuse(socket));
  server.on('checkExpectation', gateway.listener);

  await new Promise<void>((resolve, reject) => {
    server.once('error', (thrown) => reject(portFault(thrown, port)));
    server.listen(port, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
