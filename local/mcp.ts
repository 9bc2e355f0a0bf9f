/** The MCP endpoint of a service on one machine: `/mcp` on the port of the API. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Front } from './gateway.ts';

export const MCP_PATH = '/mcp';

type Endpoint = (request: Request) => Promise<Response>;

/** The longest message that the endpoint reads. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Returns the body; undefined for one that is too long, whose rest is read and dropped. */
async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(message.headers['content-length'] ?? 0) > MAX_BYTES) {
    message.resume();
    return undefined;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length;
    if (size > MAX_BYTES) {
      message.resume();
      return undefined;
    }
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** The request as a web standard `Request`; aborted when the client disconnects. */
function webRequest(
  { method = 'GET', rawHeaders }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  baseUrl: string,
): Request {
  const left = new AbortController();
  response.on('close', () => left.abort());
  const headers = new Headers();
  for (let index = 1; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index - 1] as string, rawHeaders[index] as string);
  // The name was checked before; the endpoint knows only those of loopback.
  headers.set('host', new URL(baseUrl).host);
  const bodiless = method === 'GET' || method === 'HEAD';
  return new Request(`${baseUrl}${MCP_PATH}`, {
    method,
    headers,
    signal: left.signal,
    ...(bodiless ? {} : { body: new Uint8Array(body) }),
  });
}

/** Headers about one connection (RFC 9110, 7.6.1), which the server of that connection states itself. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade']);

async function send(reply: Response, response: ServerResponse): Promise<void> {
  response.statusCode = reply.status;
  reply.headers.forEach((value, name) => {
    if (!HOP_BY_HOP.has(name)) response.setHeader(name, value);
  });
  if (reply.body === null) response.end();
  // A client that disconnects in the middle of a stream does not need the rest.
  else await pipeline(Readable.fromWeb(reply.body as ReadableStream), response).catch(() => undefined);
}

/** `defaultKey` is used when an MCP client sends no key. */
export function mcpFront(defaultKey: string): Front {
  let endpoint: Promise<Endpoint> | undefined;
  /** The SDK is loaded when it is first needed, so that a start does not wait for it. */
  const open = async (baseUrl: string): Promise<Endpoint> => {
    const { createMcpEndpoint } = await import('../packages/mcp/http.ts');
    return createMcpEndpoint({ baseUrl, defaultKey });
  };
  const respond = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const baseUrl = `http://127.0.0.1:${message.socket.localPort}`;
    const body = await readBody(message);
    if (body === undefined) {
      const message = `Payload Too Large: Request body must not exceed ${MAX_BYTES} bytes`;
      const error = { code: -32_000, message };
      const text = JSON.stringify({ jsonrpc: '2.0', error, id: null });
      response.writeHead(413, { 'content-type': 'application/json', Connection: 'close' }).end(text);
      return;
    }
    endpoint ??= open(baseUrl);
    await send(await (await endpoint)(webRequest(message, body, response, baseUrl)), response);
  };
  return (message, response) => {
    if (message.url?.split('?', 1)[0] !== MCP_PATH) return false;
    respond(message, response).catch((thrown) => response.destroy(thrown as Error));
    return true;
  };
}
