/** The MCP server over both transports, asked by the SDK's own client: its responses are the API's, with their provenance. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { SAMPLE_DECLARATION } from '../../core/sources/sample-simulator/declaration.ts';
import { get, HS, isDeployed, keyOf, PORT, quietKey, serviceUrl, UNKNOWN_PORT } from './service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const httpTransport = (key: string | undefined) =>
  new StreamableHTTPClientTransport(new URL(`${serviceUrl()}/mcp`), {
    requestInit: { headers: key === undefined ? {} : { 'X-API-Key': key } },
  });
const stdioTransport = () =>
  new StdioClientTransport({
    command: process.execPath,
    args: ['--import', 'tsx', 'mcp/main.ts', '--base-url', serviceUrl()],
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

/** The text that a client without structured output reads. */
const textOf = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
/** The structured output of a tool. */
const structured = ({ structuredContent }: CallToolResult) =>
  structuredContent as { as_of: string; data: unknown };
const call = (client: Client, name: string, given: Record<string, unknown> = {}): Promise<CallToolResult> =>
  client.callTool({ name, arguments: given });

const TRANSPORTS = [
  ['stdio', '2025-11-25', () => connected(stdioTransport())],
  ['stdio', '2026-07-28', () => connected(stdioTransport(), 'auto')],
  ['streamable HTTP', '2025-11-25', () => connected(httpTransport(quietKey()))],
  ['streamable HTTP', '2026-07-28', () => connected(httpTransport(quietKey()), 'auto')],
] as const;

const onTransports = TRANSPORTS.filter(([name]) => name === 'stdio' || !isDeployed);

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
      'rank_ports',
      'port_snapshot',
      'port_trend',
      'port_waits',
      'port_alerts',
      'import_momentum',
      'data_coverage',
    ]);
    for (const { annotations, description, outputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      expect(description?.length).toBeGreaterThan(80);
      expect(outputSchema?.required).toEqual(['as_of', 'methods', 'attribution', 'sample_data', 'data']);
    }
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['list_ports', {}, '/v1/ports'],
    ['rank_ports', { limit: 200 }, '/v1/ports?sort=-congestion_score'],
    ['port_snapshot', { port: PORT }, `/v1/ports/${PORT}/snapshot`],
    ['port_trend', { port: PORT }, `/v1/ports/${PORT}/trend?window=30d`],
    ['port_trend', { port: PORT, window: '7d' }, `/v1/ports/${PORT}/trend?window=7d`],
    ['port_alerts', { port: PORT, window: '14d' }, `/v1/ports/${PORT}/alerts?window=14d`],
    ['import_momentum', { hs_code: HS }, `/v1/hs/${HS}/imports`],
  ])('%s %j returns what the API returns', async (name, given, path) => {
    const result = await call(client, name, given);
    expect(result.isError).toBeUndefined();
    expect(structured(result).data).toEqual((await get(path)).json());
    expect(textOf(result)).toContain(JSON.stringify(result.structuredContent));
  });

  it('port_waits gives the days that the API returns, without the single waits', async () => {
    const { data } = structured(await call(client, 'port_waits', { port: PORT }));
    const days = (await get(`/v1/ports/${PORT}/waits`)).json<{ waits: number[] }[]>();
    expect(days.length).toBeGreaterThan(7);
    expect(data).toEqual(days.map(({ waits: _, ...day }) => day));
  });

  it('gives the envelope of an error, with its hint', async () => {
    const result = await call(client, 'port_snapshot', { port: UNKNOWN_PORT });
    const refusal = (await get(`/v1/ports/${UNKNOWN_PORT}/snapshot`)).json<Record<string, string>>();
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toBeUndefined();
    const { request_id, ...envelope } = JSON.parse(textOf(result));
    expect(envelope).toEqual({ code: 'not_found', message: refusal.message, hint: refusal.hint });
    expect(request_id).toMatch(/^[0-9a-f-]{36}$/);
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
    ['rank_ports', {}],
    ['port_snapshot', { port: PORT }],
    ['port_trend', { port: PORT }],
    ['port_waits', { port: PORT }],
    ['port_alerts', { port: PORT }],
    ['import_momentum', { hs_code: HS }],
    ['data_coverage', {}],
  ])('%s states time, method and attribution, and that the data are simulated', async (name, given) => {
    const result = await call(client, name, given);
    expect(result.structuredContent).toMatchObject({
      as_of: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      methods: [name === 'import_momentum' ? 'trade' : 'records'],
      attribution: [SAMPLE_DECLARATION.attribution],
      sample_data: true,
    });
    expect(textOf(result)).toContain('SAMPLE DATA');
    expect(textOf(result)).toContain(SAMPLE_DECLARATION.attribution);
  });

  it('as_of of a snapshot is its own', async () => {
    const { as_of, data } = structured(await call(client, 'port_snapshot', { port: PORT }));
    expect(data).toMatchObject({ port: PORT, as_of });
  });

  it('finds ports by country and by a part of the name', async () => {
    const found = async (given: Record<string, unknown>) => {
      const { data } = structured(await call(client, 'list_ports', given));
      return (data as { port: string }[]).map(({ port }) => port);
    };
    expect(await found({ country: 'us', search: 'LOS ANG' })).toEqual(['USLAX']);
    expect(await found({ search: 'no port is called this' })).toEqual([]);
  });

  it('names the values that an argument may have', async () => {
    const result = await call(client, 'port_trend', { port: PORT, window: '12h' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('"7d"|"14d"|"30d"');
  });
});

onThisMachine('keys', () => {
  it('counts against the key that the client of MCP sends', async () => {
    const client = await connected(httpTransport(keyOf('lite')));
    const result = await call(client, 'import_momentum', { hs_code: HS });
    await client.close();
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toMatchObject({ code: 'auth_forbidden', hint: expect.any(String) });
  });

  it('uses the demo key when none is sent', async () => {
    const client = await connected(httpTransport(undefined));
    const result = await call(client, 'port_snapshot', { port: PORT });
    await client.close();
    expect(result.isError).toBeUndefined();
  });

  it('passes on the refusal of a key that the service does not know', async () => {
    const client = await connected(httpTransport(`pcd_dev_${'x'.repeat(32)}`));
    const result = await call(client, 'list_ports');
    await client.close();
    expect(JSON.parse(textOf(result))).toMatchObject({ code: 'auth_invalid' });
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
    return { status: reply.statusCode, body: await text(reply) };
  }

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
