/** The MCP server over both transports, asked by the SDK's own client: its responses are the API's, with their provenance. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { addDays, dayOf } from '../../core/reference/time.ts';
import { SAMPLE_DECLARATION } from '../../core/sources/sample-simulator/declaration.ts';
import { extent } from '../builders/extent.ts';
import {
  get,
  HS,
  isDeployed,
  keyOf,
  PORT,
  quietKey,
  SAMPLE_NOW,
  serviceUrl,
  UNKNOWN_PORT,
} from './service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const httpTransport = (key: string | undefined) =>
  new StreamableHTTPClientTransport(new URL(`${serviceUrl()}/mcp`), {
    requestInit: { headers: key === undefined ? {} : { 'X-API-Key': key } },
  });
const stdioTransport = () =>
  new StdioClientTransport({
    command: process.execPath,
    args: ['--import', 'tsx', 'packages/mcp/main.ts', '--base-url', serviceUrl()],
    cwd: ROOT,
    env: { PCD_API_KEY: quietKey() },
  });

async function connected(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  mode: 'legacy' | 'auto' = 'legacy',
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
}

/** The text that a tool returns. */
const readText = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
/** A response with its rows as objects. */
function readResponse(result: CallToolResult): { rows: Record<string, unknown>[] } {
  const { columns, rows, ...stated } = JSON.parse(readText(result));
  const objects = rows.map((row: unknown[]) =>
    Object.fromEntries(columns.map((column: string, index: number) => [column, row[index]])),
  );
  return { ...stated, rows: objects };
}
const call = (client: Client, name: string, given: Record<string, unknown> = {}): Promise<CallToolResult> =>
  client.callTool({ name, arguments: given });

const TRANSPORTS = [
  ['stdio', '2025-11-25', () => connected(stdioTransport())],
  ['stdio', '2026-07-28', () => connected(stdioTransport(), 'auto')],
  ['streamable HTTP', '2025-11-25', () => connected(httpTransport(quietKey()))],
  ['streamable HTTP', '2026-07-28', () => connected(httpTransport(quietKey()), 'auto')],
] as const;

/** Each transport and each version once, or each with each. */
const onTransports = TRANSPORTS.filter(
  ([name], index) => (name === 'stdio' || !isDeployed) && extent(index % 3 === 0, true),
);

describe.each(onTransports)('over %s, protocol %s', (_, protocol, connect) => {
  let client: Client;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());

  it('supports that protocol version and states its instructions', () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(protocol);
    expect(client.getInstructions()).toContain('attribution');
  });

  it('lists tools that only read', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'list_ports',
      'port_snapshot',
      'port_trend',
      'port_waits',
      'port_forecast',
      'port_alerts',
      'list_alerts',
      'import_momentum',
      'data_coverage',
    ]);
    for (const { annotations, description, inputSchema, outputSchema } of tools) {
      expect(outputSchema).toMatchObject({ type: 'object', required: ['columns', 'rows'] });
      expect(annotations).toEqual({ readOnlyHint: true });
      expect(description?.length).toBeGreaterThan(80);
      expect(inputSchema.additionalProperties).toBe(false);
    }
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['port_trend', { unlocode: PORT }, `/v1/ports/${PORT}/trend?window=30d`],
    ['port_trend', { unlocode: [PORT], days: 7 }, `/v1/ports/${PORT}/trend?window=7d`],
    ['port_alerts', { unlocode: PORT, window: '14d' }, `/v1/ports/${PORT}/alerts?window=14d`],
    ['port_waits', { unlocode: PORT }, `/v1/ports/${PORT}/waits`],
    ['list_alerts', { severity: 'high' }, '/v1/alerts?severity=high'],
    ['import_momentum', { code: HS }, `/v1/hs/${HS}/imports`],
  ])('%s %j returns what the API returns', async (name, given, path) => {
    const result = await call(client, name, given);
    expect(result).not.toHaveProperty('isError');
    expect(result.structuredContent).toEqual(JSON.parse(readText(result)));
    const rows = (await get(path)).json<Record<string, unknown>[]>();
    const ported = name.startsWith('port_') ? { port: PORT } : {};
    // A field that a record may lack is null in a table.
    const lacking = name.endsWith('_alerts') ? { began: null } : {};
    expect(readResponse(result).rows).toEqual(
      rows.map(({ waits: _, ...row }) => ({ ...ported, ...lacking, ...row })),
    );
  });

  it('port_snapshot and list_ports have the figures of the API', async () => {
    const { vessels, ...state } = (await get(`/v1/ports/${PORT}/snapshot`)).json<Record<string, object>>();
    expect(readResponse(await call(client, 'port_snapshot', { unlocode: PORT })).rows).toEqual([
      { ...state, ...vessels },
    ]);
    const listed = (await get('/v1/ports?sort=-in_port')).json<{ port: string; in_port: number }[]>();
    const { rows } = readResponse(await call(client, 'list_ports', { sort: '-in_port', limit: 3 }));
    expect(rows.map(({ port, in_port }) => ({ port, in_port }))).toEqual(
      listed.slice(0, 3).map(({ port, in_port }) => ({ port, in_port })),
    );
  });

  it('gives the envelope of an error, with a hint', async () => {
    const result = await call(client, 'import_momentum', { code: '77' });
    const refusal = (await get('/v1/hs/77/imports')).json<Record<string, string>>();
    expect(result.isError).toBe(true);
    const { request_id, ...envelope } = JSON.parse(readText(result));
    expect(envelope).toEqual({ code: 'not_found', message: refusal.message, hint: refusal.hint });
    expect(request_id).toMatch(/^[0-9a-f-]{36}$/);
    const unknown = JSON.parse(readText(await call(client, 'port_snapshot', { unlocode: UNKNOWN_PORT })));
    expect(unknown).toMatchObject({ code: 'not_found', hint: expect.stringContaining('list_ports') });
  });
});

