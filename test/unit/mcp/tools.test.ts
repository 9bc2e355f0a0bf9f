/** The tools against a scripted API: requests, retries, errors, what a response states, and what it does not claim. */
import { describe, expect, it } from '@jest/globals';
import { type CallToolResult, Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { Route } from '../../../core/contracts/route.ts';
import { ROUTES } from '../../../core/contracts/routes.ts';
import { UNOBSERVED_PORT } from '../../../core/contracts/wire.ts';
import otherNames from '../../../core/reference/other-names.json' with { type: 'json' };
import { findPort } from '../../../core/reference/ports.ts';
import { SOURCE_DECLARATIONS } from '../../../core/sources/declarations.ts';
import { countriesIn, REGIONS, type Tool } from '../../../packages/mcp/port-tool.ts';
import { createMcpServer } from '../../../packages/mcp/server.ts';
import { createService } from '../../../packages/mcp/service.ts';
import { TOOLS } from '../../../packages/mcp/tools.ts';

/** A body, a whole response, or one of them for each request. */
type Reply = object | ((earlier: number) => object);
const inTurn =
  (...replies: readonly object[]): Reply =>
  (earlier) =>
    replies[Math.min(earlier, replies.length - 1)] ?? [];

const HELSINKI = {
  ...ROUTES.ports.example[1],
  port: 'FIHEL',
  name: 'Helsinki',
  country: 'FI',
  latitude: 60.1667,
  longitude: 24.9667,
  sources: ['fintraffic-digitraffic'],
  last_observed: '2026-11-20T11:55:12Z',
  as_of: '2026-11-20T11:55:12Z',
  congestion_score: 0.142,
  avg_wait_hours: 1.8,
  at_anchor: 1,
  in_port: 17,
  first_day: '2026-02-03',
  last_day: '2026-11-20',
  evidence: 'observed',
} as const;
const HONG_KONG = {
  ...HELSINKI,
  port: 'HKHKG',
  name: 'Hong Kong',
  country: 'HK',
  sources: ['hk-marine-department'],
  as_of: '2026-11-20T11:50:00Z',
  method: 'polls',
};
/** Covered, and nothing observed yet. */
const COPENHAGEN = {
  ...HELSINKI,
  port: 'DKCPH',
  name: 'Kobenhavn',
  country: 'DK',
  sources: ['dma-ais'],
  ...UNOBSERVED_PORT,
  method: 'positions',
  evidence: 'expected',
};
const POINT = { date: '2026-11-20', congestion_score: 0.412, avg_wait_hours: 11.3, vessels: 74 };

/** An agent that is connected to the tools, over an API with a reply for each path. */
async function connectAgent(script: Readonly<Record<string, Reply>> | ((path: string) => Reply)) {
  const requests: string[] = [];
  const waits: number[] = [];
  let nowMs = Date.UTC(2026, 10, 20, 12);
  const service = createService({
    baseUrl: 'http://service.test',
    apiKey: 'pcd_dev_000000000000000000000000',
    fetch: async ({ url }) => {
      const path = url.replace('http://service.test', '');
      const earlier = requests.filter((request) => request === path).length;
      requests.push(path);
      const given = typeof script === 'function' ? script(path) : script[path];
      if (given === undefined) throw new TypeError('fetch failed');
      const reply = typeof given === 'function' ? given(earlier) : given;
      return reply instanceof Response ? reply.clone() : Response.json(reply);
    },
    now: () => nowMs,
    sleep: async (ms) => {
      waits.push(ms);
    },
    random: () => 0.5,
  });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([createMcpServer(service).connect(serverSide), client.connect(clientSide)]);
  const call = (name: string, given: Record<string, unknown> = {}): Promise<CallToolResult> =>
    client.callTool({ name, arguments: given });
  return {
    client,
    requests,
    waits,
    later: (ms: number) => {
      nowMs += ms;
    },
    call,
    /** The response, which is the same as text and as structured content. */
    read: async (...given: Parameters<typeof call>) => {
      const result = await call(...given);
      const response = JSON.parse(readText(result));
      expect(result).toEqual({ content: [expect.anything()], structuredContent: response });
      return response;
    },
    refusal: async (...given: Parameters<typeof call>) => {
      const result = await call(...given);
      expect(result.isError).toBe(true);
      return JSON.parse(readText(result));
    },
  };
}

const readText = ({ content: [block] }: CallToolResult): string => (block?.type === 'text' ? block.text : '');
const limited = (seconds: number): Response =>
  Response.json(
    { code: 'rate_limited', message: 'Too many requests.', request_id: 'r', hint: 'Wait for Retry-After.' },
    { status: 429, headers: { 'Retry-After': String(seconds) } },
  );
const PORTS = '/v1/ports';
const trendPath = (port: string) => `/v1/ports/${port}/trend?window=7d`;
const TREND = trendPath('HKHKG');
const SEVEN_DAYS = { unlocode: 'HKHKG', window: '7d' };

it('costs an agent at most 8 KB of tools, and a client 6 KB of output schemas', async () => {
  const { client } = await connectAgent({});
  const { tools } = await client.listTools();
  const read = tools.map(({ outputSchema, ...tool }) => tool);
  expect(JSON.stringify(read).length).toBeLessThan(8_000);
  expect(JSON.stringify(tools.map(({ outputSchema }) => outputSchema)).length).toBeLessThan(6_000);
});

it('states the type of each column by the contract', async () => {
  const { client } = await connectAgent({});
  const { tools } = await client.listTools();
  const [trend] = tools.filter(({ name }) => name === 'port_trend').map(({ outputSchema }) => outputSchema);
  expect(trend).toMatchObject({
    type: 'object',
    properties: {
      columns: { const: ['port', 'date', 'congestion_score', 'avg_wait_hours', 'vessels'] },
      rows: {
        items: {
          prefixItems: ['string', 'string', 'number', 'number', 'integer'].map((type) => ({ type })),
        },
      },
    },
  });
});

describe('the provenance of a response', () => {
  it('is the newest observation, method, evidence and attribution of the port that was asked for', async () => {
    const agent = await connectAgent({ [PORTS]: [HELSINKI, HONG_KONG], [TREND]: [POINT] });
    expect(await agent.read('port_trend', SEVEN_DAYS)).toEqual({
      sample_data: false,
      as_of: '2026-11-20T11:50:00Z',
      methods: ['polls'],
      evidence: ['observed'],
      attribution: ['Marine Department, HKSAR Government; DATA.GOV.HK'],
      columns: ['port', 'date', 'congestion_score', 'avg_wait_hours', 'vessels'],
      rows: [['HKHKG', '2026-11-20', 0.412, 11.3, 74]],
    });
  });

  it('is that of all ports where the response is about several, observed or not', async () => {
    const agent = await connectAgent({ [PORTS]: [COPENHAGEN, HELSINKI, HONG_KONG] });
    expect(await agent.read('list_ports')).toMatchObject({
      as_of: '2026-11-20T11:55:12Z',
      methods: ['polls', 'positions', 'records'],
      evidence: ['expected', 'observed'],
      attribution: expect.arrayContaining(['Source: Fintraffic / digitraffic.fi, license CC 4.0 BY']),
      notes: ['as_of is null where nothing has been observed yet: 1 of these ports.'],
    });
  });

  it('names a source that is newer than this program by its id', async () => {
    const agent = await connectAgent({ [PORTS]: [{ ...HONG_KONG, sources: ['unlisted'] }] });
    const { attribution } = await agent.read('list_ports');
    expect(attribution).toEqual(['Source: unlisted']);
  });

  it('of a port of a table of calls names the publisher and the licence of the table', async () => {
    const table = {
      name: 'a',
      publisher: 'Port of A',
      licence: 'CC BY 4.0',
      attribution: 'A, 2019',
      calls: true,
    };
    const unstated = { name: 'b', publisher: null, licence: null, attribution: null, calls: false };
    const agent = await connectAgent({
      [PORTS]: [HELSINKI, { ...HONG_KONG, sources: ['call-tables'] }],
      [TREND]: [POINT],
      '/v1/meta/sources': [
        {
          source: 'call-tables',
          last_fetch_iso: '2026-11-20T11:50:40Z',
          tables: [
            { ...table, ports: ['HKHKG'] },
            { ...unstated, ports: ['HKHKG'] },
            { ...table, name: 'c', ports: ['ESTAR'] },
          ],
        },
      ],
    });
    const ofBoth = [
      'Table of calls a: publisher Port of A, licence CC BY 4.0; A, 2019',
      'Table of calls b: publisher not stated, licence not stated',
    ];
    expect((await agent.read('port_trend', SEVEN_DAYS)).attribution).toEqual(ofBoth);
    expect((await agent.read('list_ports')).attribution).toEqual(expect.arrayContaining(ofBoth));
    const { rows, attribution } = await agent.read('data_coverage');
    expect(attribution).toEqual(ofBoth);
    expect((rows as unknown[][]).map((row) => [row[2], row[3], row[4]])).toEqual([
      ['Port of A', 'CC BY 4.0', 1],
      [null, null, 1],
      ['Port of A', 'CC BY 4.0', 1],
    ]);
  });

  it('of coverage is that of the sources that were fetched', async () => {
    const agent = await connectAgent({
      [PORTS]: [COPENHAGEN, HONG_KONG],
      '/v1/meta/sources': [{ source: 'hk-marine-department', last_fetch_iso: '2026-11-20T11:50:40Z' }],
    });
    const { as_of, methods, notes, rows } = await agent.read('data_coverage');
    expect({ as_of, methods, notes }).toEqual({
      as_of: HONG_KONG.as_of,
      methods: ['polls'],
      notes: undefined,
    });
    expect(rows).toEqual([expect.arrayContaining(['hk-marine-department', '2026-11-20T11:50:40Z', 1])]);
  });

  it('costs one request for the list of ports in five minutes', async () => {
    const agent = await connectAgent({ [PORTS]: [HONG_KONG], [TREND]: [POINT] });
    for (const passed of [0, 1, 299_998]) {
      agent.later(passed);
      await agent.call('port_trend', SEVEN_DAYS);
    }
    expect(agent.requests).toEqual([PORTS, TREND, TREND, TREND]);
    agent.later(1);
    await agent.call('port_trend', SEVEN_DAYS);
    expect(agent.requests.slice(4)).toEqual([PORTS, TREND]);
  });

  it('is requested again at once where nothing had been observed', async () => {
    const agent = await connectAgent({
      [PORTS]: inTurn([], [{ ...HONG_KONG, as_of: null }], [HONG_KONG]),
      [TREND]: inTurn([], [POINT]),
    });
    expect((await agent.refusal('port_trend', SEVEN_DAYS)).hint).toContain('first ingest');
    const { no_data } = await agent.read('port_trend', SEVEN_DAYS);
    expect(no_data).toEqual({ HKHKG: 'Nothing has been observed yet.' });
    const { as_of, rows } = await agent.read('port_trend', SEVEN_DAYS);
    expect([as_of, rows.length]).toEqual([HONG_KONG.as_of, 1]);
  });

  it('of imports stands on the sources of trade, not on those of ports', async () => {
    const agent = await connectAgent({
      '/v1/hs/85/imports': [{ month: '2026-09', index: 104.2 }],
      '/v1/meta/sources': [
        { source: 'hk-marine-department', last_fetch_iso: '2026-11-20T11:50:40Z' },
        { source: 'us-census-trade', last_fetch_iso: '2026-11-19T06:00:00Z', evidence: 'recorded' },
      ],
    });
    expect(await agent.read('import_momentum', { code: '85' })).toEqual({
      sample_data: false,
      as_of: '2026-11-19T06:00:00Z',
      methods: ['trade'],
      evidence: ['recorded'],
      attribution: [expect.stringContaining('Census')],
      columns: ['month', 'index'],
      rows: [['2026-09', 104.2]],
    });
  });
});

describe('the list of ports', () => {
  const listPorts = async (given: Record<string, unknown>, path = PORTS) => {
    const agent = await connectAgent({ [path]: [COPENHAGEN, HELSINKI, HONG_KONG] });
    const { rows, notes } = await agent.read('list_ports', given);
    return { ports: rows.map(([port]: string[]) => port), notes };
  };

  it.each<[Record<string, unknown>, string[]]>([
    [{ search: 'dkcph' }, ['DKCPH']],
    [{ search: 'CPH' }, ['DKCPH']],
    [{ search: 'Copenhagen' }, ['DKCPH']],
    [{ search: 'København' }, ['DKCPH']],
    [{ search: 'kobenhavn' }, ['DKCPH']],
    [{ search: 'denmark' }, ['DKCPH']],
    [{ search: 'ong-kong' }, ['HKHKG']],
    [{ country: 'fi' }, ['FIHEL']],
    [{ region: 'asia' }, ['HKHKG']],
    [{ region: 'Northern Europe' }, ['FIHEL', 'DKCPH']],
    [{ region: 'Europe', search: 'hel' }, ['FIHEL']],
  ])('%j finds %j', async (given, expected) => {
    expect((await listPorts(given)).ports).toEqual(expected);
  });

  it('says that nothing matches, not that nothing was observed or that the figures are real', async () => {
    const agent = await connectAgent({ [PORTS]: [HONG_KONG] });
    expect(await agent.read('list_ports', { search: 'Atlantis' })).not.toHaveProperty('sample_data');
    expect(await listPorts({ search: 'Atlantis' })).toEqual({
      ports: [],
      notes: [expect.stringMatching(/^No covered port matches: try /)],
    });
  });

  it('knows the region of every covered port, and other names of known ports only', () => {
    const countries = SOURCE_DECLARATIONS.flatMap(({ ports }) => ports.map((port) => port.slice(0, 2)));
    const known = new Set(REGIONS.flatMap((region) => [...(countriesIn(region) ?? [])]));
    expect(countries.filter((country) => !known.has(country))).toEqual([]);
    expect(Object.keys(otherNames).filter((code) => findPort(code) === undefined)).toEqual([]);
  });

  it('says how many more there are', async () => {
    const { ports, notes } = await listPorts({ limit: 2 });
    expect(ports).toHaveLength(2);
    expect(notes[0]).toBe('2 of 3 ports: narrow with search, country or region, or raise limit.');
  });

  it('ranks by a figure, without the ports that lack it', async () => {
    const { ports, notes } = await listPorts({ sort: '-at_anchor' }, '/v1/ports?sort=-at_anchor');
    expect(ports).toEqual(['FIHEL', 'HKHKG']);
    expect(notes).toEqual(['1 matching ports do not have the figure and are omitted.']);
  });

  it('is refused to a key that was disabled since the last call', async () => {
    const refusal = Response.json({ code: 'auth_forbidden', message: 'No.', hint: 'Ask.' }, { status: 403 });
    const agent = await connectAgent({ [PORTS]: inTurn([HONG_KONG], refusal), '/v1/meta/sources': refusal });
    expect((await agent.call('list_ports')).isError).toBeUndefined();
    agent.later(60_000);
    expect(await agent.refusal('list_ports')).toMatchObject({ code: 'auth_forbidden' });
    expect(await agent.refusal('data_coverage')).toMatchObject({ code: 'auth_forbidden' });
  });
});

describe('alerts of all ports', () => {
  const PATH = '/v1/alerts?severity=high&limit=1';
  const FOUND = { severity: 'high', limit: 1 };
  const ALERT = {
    id: '2026-11-20.HKHKG.berthings.unusual',
    port: 'HKHKG',
    country: 'HK',
    type: 'unusual',
    metric: 'berthings',
    severity: 'high',
    change_pct: -0.94,
    as_of: '2026-11-20T11:00:00Z',
    explain: 'berthings 2 in 24 hours, 33 is usual.',
    began: '2026-11-20T04:00:00Z',
  };

  it('are one table with the provenance of their ports, and say how to go on', async () => {
    const agent = await connectAgent({ [PORTS]: [HELSINKI, HONG_KONG], [PATH]: [ALERT] });
    expect(await agent.read('list_alerts', FOUND)).toEqual({
      sample_data: false,
      as_of: HONG_KONG.as_of,
      methods: ['polls'],
      evidence: ['observed'],
      attribution: ['Marine Department, HKSAR Government; DATA.GOV.HK'],
      notes: ['A full page: continue with after, the id of the last row.'],
      columns: Object.keys(ALERT),
      rows: [Object.values(ALERT)],
    });
  });

  it('state how many ports could have had one where there is none', async () => {
    const agent = await connectAgent({ [PORTS]: [COPENHAGEN, HONG_KONG], [PATH]: [] });
    const { notes, rows, sample_data } = await agent.read('list_alerts', FOUND);
    expect([notes, rows, sample_data]).toEqual([
      ['No alert matches; 1 of 2 ports have figures.'],
      [],
      undefined,
    ]);
  });
});

describe('several ports', () => {
  it('are compared in one call; one without data is named, not left out', async () => {
    const as_of = '2026-11-20T11:58:00Z';
    const snapshot = { port: 'HKHKG', as_of, congestion_score: 0.412, avg_wait_hours: 11.3 };
    const vessels = { arrivals_24h: 20, departures_24h: 18, at_anchor: 9, in_port: 41 };
    const absence = { code: 'not_found', message: 'There is no snapshot yet.' };
    const agent = await connectAgent({
      [PORTS]: [COPENHAGEN, HONG_KONG],
      '/v1/ports/HKHKG/snapshot': { ...snapshot, vessels },
      '/v1/ports/DKCPH/snapshot': Response.json(absence, { status: 404 }),
    });
    const response = await agent.read('port_snapshot', { unlocode: 'hkhkg, DKCPH,HKHKG' });
    expect(response).toMatchObject({
      no_data: { DKCPH: 'Nothing has been observed yet.' },
      as_of,
      rows: [['HKHKG', as_of, 0.412, 11.3, 20, 18, 9, 41]],
    });
  });

  it('say whether no alert means that nothing was unusual', async () => {
    const alerts = (port: string) => `/v1/ports/${port}/alerts?window=7d`;
    const agent = await connectAgent({
      [PORTS]: [COPENHAGEN, HELSINKI, HONG_KONG],
      [alerts('HKHKG')]: [],
      [alerts('FIHEL')]: [],
      [alerts('DKCPH')]: [],
      [TREND]: [POINT],
      [trendPath('FIHEL')]: [],
      [trendPath('DKCPH')]: [],
    });
    const given = { unlocode: 'HKHKG,FIHEL,DKCPH', window: '7d' };
    expect(await agent.read('port_alerts', given)).toMatchObject({
      notes: ['HKHKG: nothing unusual; 1 of the days asked for have figures.'],
      no_data: {
        FIHEL: 'No reliable figures in this span; observations cover 2026-02-03 to 2026-11-20.',
        DKCPH: 'Nothing has been observed yet.',
      },
      rows: [],
    });
  });
});

describe('an argument that the tool does not take', () => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      'port_waits',
      { unlocode: 'HKHKG', vessel_class: 'bulk' },
      'unknown argument vessel_class; this tool takes unlocode, from, to, class, as_of',
    ],
    ['data_coverage', { port: 'HKHKG' }, 'unknown argument port; this tool takes none'],
    ['port_trend', { unlocode: 'HKHKG', window: '12h' }, '"7d"|"14d"|"30d"'],
    ['port_trend', { ...SEVEN_DAYS, days: 7 }, 'give window or days, not both'],
    ['port_waits', { unlocode: 'HKHKG', from: '2026-02-30' }, 'must be a UTC day as YYYY-MM-DD'],
    ['list_ports', { region: 'Atlantis' }, 'must be one of Africa, Americas, Asia'],
    ['import_momentum', { code: '851' }, 'must be an HS code'],
    [
      'port_snapshot',
      {
        unlocode: Array(11)
          .fill('')
          .map((_, at) => `XX${at + 100}`),
      },
      'names 1 to 10 ports',
    ],
    ['port_snapshot', { unlocode: '' }, 'unlocode'],
  ])('is an error of %s: %j', async (name, given, message) => {
    const agent = await connectAgent({});
    const result = await agent.call(name, given);
    expect(result.isError).toBe(true);
    expect(readText(result)).toContain(message);
    expect(agent.requests).toEqual([]);
  });

  it('is passed on as the API names it', async () => {
    const waits = '/v1/ports/HKHKG/waits?class=bulk';
    const agent = await connectAgent({
      [PORTS]: [HONG_KONG],
      [waits]: [],
      '/v1/ports/HKHKG/waits': [{ date: '2026-11-20' }],
    });
    const { notes } = await agent.read('port_waits', { unlocode: 'HKHKG', class: 'bulk' });
    expect(notes).toEqual(['HKHKG: no vessel is known to be bulk; omit class for all vessels.']);
  });
});

