import { describe, expect, it, jest } from '@jest/globals';
import { type PortOrder, portRecord, portsRoute } from '../../../../core/contracts/ports.ts';
import { createHandler, type RequestHandler } from '../../../../core/http/chain.ts';
import { HOUR_MS, MINUTE_MS } from '../../../../core/reference/time.ts';
import type { PortRow } from '../../../../core/store/ports.ts';
import { portFigures } from '../../../../core/store/served-records.ts';
import { ports } from '../../../../lambdas/endpoints/ports.ts';
import { type EventParts, gatewayEvent, INVOCATION } from '../../../builders/gateway-event.ts';
import { memoryTables } from '../../../builders/memory-table.ts';
import { putPort } from '../../../builders/series-values.ts';

const AS_OF = Date.UTC(2026, 0, 6, 12);

function row(port: string, congestionScore?: number, atAnchor = 0): PortRow {
  const place = { name: `Port ${port}`, countryCode: port.slice(0, 2), latitude: 1, longitude: 2 };
  const covered = { port, ...place, sources: ['scripted'], method: 'polls' } as const;
  if (congestionScore === undefined) return covered;
  const counts = { arrivals24h: 1, departures24h: 1, atAnchor, inPort: 20 };
  return {
    ...covered,
    firstDay: '2025-10-04',
    lastDay: '2026-01-06',
    snapshot: { asOfAt: AS_OF, congestionScore, avgWaitHours: 3.5, ...counts },
  };
}
const ROWS = [
  row('SGSIN', 0.25, 4),
  row('HKHKG', 0.431, 9),
  row('FIKTK'),
  row('FIHEL', 0.25, 0),
  row('CNSGH', 0.9, 9),
];

async function list(query: { sort?: PortOrder; country?: string } = {}) {
  const tables = memoryTables(['ports', 'sourceStatus', 'vintages']);
  for (const portRow of ROWS) await putPort(tables.ports, portRow);
  const respond = ports.create(tables, { now: () => AS_OF, region: 'local' });
  const none = { sort: undefined, country: undefined, as_of: undefined };
  return respond({ path: {}, query: { ...none, format: 'json', ...query } }, new Map());
}
const codes = async (query: Parameters<typeof list>[0]) => (await list(query)).map(({ port }) => port);

describe('the list of ports', () => {
  it('has the newest figures of each port, and null where nothing has been observed', async () => {
    const records = await list();
    expect(records.map(({ port }) => port)).toEqual(['CNSGH', 'FIHEL', 'FIKTK', 'HKHKG', 'SGSIN']);
    expect(records[3]).toEqual({
      port: 'HKHKG',
      name: 'Port HKHKG',
      country: 'HK',
      latitude: 1,
      longitude: 2,
      sources: ['scripted'],
      last_observed: '2026-01-06T12:00:00Z',
      as_of: '2026-01-06T12:00:00Z',
      congestion_score: 0.431,
      avg_wait_hours: 3.5,
      wait_basis: null,
      stopped_since: null,
      at_anchor: 9,
      in_port: 20,
      first_day: '2025-10-04',
      last_day: '2026-01-06',
      method: 'polls',
      evidence: 'expected',
    });
    expect(records[2]).toMatchObject({
      last_observed: null,
      as_of: null,
      congestion_score: null,
      first_day: null,
      in_port: null,
    });
  });

  it('states since when the berthings of a port have stopped', async () => {
    const open = row('TWKHH', 0.6);
    const snapshot = { ...open.snapshot, stoppedSinceAt: AS_OF - 9 * HOUR_MS } as PortRow['snapshot'];
    expect(portFigures({ ...open, ...(snapshot && { snapshot }) }).stopped_since).toBe(
      '2026-01-06T03:00:00Z',
    );
    expect(portFigures(open).stopped_since).toBeNull();
  });

  it('is sorted either way, with ports without a value last and ties by UN/LOCODE', async () => {
    expect(await codes({ sort: '-congestion_score' })).toEqual(['CNSGH', 'HKHKG', 'FIHEL', 'SGSIN', 'FIKTK']);
    expect(await codes({ sort: 'congestion_score' })).toEqual(['FIHEL', 'SGSIN', 'HKHKG', 'CNSGH', 'FIKTK']);
    expect(await codes({ sort: '-at_anchor' })).toEqual(['CNSGH', 'HKHKG', 'SGSIN', 'FIHEL', 'FIKTK']);
    expect(await codes({ sort: '-port' })).toEqual(['SGSIN', 'HKHKG', 'FIKTK', 'FIHEL', 'CNSGH']);
    expect(await codes({ sort: '-last_observed' })).toEqual(['CNSGH', 'FIHEL', 'HKHKG', 'SGSIN', 'FIKTK']);
  });

  it('is of one country where one is given, and names the countries when it has no port', async () => {
    expect(await codes({ country: 'FI', sort: '-congestion_score' })).toEqual(['FIHEL', 'FIKTK']);
    await expect(list({ country: 'ZZ' })).rejects.toMatchObject({
      code: 'validation_failed',
      hint: 'Countries with covered ports: CN, FI, HK, SG.',
    });
  });
});

