/** Servers on 127.0.0.1, and requests whose paths arrive exactly as they are written. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
  type Server as WebServer,
} from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** Starts the server on a free port. `close` ends it with the connections that are still open. */
export async function listening(server: Server | WebServer) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
    await closed;
  };
  return { port, origin: `http://127.0.0.1:${port}`, close };
}

/** A server of what `serve` serves; everything else is left to the gateway. */
export const listeningFront = (
  serve: (incoming: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>,
) =>
  listening(
    createServer(async (incoming, response) => {
      if (!(await serve(incoming, response))) response.writeHead(404).end('left to the gateway');
    }),
  );

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly bytes: Buffer;
  readonly body: string;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

export const sendTo = (
  port: number,
  path: string,
  { method = 'GET', headers = {} }: Sent = {},
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers, agent: false }, async (reply) => {
      const chunks: Buffer[] = [];
      for await (const chunk of reply) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      const { statusCode: status = 0, headers: received, rawHeaders } = reply;
      resolve({ status, headers: received, rawHeaders, bytes, body: String(bytes) });
    })
      .on('error', reject)
      .end();
  });
