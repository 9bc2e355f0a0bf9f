/** The MCP endpoint of a service on one machine: `/mcp` on the port of the API. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Front } from './front.ts';

export const MCP_PATH = '/mcp';

type Endpoint = (request: Request) => Promise<Response>;

/** The request as a web standard `Request`; aborted when the client disconnects. */
function webRequest(message: IncomingMessage, response: ServerResponse, baseUrl: string): Request {
  const left = new AbortController();
  response.on('close', () => left.abort());
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const bodiless = message.method === 'GET' || message.method === 'HEAD';
  return new Request(`${baseUrl}${MCP_PATH}`, {
    method: message.method ?? 'GET',
    headers,
    signal: left.signal,
    ...(bodiless ? {} : { body: Readable.toWeb(message) as BodyInit, duplex: 'half' }),
  } as RequestInit);
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
    const { createMcpEndpoint } = await import('../../packages/mcp/http.ts');
    return createMcpEndpoint({ baseUrl, defaultKey });
  };
  const respond = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const baseUrl = `http://127.0.0.1:${message.socket.localPort}`;
    endpoint ??= open(baseUrl);
    await send(await (await endpoint)(webRequest(message, response, baseUrl)), response);
  };
  return (message, response) => {
    if (message.url?.split('?', 1)[0] !== MCP_PATH) return false;
    respond(message, response).catch((thrown) => response.destroy(thrown as Error));
    return true;
  };
}
