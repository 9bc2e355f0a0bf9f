/** The tools against a scripted API: requests, retries, errors, and the provenance of a response. */
import { describe, expect, it } from '@jest/globals';
import { type CallToolResult, Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { createMcpServer } from '../../../mcp/server.ts';
import { createService } from '../../../mcp/service.ts';

type Reply = { status?: number; headers?: Record<string, string>; body: unknown };

const HONG_KONG = {
  port: 'HKHKG',
  name: 'Hong Kong',
  country: 'HK',
  latitude: 22.2667,
  longitude: 114.2,
  sources: ['hk-marine-department'],
  last_observed: '2026-11-20T11:50:00Z',
  as_of: '2026-11-20T11:50:00Z',
  congestion_score: 0.412,
  avg_wait_hours: 11.3,
  at_anchor: 9,
  in_port: 41,
  first_day: '2026-02-03',
  last_day: '2026-11-20',
  method: 'polls',
};
const HELSINKI = {
  ...HONG_KONG,
  port: 'FIHEL',
  name: 'Helsinki',
  country: 'FI',
  sources: ['fintraffic-digitraffic'],
  as_of: '2026-11-20T11:55:12Z',
  method: 'records',
};
const POINT = { date: '2026-11-20', congestion_score: 0.412, avg_wait_hours: 11.3, vessels: 74 };

/** An agent that is connected to the tools, over an API with scripted replies for each path. */
async function agentOf(script: Readonly<Record<string, readonly Reply[]>>) {
  const requests: string[] = [];
  const waits: number[] = [];
  let nowMs = Date.UTC(2026, 10, 20, 12);
  const service = createService({
    baseUrl: 'http://service.test',
    apiKey: 'pcd_dev_000000000000000000000000',
    fetch: (async (address: string) => {
      const path = address.replace('http://service.test', '');
      const earlier = requests.filter((request) => request === path).length;
      requests.push(path);
      const replies = script[path] ?? [];
      const reply = replies[Math.min(earlier, replies.length - 1)];
      if (reply === undefined) throw new TypeError('fetch failed');
      return Response.json(reply.body, { status: reply.status ?? 200, headers: reply.headers ?? {} });
    }) as typeof fetch,
    now: () => nowMs,
    sleep: async (ms) => {
      waits.push(ms);
    },
    random: () => 0.5,
  });
  const [ofClient, ofServer] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([createMcpServer(service).connect(ofServer), client.connect(ofClient)]);
  return {
    requests,
    waits,
    later: (ms: number) => {
      nowMs += ms;
    },
    call: (name: string, given: Record<string, unknown> = {}): Promise<CallToolResult> =>
      client.callTool({ name, arguments: given }),
  };
}

const errorOf = ({ isError, content }: CallToolResult) => {
  expect(isError).toBe(true);
  const [block] = content;
  return JSON.parse(block?.type === 'text' ? block.text : '');
};
const limited = (seconds: number): Reply => ({
  status: 429,
  headers: { 'Retry-After': String(seconds) },
  body: { code: 'rate_limited', message: 'Too many requests.', request_id: 'r', hint: 'Wait.' },
});
const PORTS = '/v1/ports';
const TREND = '/v1/ports/HKHKG/trend?window=7d';

describe('the provenance of a response', () => {
  it('is the newest observation, method and attribution of the port that was asked for', async () => {
    const agent = await agentOf({
      [PORTS]: [{ body: [HELSINKI, HONG_KONG] }],
      [TREND]: [{ body: [POINT] }],
    });
    const { structuredContent } = await agent.call('port_trend', { port: 'HKHKG', window: '7d' });
    expect(structuredContent).toEqual({
      as_of: '2026-11-20T11:50:00Z',
      methods: ['polls'],
      attribution: ['Marine Department, HKSAR Government; DATA.GOV.HK'],
      sample_data: false,
      data: [POINT],
    });
  });

  it('is that of all ports where the response is about several', async () => {
    const agent = await agentOf({ [PORTS]: [{ body: [HELSINKI, HONG_KONG] }] });
    const { structuredContent } = await agent.call('list_ports');
    expect(structuredContent).toMatchObject({
      as_of: '2026-11-20T11:55:12Z',
      methods: ['polls', 'records'],
      attribution: [
        'Marine Department, HKSAR Government; DATA.GOV.HK',
        'Source: Fintraffic / digitraffic.fi, license CC 4.0 BY',
      ],
    });
  });

  it('names a source that is newer than this program by its id', async () => {
    const agent = await agentOf({
      [PORTS]: [{ body: [{ ...HONG_KONG, sources: ['unheard-of'], as_of: null, method: null }] }],
    });
    const { structuredContent, content } = await agent.call('list_ports');
    expect(structuredContent).toMatchObject({
      as_of: null,
      methods: [],
      attribution: ['Source: unheard-of'],
    });
    expect(content[0]).toMatchObject({ text: expect.stringContaining('Nothing has been observed yet.') });
  });

  it('costs one request for the list of ports in five minutes', async () => {
    const agent = await agentOf({ [PORTS]: [{ body: [HONG_KONG] }], [TREND]: [{ body: [] }] });
    for (const passed of [0, 1, 299_998]) {
      agent.later(passed);
      await agent.call('port_trend', { port: 'HKHKG', window: '7d' });
    }
    expect(agent.requests).toEqual([TREND, PORTS, TREND, TREND]);
    agent.later(1);
    await agent.call('port_trend', { port: 'HKHKG', window: '7d' });
    expect(agent.requests.slice(4)).toEqual([TREND, PORTS]);
  });

  it('is asked for again after a failure', async () => {
    const refusal = { status: 403, body: { code: 'auth_forbidden', message: 'No.', hint: 'Ask.' } };
    const agent = await agentOf({ [PORTS]: [refusal, { body: [HONG_KONG] }] });
    expect(errorOf(await agent.call('list_ports'))).toMatchObject({ code: 'auth_forbidden' });
    expect((await agent.call('list_ports')).isError).toBeUndefined();
  });
});

describe('a ranking', () => {
  const RANKING = '/v1/ports?sort=-avg_wait_hours&country=HK';

  it('is one request, and leaves out ports without the figure', async () => {
    const unobserved = { ...HONG_KONG, port: 'HKKWN', avg_wait_hours: null };
    const agent = await agentOf({ [RANKING]: [{ body: [HONG_KONG, unobserved] }] });
    const { structuredContent } = await agent.call('rank_ports', { by: 'avg_wait_hours', country: 'HK' });
    expect(structuredContent).toMatchObject({ data: [HONG_KONG], methods: ['polls'] });
    expect(agent.requests).toEqual([RANKING]);
  });

  it('has as many ports as are asked for', async () => {
    const agent = await agentOf({
      '/v1/ports?sort=-congestion_score': [{ body: [HONG_KONG, HELSINKI] }],
    });
    const { structuredContent } = await agent.call('rank_ports', { limit: 1 });
    expect(structuredContent).toMatchObject({ data: [HONG_KONG], as_of: HONG_KONG.as_of });
  });
});

describe('imports', () => {
  it('stand on the sources of trade, not on those of ports', async () => {
    const agent = await agentOf({
      '/v1/hs/85/imports': [{ body: [{ month: '2026-09', index: 104.2 }] }],
      '/v1/meta/sources': [
        {
          body: [
            { source: 'hk-marine-department', last_fetch_iso: '2026-11-20T11:50:40Z' },
            { source: 'us-census-trade', last_fetch_iso: '2026-11-19T06:00:00Z' },
          ],
        },
      ],
    });
    const { structuredContent } = await agent.call('import_momentum', { hs_code: '85' });
    expect(structuredContent).toMatchObject({
      as_of: '2026-11-19T06:00:00Z',
      methods: ['trade'],
      attribution: [expect.stringContaining('Census')],
      sample_data: false,
    });
  });
});

describe('patience', () => {
  it('waits as long as Retry-After says, and then responds', async () => {
    const agent = await agentOf({ [PORTS]: [limited(7), { body: [HONG_KONG] }] });
    expect((await agent.call('list_ports')).isError).toBeUndefined();
    expect(agent.waits).toEqual([7_000]);
  });

  it('does not outlast the patience of clients: a longer wait is an error that names it', async () => {
    const agent = await agentOf({ [PORTS]: [limited(3_600)] });
    expect(errorOf(await agent.call('list_ports'))).toEqual({
      code: 'rate_limited',
      message: 'Too many requests.',
      hint: 'Wait.',
      retry_after_seconds: 3_600,
    });
    expect(agent.waits).toEqual([]);
  });

  it('gives up after two retries when the service does not respond', async () => {
    const agent = await agentOf({});
    expect(errorOf(await agent.call('list_ports'))).toEqual({
      code: 'network_error',
      message: expect.stringContaining('No response'),
    });
    expect(agent.requests).toHaveLength(3);
  });
});