describe('an error speaks of tools, arguments and settings', () => {
  it.each<[string, string]>([
    ['copenhagen', 'Did you mean DKCPH (Kobenhavn)?'],
    ['XXXXX', 'Find the code with list_ports: search takes a name, country or region narrow the list.'],
  ])('for the port %s', async (unlocode, hint) => {
    const agent = await connectAgent({ [PORTS]: [COPENHAGEN] });
    expect(await agent.refusal('port_snapshot', { unlocode })).toMatchObject({ code: 'not_found', hint });
  });

  it.each<[string, number, string, string]>([
    ['auth_invalid', 401, 'Check the value of X-API-Key: pcd_dev_.', 'PCD_API_KEY'],
    ['not_found', 404, 'All endpoints are GET and begin with /v1.', 'PCD_BASE_URL'],
  ])('for %s', async (code, status, hint, expected) => {
    const agent = await connectAgent({ [PORTS]: Response.json({ code, message: 'No.', hint }, { status }) });
    expect((await agent.refusal('list_ports')).hint).toContain(expected);
  });
});

describe('patience', () => {
  it('waits as long as Retry-After says, and then responds', async () => {
    const agent = await connectAgent({ [PORTS]: inTurn(limited(7), [HONG_KONG]) });
    expect((await agent.call('list_ports')).isError).toBeUndefined();
    expect(agent.waits).toEqual([7_000]);
  });

  it('does not outlast the patience of clients: a longer wait is an error that names it', async () => {
    const agent = await connectAgent({ [PORTS]: limited(3_600) });
    expect(await agent.refusal('list_ports')).toEqual({
      code: 'rate_limited',
      message: 'Too many requests.',
      request_id: 'r',
      hint: 'Wait for retry_after_seconds.',
      retry_after_seconds: 3_600,
    });
    expect(agent.waits).toEqual([]);
  });

  it('gives up after two retries when the service does not respond', async () => {
    const agent = await connectAgent({});
    expect(await agent.refusal('list_ports')).toEqual({
      code: 'network_error',
      message: expect.stringContaining('No response'),
      hint: expect.stringContaining('PCD_BASE_URL'),
    });
    expect(agent.requests).toHaveLength(3);
  });
});

