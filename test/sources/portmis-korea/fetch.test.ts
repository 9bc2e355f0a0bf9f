/** Which questions PORT-MIS is asked, page by page, and what its error codes become. */
import { describe, expect, it } from '@jest/globals';
import { fetchPortMis } from '../../../core/sources/portmis-korea/source.ts';
import { type HttpClient, UpstreamFailure } from '../../../core/upstream/http-client.ts';
import type { FetchContext } from '../../../core/upstream/source.ts';
import { clientOf, fetchContext, reply, requestIn } from '../../builders/source-replies.ts';
import { eventItem, FETCHED_AT, gatewayError, type Item, pageText } from './replies.ts';

const HOUR_MS = 3_600_000;

const upstream = (response: (url: URL) => string | number = () => pageText([])) =>
  clientOf((url) => {
    const said = response(url);
    if (said === 0) throw new UpstreamFailure('stalled', 'no reply');
    return typeof said === 'number' ? reply(said) : reply(200, said);
  });

const context = (http: HttpClient, more: Partial<FetchContext> = {}) =>
  fetchContext(http, {
    now: () => FETCHED_AT,
    lastFetchAt: FETCHED_AT - HOUR_MS,
    secret: 'plain+key/=',
    ...more,
  });

describe('a pass', () => {
  it('asks events, entries and exits of every authority for the last week, by day, never by call sign', async () => {
    const { asked, http } = upstream();
    const files = await fetchPortMis(context(http));
    expect(asked).toHaveLength(18 * 3);
    const [first] = asked;
    expect(first?.pathname).toBe('/1192000/CntlVssl2/Info');
    expect(Object.fromEntries(first?.searchParams ?? [])).toEqual({
      serviceKey: 'plain+key/=',
      prtAgCd: '020',
      sde: '20260303',
      ede: '20260310',
      deGb: 'I',
      pageNo: '1',
      numOfRows: '50',
    });
    expect(asked.filter((url) => url.searchParams.get('deGb') === 'O')).toHaveLength(18);
    expect(asked.some((url) => url.searchParams.has('clsgn'))).toBe(false);
    expect(requestIn(files)).toEqual({
      from: '2026-03-02T15:00:00Z',
      to: '2026-03-10T15:00:00Z',
      unanswered: [],
    });
  });

  it('encodes a key exactly once', async () => {
    const { asked, http } = upstream();
    await fetchPortMis(context(http, { secret: 'plain%2Bkey' }));
    expect(asked[0]?.search).toContain('serviceKey=plain%2Bkey&');
  });

  it.each([
    [50, 101, 3],
    [30, 120, 4],
    [10, 120, 12],
  ])('reads on in pages of %i rows until the stated total of %i is reached', async (size, total, pages) => {
    const { asked, http } = upstream((url) => {
      if (url.searchParams.get('prtAgCd') !== '020') return pageText([]);
      const rows = Math.min(size, total - size * (Number(url.searchParams.get('pageNo')) - 1));
      return pageText(Array<Item>(Math.max(0, rows)).fill(eventItem()), total);
    });
    const files = await fetchPortMis(context(http));
    expect(asked.filter((url) => url.searchParams.get('prtAgCd') === '020')).toHaveLength(3 * pages);
    expect(files.has(`events-020-0-${pages}.xml`)).toBe(true);
    expect(requestIn(files).unanswered).toEqual([]);
  });

  it('notes an authority whose pages end before the stated total', async () => {
    const { http } = upstream((url) => {
      if (url.searchParams.get('prtAgCd') !== '020') return pageText([]);
      return pageText(url.searchParams.get('pageNo') === '1' ? [eventItem()] : [], 120);
    });
    const files = await fetchPortMis(context(http));
    expect(requestIn(files).unanswered).toEqual(['020']);
    expect([...files.keys()].some((file) => file.startsWith('events-020'))).toBe(false);
  });

  it.each([
    ['the first ever', undefined],
    ['the first of a UTC day', FETCHED_AT - 13 * HOUR_MS],
  ])('%s reads 60 days back, a month a question', async (_what, lastFetchAt) => {
    const { asked, http } = upstream();
    await fetchPortMis(context(http, { lastFetchAt }));
    const spans = new Set(
      asked.map((url) => `${url.searchParams.get('sde')}-${url.searchParams.get('ede')}`),
    );
    expect([...spans].sort()).toEqual(['20260109-20260207', '20260208-20260309', '20260310-20260310']);
  });

  it.each([
    500,
    0,
    '<html></html>',
    pageText([], 0, '11'),
    pageText([]).replace(/<totalCount>.*<\/totalCount>/, ''),
  ])('notes an authority that returns %s', async (reply) => {
    const { http } = upstream((url) => (url.searchParams.get('prtAgCd') === '820' ? reply : pageText([])));
    expect(requestIn(await fetchPortMis(context(http))).unanswered).toEqual(['820']);
  });
});

describe('a pass fails', () => {
  it('without a key', async () => {
    const { http } = upstream();
    await expect(fetchPortMis(context(http, { secret: undefined }))).rejects.toMatchObject({
      reason: 'no-key',
      message: 'PORTMIS_SERVICE_KEY is not configured',
    });
  });

  it('with what to do when the key is refused, and without the key', async () => {
    const { http } = upstream(() => gatewayError('30'));
    const failure = await fetchPortMis(context(http)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'UpstreamFailure', reason: 'key-refused' });
    expect(String(failure)).toContain('check PORTMIS_SERVICE_KEY');
    expect(String(failure)).not.toContain('plain');
  });

  it('until midnight in Korea when the quota is used up', async () => {
    const { http } = upstream(() => gatewayError('22'));
    await expect(fetchPortMis(context(http))).rejects.toMatchObject({
      reason: 'quota',
      retryAfterSeconds: (Date.parse('2026-03-10T15:00:00Z') - FETCHED_AT) / 1000,
    });
  });

  it('when no authority has a reply', async () => {
    const { http } = upstream(() => 503);
    await expect(fetchPortMis(context(http))).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('status 503'),
    });
  });

  it('rather than use up the day when a count never ends', async () => {
    const { asked, http } = upstream(() => pageText([eventItem()], 1_000_000));
    await expect(fetchPortMis(context(http))).rejects.toMatchObject({ reason: 'too-many-pages' });
    expect(asked.length).toBeLessThan(4_010);
  });
});
