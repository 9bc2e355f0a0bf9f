/** The MCP server: tools with their schemas, responses with their provenance, errors with the API's hint. */
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { PortCongestionError } from '../client/index.ts';
import type { Service } from './service.ts';
import { outputOf, type Tool, type ToolResponse, withJsonSchema } from './tool.ts';
import { TOOLS } from './tools.ts';

/** Version of the package. */
export const VERSION = '0.1.0';

const INSTRUCTIONS = [
  'Congestion of seaports: waiting times, scores, vessel counts and alerts, and monthly import momentum by HS code.',
  'Ports are named by UN/LOCODE; find one with list_ports.',
  'Every response has as_of, methods, attribution and sample_data: state the time and the attribution with any figure you quote, and say so when sample_data is true.',
  'An error carries the code, the message and the hint of the API: follow the hint, and after rate_limited wait for retry_after_seconds.',
].join(' ');

/** The response as structured output, as JSON for clients that read only text, and its provenance as a sentence. */
function resultOf({ data, provenance }: ToolResponse<unknown>): CallToolResult {
  const { as_of, methods, attribution, sample_data } = provenance;
  const sentence = [
    sample_data ? 'SAMPLE DATA, simulated.' : '',
    as_of === null ? 'Nothing has been observed yet.' : `As of ${as_of}.`,
    methods.length === 0 ? '' : `Method: ${methods.join(', ')}.`,
    attribution.length === 0 ? '' : `Attribution: ${attribution.join('; ')}`,
  ];
  const structuredContent = { ...provenance, data };
  return {
    structuredContent,
    content: [
      { type: 'text', text: sentence.filter(Boolean).join(' ') },
      { type: 'text', text: JSON.stringify(structuredContent) },
    ],
  };
}

/** The error envelope of the API; for a failure without a response, the client's own code in the same form. */
function errorResult({
  code,
  reason,
  hint,
  requestId,
  retryAfterSeconds,
}: PortCongestionError): CallToolResult {
  const envelope = {
    code,
    message: reason,
    request_id: requestId,
    hint,
    retry_after_seconds: retryAfterSeconds,
  };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(envelope) }] };
}

function register(server: McpServer, service: Service, tool: Tool): void {
  const { name, title, description, input } = tool;
  const annotations = {
    readOnlyHint: true,
    idempotentHint: true,
    destructiveHint: false,
    openWorldHint: true,
  };
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: withJsonSchema(input),
      outputSchema: withJsonSchema(outputOf(tool)),
      annotations,
    },
    async (given, { mcpReq: { signal } }) => {
      try {
        return resultOf(await tool.call(service, given, signal));
      } catch (thrown) {
        if (thrown instanceof PortCongestionError) return errorResult(thrown);
        throw thrown;
      }
    },
  );
}

export function createMcpServer(service: Service): McpServer {
  const server = new McpServer(
    { name: 'port-congestion', title: 'Port Congestion Data Service', version: VERSION },
    { instructions: INSTRUCTIONS },
  );
  for (const tool of TOOLS) register(server, service, tool);
  return server;
}