describe('arguments as models write them', () => {
  const agentFor = () =>
    connectAgent((path) => {
      if (path === PORTS) return [HELSINKI, HONG_KONG];
      return path.includes('/snapshot') ? { vessels: {} } : [];
    });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['port_snapshot', { unlocode: '["HKHKG","FIHEL"]' }, ['HKHKG', 'FIHEL']],
    ['port_snapshot', { unlocode: ['HKHKG', 'FIHEL'] }, ['HKHKG', 'FIHEL']],
    ['port_snapshot', { unlocode: 'HKHKG, fihel' }, ['HKHKG', 'FIHEL']],
    ['port_snapshot', { unlocode: 'HKHKG', as_of: null }, ['HKHKG']],
  ])('%s %j asks about each port', async (name, given, ports) => {
    const { requests, call } = await agentFor();
    expect((await call(name, given)).isError).toBeUndefined();
    expect(requests).toEqual([PORTS, ...ports.map((port) => `/v1/ports/${port}/snapshot`)]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['port_trend', { unlocode: 'HKHKG', days: '7' }, '/v1/ports/HKHKG/trend?days=7'],
    ['port_trend', { unlocode: 'HKHKG', days: 7, until: null, window: '' }, '/v1/ports/HKHKG/trend?days=7'],
    ['list_alerts', { limit: ' 5 ', country: null }, '/v1/alerts?limit=5'],
    ['import_momentum', { code: 85, as_of: '' }, '/v1/hs/85/imports'],
  ])('%s %j requests %s', async (name, given, path) => {
    const { requests, call } = await agentFor();
    await call(name, given);
    expect(requests).toContain(path);
  });

  it('are published without a choice of types: some clients refuse one', async () => {
    const { tools } = await (await agentFor()).client.listTools();
    expect(JSON.stringify(tools.map(({ inputSchema }) => inputSchema))).not.toMatch(/anyOf|oneOf|allOf/);
  });
});