describe('the version of the list', () => {
  const query = { sort: undefined, country: undefined, as_of: undefined, format: 'json' } as const;
  const request = { path: {}, query };

  async function service() {
    const tables = memoryTables(['ports', 'sourceStatus', 'vintages']);
    for (const portRow of ROWS) await putPort(tables.ports, { ...portRow, sources: ['open-waters-ais'] });
    const clock = { nowAt: AS_OF };
    const read = (lastFetchAt: number) =>
      tables.sourceStatus.put({ source: 'open-waters-ais', checkpointAt: lastFetchAt, lastFetchAt });
    await read(AS_OF);
    const respond = ports.create(tables, { now: () => clock.nowAt, region: 'local' });
    const scan = jest.spyOn(tables.ports, 'scan');
    return { clock, read, scan, version: () => respond.version?.(request), respond };
  }

  it('changes when a source has been read, and the table is read with it alone', async () => {
    const { clock, read, scan, version, respond } = await service();
    const first = await version();
    await respond(request, new Map());
    clock.nowAt += MINUTE_MS;
    expect(await version()).toBe(first);
    expect(scan).toHaveBeenCalledTimes(1);
    await read(clock.nowAt);
    expect(await version()).not.toBe(first);
    expect(scan).toHaveBeenCalledTimes(2);
    expect(scan).toHaveBeenLastCalledWith(true);
  });

  it('changes after five minutes, for rows that were written by hand', async () => {
    const { clock, version } = await service();
    const before = await version();
    clock.nowAt += 5 * MINUTE_MS + 1;
    expect(await version()).not.toBe(before);
  });

  it('is none for a day of the past', async () => {
    const { respond } = await service();
    expect(await respond.version?.({ path: {}, query: { ...query, as_of: '2026-01-05' } })).toBeUndefined();
  });
});

describe('a kept list', () => {
  const fields = Object.keys(portRecord.shape).filter((name) => name !== 'sources');
  const orders = fields.flatMap((field) => [field, `-${field}`]);
  const queries: EventParts['query'][] = [
    {},
    ...orders.map((sort) => ({ sort: [sort] })),
    ...['FI', 'HK', 'ZZ'].map((country) => ({ country: [country], sort: ['-in_port'] })),
    ...['2026-01-05', '2026-01-06', '2026-01-08'].map((as_of) => ({ as_of: [as_of] })),
    { sort: ['score'] },
  ];

  /** A request for every order and filter in either format; its method and its headers differ with each turn. */
  const requests = (turn: number, seen: readonly string[]): EventParts[] =>
    queries.flatMap((query, n) =>
      ['json', 'csv'].map((format): EventParts => {
        const headers: NonNullable<EventParts['headers']>[] = [
          {},
          { 'Accept-Encoding': ['gzip'] },
          { 'If-None-Match': [seen[n % seen.length] ?? '"none"'] },
        ];
        return {
          method: (n + turn) % 5 === 0 ? 'HEAD' : 'GET',
          resource: '/v1/ports',
          query: { ...query, format: [format] },
          headers: headers[(n + turn) % 3] ?? {},
        };
      }),
    );

  it('answers every request byte for byte as one that is made for it alone', async () => {
    const tables = memoryTables(['ports', 'sourceStatus', 'vintages']);
    const put = async (changed: Partial<PortRow['snapshot']> = {}) => {
      for (const [n, portRow] of ROWS.entries())
        await putPort(tables.ports, {
          ...portRow,
          sources: ['open-waters-ais', 'fintraffic-digitraffic'].slice(0, 1 + (n % 2)),
          ...(portRow.snapshot && { snapshot: { ...portRow.snapshot, ...changed } }),
        });
    };
    const clock = { nowAt: AS_OF };
    const read = (source: string) =>
      tables.sourceStatus.put({ source, checkpointAt: clock.nowAt, lastFetchAt: clock.nowAt });
    const create = () => ports.create(tables, { now: () => clock.nowAt, region: 'local' });
    const chainOf = (respond: RequestHandler<typeof portsRoute>) =>
      createHandler('ports', portsRoute, respond, {
        limiter: { admit: async () => ({ admitted: true, headers: { 'RateLimit-Limit': '60' } }) },
        telemetry: { request: () => {}, limiterFailure: () => {} },
        outages: [],
        corsOrigins: new Set(),
        now: () => clock.nowAt,
        stopwatch: () => clock.nowAt,
      });
    const kept = chainOf(create());
    const alone = chainOf((request, notes) => create()(request, notes));
    const steps: (() => unknown)[] = [
      () => put(),
      () => read('open-waters-ais'),
      () => read('fintraffic-digitraffic'),
      // The evidence of positions ends twenty minutes after they were read.
      ...[19 * MINUTE_MS, 2 * MINUTE_MS, 2 * HOUR_MS].map((ms) => () => {
        clock.nowAt += ms;
      }),
      async () => {
        await put({ asOfAt: clock.nowAt, congestionScore: 0.5 });
        await read('open-waters-ais');
      },
      // Another day, which as_of may ask for.
      () => {
        clock.nowAt += 13 * HOUR_MS;
      },
    ];
    const seen: string[] = [];
    const statuses = new Set<number>();
    for (const [turn, step] of steps.entries()) {
      await step();
      for (const parts of requests(turn, seen)) {
        const reply = await kept(gatewayEvent(parts), INVOCATION);
        const other = await alone(gatewayEvent(parts), INVOCATION);
        expect(JSON.stringify([turn, parts, reply])).toBe(JSON.stringify([turn, parts, other]));
        statuses.add(reply.statusCode);
        const tag = reply.headers?.ETag;
        if (typeof tag === 'string' && !seen.includes(tag)) seen.push(tag);
      }
    }
    expect([...statuses].sort()).toEqual([200, 304, 422]);
    // Each state had bodies of its own.
    expect(seen.length).toBeGreaterThan(queries.length);
  });
});
