/** The requests to TIPC, and the treatment of ports that do not respond. */
import { describe, expect, it } from '@jest/globals';
import { fetchPastDay, fetchTaiwan } from '../../../core/sources/tipc-taiwan/source.ts';
import { type HttpClient, UpstreamFailure } from '../../../core/upstream/http-client.ts';
import { clientOf, fetchContext, memoryPast, reply, requestIn } from '../../builders/source-replies.ts';
import { FETCHED_AT } from './vessel-lists.ts';

const upstream = (statusOf: (url: URL) => number = () => 200) =>
  clientOf((url) => {
    const status = statusOf(url);
    if (status === 0) throw new UpstreamFailure('stalled', 'no reply');
    return reply(status, `${url.pathname} ${url.searchParams.get('selectPort')}`);
  });

const context = (http: HttpClient, lastFetchAt?: number) =>
  fetchContext(http, { now: () => FETCHED_AT, lastFetchAt });

const spansOf = (asked: readonly URL[]): string[] => [
  ...new Set(
    asked.map(
      ({ searchParams }) => `${searchParams.get('spExpectDtFrom')} .. ${searchParams.get('spExpectDtTo')}`,
    ),
  ),
];

describe('a pass', () => {
  it('asks both lists of nine ports for ten days back and seven ahead, to 23:59', async () => {
    const { asked, http } = upstream();
    const files = await fetchTaiwan(context(http, FETCHED_AT - 1_800_000));
    expect(asked).toHaveLength(18);
    expect(spansOf(asked)).toEqual(['2026/02/28 00:00 .. 2026/03/17 23:59']);
    expect(asked[0]?.href).toBe(
      'https://tpnet.twport.com.tw/IFAWeb/Reports/InPortShipList/DownloadXMLReport?selectPort=APG&orderBy=expectDt' +
        '&orderAsc=ASC&spExpectDtFrom=2026%2F02%2F28%2000%3A00&spExpectDtTo=2026%2F03%2F17%2023%3A59' +
        '&special01=False&special02=False',
    );
    expect([...files.keys()].filter((name) => name.includes('KHH'))).toEqual([
      'in-port-KHH.xml',
      'out-port-KHH.xml',
    ]);
    expect(requestIn(files)).toEqual({
      from: '2026-02-27T16:00:00Z',
      to: '2026-03-17T16:00:00Z',
      unanswered: [],
    });
  });

  it.each([
    ['the first ever', undefined],
    ['the first of a UTC day', Date.parse('2026-03-09T23:50:00Z')],
  ])('%s reads 60 days back, a month a question', async (_what, lastFetchAt) => {
    const { asked, http } = upstream();
    const files = await fetchTaiwan(context(http, lastFetchAt));
    expect(spansOf(asked)).toEqual([
      '2026/01/09 00:00 .. 2026/02/08 23:59',
      '2026/02/09 00:00 .. 2026/03/11 23:59',
      '2026/03/12 00:00 .. 2026/03/17 23:59',
    ]);
    expect(files.has('in-port-KHH-2.xml')).toBe(true);
  });

  it.each([
    [500, 'PUT: InPortShipList: status 500'],
    [0, 'PUT: no reply'],
  ])('goes on when a port returns %i, and notes the port and the cause', async (status, noted) => {
    const { http } = upstream((url) => (url.searchParams.get('selectPort') === 'PUT' ? status : 200));
    const files = await fetchTaiwan(context(http, FETCHED_AT - 1_800_000));
    expect(requestIn(files).unanswered).toEqual([noted]);
    expect([...files.keys()].some((name) => name.includes('PUT'))).toBe(false);
    expect(files.size).toBe(17);
  });

  it.each([
    ['refused', 503, 'all ports: InPortShipList: status 503'],
    ['stalled', 0, 'all ports: no reply'],
  ])('fails with the cause when no port responds: %s', async (reason, status, detail) => {
    const { http } = upstream(() => status);
    await expect(fetchTaiwan(context(http))).rejects.toMatchObject({
      name: 'UpstreamFailure',
      reason,
      message: detail,
    });
  });

  it('states each cause once, with its ports', async () => {
    const { http } = upstream((url) => (url.searchParams.get('selectPort') === 'KHH' ? 404 : 0));
    await expect(fetchTaiwan(context(http))).rejects.toThrow(
      'APG, HUN, KEL, MZG, PUT, SUO, TPE, TXG: no reply; KHH: InPortShipList: status 404',
    );
  });

  it('asks again later where the first refusal that says when does', async () => {
    const { http } = clientOf(() => {
      throw new UpstreamFailure('refused', 'busy', 120);
    });
    await expect(fetchTaiwan(context(http))).rejects.toMatchObject({ retryAfterSeconds: 120 });
  });
});

describe('a back-fill', () => {
  it('fetches a month on the first day of the next, with the ten days before it', async () => {
    const { asked, http } = upstream();
    const past = memoryPast();
    await fetchPastDay(http, past, '2025-02-01');
    expect([...past.written.keys()]).toEqual([Date.parse('2025-02-01T00:00:00Z')]);
    expect(spansOf(asked)).toEqual([
      '2024/12/22 00:00 .. 2025/01/21 23:59',
      '2025/01/22 00:00 .. 2025/01/31 23:59',
    ]);
  });

  it('asks nothing on other days, nor for a month that is there', async () => {
    const { asked, http } = upstream();
    await fetchPastDay(http, memoryPast(), '2025-02-02');
    await fetchPastDay(http, memoryPast(Date.parse('2025-02-01T00:00:00Z')), '2025-02-01');
    expect(asked).toEqual([]);
  });
});