describe('each argument of each tool', () => {
  const ROUTE_LIST: readonly Route[] = Object.values(ROUTES);
  const values: Readonly<Record<string, unknown>> = {
    unlocode: 'HKHKG',
    search: 'hong kong',
    region: 'Asia',
    sort: '-at_anchor',
  };
  const exampleOf = (name: string, tool: Tool): unknown => {
    if (name in values) return values[name];
    const parameter = ROUTE_LIST.flatMap(({ path, query }) => [path[name], query[name]]).find(
      (known) =>
        known !== undefined && tool.input.safeParse({ ...required(tool), [name]: known.example }).success,
    );
    return parameter?.example ?? '5';
  };
  const required = ({ name }: Tool): Record<string, unknown> =>
    name.startsWith('port_') ? { unlocode: 'HKHKG' } : name === 'import_momentum' ? { code: '85' } : {};
  const cases = TOOLS.flatMap((tool) =>
    Object.keys(tool.input.def.shape).map((name): [string, string, unknown] => [
      tool.name,
      name,
      exampleOf(name, tool),
    ]),
  );

  it.each(cases)(
    '%s %s %j is accepted, and no operation gets a parameter of another',
    async (toolName, name, value) => {
      const tool = TOOLS.find((listed) => listed.name === toolName) as Tool;
      const agent = await connectAgent((path) => {
        if (path.startsWith(PORTS) && !path.startsWith(`${PORTS}/`)) return [HONG_KONG];
        if (path.includes('/snapshot')) return { vessels: {} };
        return path.includes('/forecast') ? { ...ROUTES.forecast.example, rows: [] } : [];
      });
      const result = await agent.call(tool.name, { ...required(tool), [name]: value });
      expect([result.isError, readText(result)]).toEqual([undefined, expect.any(String)]);
      expect(agent.requests.length).toBeGreaterThan(0);
      for (const request of agent.requests) {
        const { pathname, searchParams } = new URL(request, 'http://service.test');
        const route = ROUTE_LIST.find(({ paths: [template] }) =>
          new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
        );
        expect(Object.keys(route?.query ?? {})).toEqual(expect.arrayContaining([...searchParams.keys()]));
      }
    },
  );

  it('asks for the days with figures without the filters of the alerts', async () => {
    const agent = await connectAgent((path) => (path === PORTS ? [HONG_KONG] : []));
    await agent.call('port_alerts', { unlocode: 'HKHKG', severity: 'high', window: '7d' });
    expect(agent.requests).toEqual([PORTS, '/v1/ports/HKHKG/alerts?window=7d&severity=high', TREND]);
  });
});