const onThisMachine = isDeployed ? describe.skip : describe;

onThisMachine('of the sample', () => {
  let client: Client;
  beforeAll(async () => {
    client = await connected(httpTransport(quietKey()));
  });
  afterAll(() => client.close());

  it.each<[string, Record<string, unknown>]>([
    ['list_ports', {}],
    ['port_snapshot', { unlocode: PORT }],
    ['port_trend', { unlocode: PORT }],
    ['port_waits', { unlocode: PORT }],
    ['port_alerts', { unlocode: PORT }],
    ['list_alerts', { since: addDays(dayOf(SAMPLE_NOW), -90) }],
    ['import_momentum', { code: HS }],
    ['data_coverage', {}],
  ])('%s states time, method and attribution, and that the data are simulated', async (name, given) => {
    expect(readResponse(await call(client, name, given))).toMatchObject({
      sample_data: true,
      as_of: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      methods: [name === 'import_momentum' ? 'trade' : 'records'],
      attribution: [SAMPLE_DECLARATION.attribution],
      notes: expect.arrayContaining([expect.stringContaining('SAMPLE DATA')]),
    });
  });
});

onThisMachine('keys', () => {
  it('counts against the key that the client of MCP sends', async () => {
    const client = await connected(httpTransport(keyOf('lite')));
    const result = await call(client, 'import_momentum', { code: HS });
    await client.close();
    expect(result.isError).toBe(true);
    expect(JSON.parse(readText(result))).toMatchObject({ code: 'auth_forbidden', hint: expect.any(String) });
  });

  it('uses the demo key when none is sent', async () => {
    const client = await connected(httpTransport(undefined));
    const result = await call(client, 'port_snapshot', { unlocode: PORT });
    await client.close();
    expect(result.isError).toBeUndefined();
  });

  it('passes on the refusal of a key that the service does not know', async () => {
    const client = await connected(httpTransport(`pcd_dev_${'x'.repeat(32)}`));
    const result = await call(client, 'list_ports');
    await client.close();
    expect(JSON.parse(readText(result))).toMatchObject({ code: 'auth_invalid' });
  });
});

onThisMachine('the endpoint on this machine', () => {
  /** A request for the list of tools, with headers that `fetch` would not send. */
  async function listTools(headers: Record<string, string>, method = 'POST') {
    const outgoing = httpRequest(`${serviceUrl()}/mcp`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
    });
    outgoing.end(
      method === 'POST' ? '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}' : undefined,
    );
    const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: reply.statusCode, connection: reply.headers.connection, body: await text(reply) };
  }

  it('closes the connection of a client that asks for it', async () => {
    expect((await listTools({ Connection: 'close' })).connection).toBe('close');
  });

  it.each<[string, Record<string, string>]>([
    ['none', {}],
    ['this machine', { Origin: 'http://localhost:6274' }],
  ])('responds to a request whose origin is %s', async (_, headers) => {
    const { status, body } = await listTools(headers);
    expect(status).toBe(200);
    expect(body).toContain('port_snapshot');
  });

  it.each<[string, Record<string, string>]>([
    ['a Host that points here from outside', { Host: 'attacker.example' }],
    ['an Origin of another site', { Origin: 'https://attacker.example' }],
    ['an opaque Origin', { Origin: 'null' }],
  ])('refuses %s', async (_, headers) => {
    const { status, body } = await listTools(headers);
    expect(status).toBe(403);
    expect(body).not.toContain('port_snapshot');
  });

  it('refuses a key that fits in no request', async () => {
    const { status, body } = await listTools({ 'X-API-Key': 'two words' });
    expect(status).toBe(400);
    expect(body).toContain('X-API-Key');
    expect(body).not.toContain('two words');
  });

  it('has no stream to open with GET', async () => {
    expect((await listTools({}, 'GET')).status).toBe(405);
  });

  it('leaves every other path to the API', async () => {
    expect((await get('/mcp/')).status).toBe(404);
  });
});
