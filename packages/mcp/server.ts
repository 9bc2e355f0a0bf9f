/** The MCP server: tools with their schemas, responses with their provenance, errors with the API's hint. */
import { type CallToolResult, McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { readable, type Tool, type ToolResponse } from './port-tool.ts';
import { type Service, ToolError } from './service.ts';
import { TOOLS } from './tools.ts';

type JsonSchema = Record<string, unknown>;

export const VERSION = '0.1.0';

const INSTRUCTIONS = [
  'Congestion of seaports: waiting times, scores, vessel counts, alerts; monthly import momentum by HS code.',
  'Ports are named by UN/LOCODE: find one with list_ports. Times are UTC.',
  'A response has columns and rows, and as_of, methods, evidence and attribution: state the time and the attribution with any figure you quote. Say so when sample_data is true.',
  'Ports in no_data have no figures: that is not the same as no congestion or no alert.',
  'Follow the hint of an error; after rate_limited wait for retry_after_seconds.',
].join(' ');

const SAMPLE_NOTE = 'SAMPLE DATA: simulated, not real ports.';

/** The response as structured content, and as JSON in a text block for clients that read no other. */
function result(tool: Tool, { provenance, notes = [], noData = {}, rows }: ToolResponse): CallToolResult {
  const stated = [...(provenance.sample_data ? [SAMPLE_NOTE] : []), ...notes];
  const columns = Object.keys(tool.columns);
  const response = {
    ...provenance,
    notes: stated.length === 0 ? undefined : stated,
    no_data: Object.keys(noData).length === 0 ? undefined : noData,
    columns,
    rows: rows.map((row) => columns.map((column) => row[column] ?? null)),
  };
  return { content: [{ type: 'text', text: JSON.stringify(response) }], structuredContent: response };
}

const KEY_HINT =
  'Ask the user to check the API key of this server: PCD_API_KEY, or the header X-API-Key for /mcp.';
const ADDRESS_HINT =
  'Ask the user to check that the service runs at the address of this server (PCD_BASE_URL).';

/** The API's hint, in terms of tools instead of requests. */
function findHint({ code, hint }: ToolError): string | undefined {
  if (code === 'auth_missing' || code === 'auth_invalid') return KEY_HINT;
  if (code === 'network_error' || code === 'timeout' || code === 'invalid_response' || hint?.includes('/v1'))
    return ADDRESS_HINT;
  return hint?.replace('Retry-After', 'retry_after_seconds');
}

/** The error envelope of the API; for a failure without a response, a code of the client in the same form. */
function errorResult(error: ToolError): CallToolResult {
  const envelope = {
    code: error.code,
    message: error.message,
    request_id: error.requestId,
    hint: findHint(error),
    retry_after_seconds: error.retryAfterSeconds,
  };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(envelope) }] };
}

/** The JSON Schema of a schema, without the dialect, which is the protocol's own. */
function toJsonSchema(schema: z.core.$ZodType) {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { io: 'input' });
  return jsonSchema;
}

/** The type of a value, null where a record may lack it; its meaning is in the description of the tool, which every client shows. */
function toType(schema: z.core.$ZodType): JsonSchema {
  const { type, anyOf } = toJsonSchema(schema);
  const types = anyOf?.map((option) => option.type) ?? type;
  return { type: schema._zod.def.type === 'optional' ? [types, 'null'].flat() : types };
}

const TEXTS = { type: 'array' };

const outputSchema = ({ columns }: Tool): JsonSchema => ({
  type: 'object',
  properties: {
    sample_data: { type: 'boolean' },
    as_of: { type: ['string', 'null'] },
    methods: TEXTS,
    evidence: TEXTS,
    attribution: TEXTS,
    notes: TEXTS,
    no_data: { type: 'object' },
    columns: { const: Object.keys(columns) },
    rows: { type: 'array', items: { type: 'array', prefixItems: Object.values(columns).map(toType) } },
  },
  required: ['columns', 'rows'],
});

type Schema = StandardSchemaWithJSON<unknown, unknown>;

/** A schema as the SDK takes it, which `zod/mini` does not provide by itself. */
const withJson = (jsonSchema: JsonSchema, validate: Schema['~standard']['validate']): Schema => ({
  '~standard': {
    version: 1,
    vendor: 'port-congestion',
    validate,
    jsonSchema: { input: () => jsonSchema, output: () => jsonSchema },
  },
});

function register(server: McpServer, service: Service, tool: Tool): void {
  const { name, title, description, input } = tool;
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: withJson(toJsonSchema(input), (given) =>
        input['~standard'].validate(readable(given, input)),
      ),
      outputSchema: withJson(outputSchema(tool), (value) => ({ value })),
      annotations: { readOnlyHint: true },
    },
    async (given, { mcpReq: { signal } }) => {
      try {
        return result(tool, await tool.call(service, given, signal));
      } catch (thrown) {
        if (thrown instanceof ToolError) return errorResult(thrown);
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
