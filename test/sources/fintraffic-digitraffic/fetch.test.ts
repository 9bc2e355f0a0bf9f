/** Which questions Digitraffic is asked, and what becomes of refusals, silence and the end of v1. */
import { describe, expect, it } from '@jest/globals';
import { parseDigitraffic } from '../../../core/sources/fintraffic-digitraffic/parse.ts';
import { fetchDigitraffic } from '../../../core/sources/fintraffic-digitraffic/source.ts';
import { type HttpClient, type HttpReply, UpstreamFailure } from '../../../core/upstream/http-client.ts';
import { clientOf, fetchContext, reply } from '../../builders/source-replies.ts';
import { batchOf, call, FETCHED_AT, visit } from './port-calls.ts';

interface StoredCall {
  readonly id: number;
  readonly port: string;
  readonly receivedAt: number;
}

/** An upstream with the calls `stored` that refuses a request with more than 1,000 hits, as the real one does. */
const upstream = (stored: readonly StoredCall[], other: (url: URL) => HttpReply = () => reply(404)) =>
  clientOf((url) => {
    if (!url.pathname.endsWith('/v1/port-calls')) return other(url);
    const from = Date.parse(url.searchParams.get('from') ?? '');
    const to = Date.parse(url.searchParams.get('to') ?? '9999-01-01T00:00:00Z');
    const port = url.searchParams.get('locode');
    const hits = stored.filter(
      (c) => c.receivedAt >= from && c.receivedAt < to && (!port || c.port === port),
    );
    if (hits.length > 1_000) return reply(400, 'too many');
    return reply(200, {
      dataUpdatedTime: new Date(FETCHED_AT).toISOString(),
      portCalls: hits.map((c) => call({ portCallId: c.id, portToVisit: c.port })),
    });
  });

const context = (http: HttpClient, lastFetchAt?: number) =>
  fetchContext(http, { now: () => FETCHED_AT, lastFetchAt });

const spread = (count: number, spanMs: number, ports = ['FIRAU', 'FIHEL']): StoredCall[] =>
  Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    port: ports[i % ports.length] ?? '',
    receivedAt: FETCHED_AT - Math.floor((i * spanMs) / count) - 1_000,
  }));

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const idsOf = async (http: HttpClient): Promise<Set<string>> => {
  const parsed = parseDigitraffic({ fetchedAt: FETCHED_AT, files: await fetchDigitraffic(context(http)) });
  return new Set(
    parsed.observations.flatMap((report) =>
      report.kind === 'call-batch' ? report.records.map((r) => r.callId) : [],
    ),
  );
};

describe('slicing', () => {
  it('reads back 60 days the first time, and six hours before the last pass later', async () => {
    const { http, asked } = upstream(spread(10, DAY));
    await fetchDigitraffic(context(http));
    await fetchDigitraffic(context(http, FETCHED_AT - 2 * HOUR));
    await fetchDigitraffic(context(http, FETCHED_AT - 400 * DAY));
    expect(asked.map((url) => url.search)).toEqual([
      '?from=2026-01-09T12:01:00Z',
      '?from=2026-03-10T04:01:00Z',
      '?from=2026-01-09T12:01:00Z',
    ]);
  });

  it('loses none of 9,000 calls to the limit of 1,000 hits', async () => {
    const { http, asked } = upstream(spread(9_000, 59 * DAY));
    expect((await idsOf(http)).size).toBe(9_000);
    expect(asked.length).toBeLessThan(40);
  });

  it('cuts by port when an hour is still too much', async () => {
    const { http } = upstream(spread(1_800, HOUR / 2));
    expect((await idsOf(http)).size).toBe(1_800);
  });

  it('says so when one port cannot be cut any further', async () => {
    const { http } = upstream(spread(1_800, HOUR / 2, ['FIHEL']));
    await expect(fetchDigitraffic(context(http))).rejects.toMatchObject({ reason: 'too-many-hits' });
  });

  it('does not ask for ever when everything is refused', async () => {
    const { http, asked } = clientOf(() => reply(400));
    await expect(fetchDigitraffic(context(http))).rejects.toBeInstanceOf(UpstreamFailure);
    expect(asked.length).toBeLessThanOrEqual(300);
  });
});

describe('the end of v1', () => {
  const second = (url: URL): HttpReply => {
    if (url.pathname.endsWith('/v2/visits')) return reply(200, [visit({ ata: '2026-03-10T04:10:00Z' })]);
    return reply(200, [{ imo: 9307384, shipType: 60 }]);
  };

  it.each([404, 410])('with status %d turns to the visits and the AIS register', async (status) => {
    const { http } = clientOf((url) =>
      url.pathname.includes('/port-call/v1/') ? reply(status) : second(url),
    );
    const files = await fetchDigitraffic(context(http, FETCHED_AT - HOUR));
    expect([...files.keys()]).toEqual(['request.json', 'vessels.json', 'visits-000.json']);
    const parsed = parseDigitraffic({ fetchedAt: FETCHED_AT, files });
    expect(batchOf(parsed).records[0]).toMatchObject({ callId: 'V-1', traffic: 'ferry' });
  });

  it('with nothing to say in all of Finland does so too', async () => {
    const { http } = upstream([], second);
    expect([...(await fetchDigitraffic(context(http))).keys()]).toContain('visits-000.json');
  });

  it('and of v2 is an outage, not an empty sea', async () => {
    const { http } = upstream([], () => reply(200, []));
    await expect(fetchDigitraffic(context(http))).rejects.toMatchObject({ reason: 'empty' });
  });

  it('is not what another status means', async () => {
    const { http } = clientOf(() => reply(406));
    await expect(fetchDigitraffic(context(http))).rejects.toMatchObject({ reason: 'refused' });
  });
});

it('identifies itself', async () => {
  const seen: unknown[] = [];
  const { http } = clientOf((_url, headers) => {
    seen.push(headers);
    return reply(200, { portCalls: [call()] });
  });
  await fetchDigitraffic(context(http));
  expect(seen).toEqual([{ 'digitraffic-user': expect.stringMatching(/^[a-z-]+\/[\d.]+$/) }]);
});
