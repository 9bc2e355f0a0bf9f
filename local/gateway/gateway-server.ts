/** The server of the local gateway: sockets, unreadable requests, and an orderly shutdown. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorCode, errorText, StartError } from '../start-error.ts';
import type { Gateway } from './gateway.ts';

const KEEP_ALIVE_MS = 65_000;
/** Time in which a client must send its headers, and its whole request. */
const HEADERS_MS = 20_000;
const REQUEST_MS = 30_000;
const GRACE_MS = 5000;

function portFault(thrown: unknown, port: number): StartError {
  if (errorCode(thrown) === 'EADDRINUSE')
    return new StartError(
      `port ${port} is in use: stop what uses it, or choose another with --port (0: any free one)`,
    );
  if (errorCode(thrown) === 'EACCES') return new StartError(`port ${port} needs special rights`);
  return new StartError(`port ${port} cannot be opened: ${errorText(thrown)}`);
}

/** A request line, with any word as its method. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/;

/** Whether Node's parser rejected an otherwise valid request because of its method. */
function isUnknownMethod(error: Error & { rawPacket?: Buffer; bytesParsed?: number }): boolean {
  if (errorCode(error) !== 'HPE_INVALID_METHOD') return false;
  const text = error.rawPacket?.toString('latin1') ?? '';
  const parsed = error.bytesParsed ?? 0;
  return REQUEST_LINE.test(text.slice(text.lastIndexOf('\n', parsed - 1) + 1));
}

/** Serves on the loopback address only. Throws `StartError` when the port is taken. */
export async function serveGateway(gateway: Gateway, port: number) {
  const server = createServer({ requireHostHeader: false, keepAlive: true }, gateway.listener);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  /** The newest response of each connection; those before it are sent first. */
  const responses = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => responses.set(request.socket, response));
  /** Sent after the responses to earlier requests; a request that broke off midway has already had its response. */
  const refuse = (socket: Duplex, of: Parameters<Gateway['refusal']>[0]): void => {
    const last = responses.get(socket);
    const end = (): void => {
      if (!socket.writable) socket.destroy();
      else socket.end(last?.req.complete === false ? undefined : gateway.refusal(of));
    };
    if (last === undefined || last.closed) end();
    else last.once('close', end);
  };
  server.on('clientError', (error, socket) => {
    if (errorCode(error) === 'ECONNRESET') socket.destroy();
    else refuse(socket, isUnknownMethod(error) ? 'unknown-method' : 'unreadable');
  });
  server.on('connect', (_request, socket: Socket) => refuse(socket, 'unknown-method'));
  server.on('checkExpectation', gateway.listener);

  await new Promise<void>((resolve, reject) => {
    server.once('error', (thrown) => reject(portFault(thrown, port)));
    server.listen(port, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    /** Base address, without a trailing slash. */
    url,
    /** Accepts no more requests, lets current ones finish, and closes connections that are still open after the grace. */
    close: () =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
