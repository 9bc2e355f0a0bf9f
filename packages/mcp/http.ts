/** MCP over streamable HTTP, for a service on this machine. */
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { createMcpServer } from './server.ts';
import { createService, type Service } from './service.ts';

export interface McpEndpointOptions {
  readonly baseUrl: string;
  /** The key of requests without `X-API-Key`. */
  readonly defaultKey?: string | undefined;
}

/** Maximum number of keys whose clients, with their cached responses, are kept; the oldest is dropped first. */
const MAX_KEYS = 100;

const invalidKey = (message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32_600, message }, id: null }, { status: 400 });

/**
 * Responds to requests of both protocol versions without a session. Refuses a request whose Host or Origin is not this
 * machine: a web page whose domain resolves to this machine could otherwise use the default key.
 */
export function createMcpEndpoint(options: McpEndpointOptions): (request: Request) => Promise<Response> {
  const { baseUrl, defaultKey } = options;
  const services = new Map<string | undefined, Service>();
  const sentKey = (request: Request | undefined) => request?.headers.get('x-api-key') ?? defaultKey;

  const findService = (apiKey: string | undefined): Service => {
    const service = services.get(apiKey) ?? createService({ baseUrl, apiKey });
    services.set(apiKey, service);
    const [oldest] = services.keys();
    if (services.size > MAX_KEYS) services.delete(oldest);
    return service;
  };

  const handler = createMcpHandler(({ requestInfo }) => createMcpServer(findService(sentKey(requestInfo))));

  return async (request) => {
    const refusal =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
    if (refusal) return refusal;
    try {
      findService(sentKey(request));
    } catch (thrown) {
      return invalidKey(`X-API-Key: ${(thrown as TypeError).message}`);
    }
    return handler.fetch(request);
  };
}
