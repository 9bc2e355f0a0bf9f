/** Which questions OCEANS-X is asked, and what its statuses become. */
import { describe, expect, it } from '@jest/globals';
import { fetchSingapore } from '../../../core/sources/mpa-singapore/source.ts';
import { type HttpClient, UpstreamFailure } from '../../../core/upstream/http-client.ts';
import type { FetchContext } from '../../../core/upstream/source.ts';
import { clientOf, fetchContext, reply, requestIn } from '../../builders/source-replies.ts';
import { arrival, FETCHED_AT } from './replies.ts';

const HOUR_MS = 3_600_000;

function upstream(response: (path: string) => number | object = () => 204) {
  const asked: { readonly path: string; readonly key: string | undefined }[] = [];
  const { http } = clientOf((url, headers) => {
    const path = `${url.pathname.replace('/api/v1/', '')}${url.search}`;
    asked.push({ path, key: headers.apikey });
    const said =
      path === 'vessel/arrivals/1.0.0/date/2026-03-10' && response(path) === 204
        ? [arrival()]
        : response(path);
    return typeof said === 'number' ? reply(said, '') : reply(200, said);
  });
  return { asked, http };
}

const context = (http: HttpClient, more: Partial<FetchContext> = {}) =>
  fetchContext(http, {
    now: () => FETCHED_AT,
    lastFetchAt: FETCHED_AT - HOUR_MS,
    secret: 'key-of-mpa',
    ...more,
  });

const movementsAsked = (asked: readonly { readonly path: string }[]): string[] =>
  asked.flatMap(({ path }) => /movements\/1\.0\.0\/imonumber\/(\d+)/.exec(path)?.[1] ?? []);

describe('a pass', () => {
  it('asks three lists for eleven days and the snapshot, with the key in its header only', async () => {
    const { asked, http } = upstream();
    const files = await fetchSingapore(context(http));
    expect(asked.filter(({ path }) => !path.includes('movements'))).toHaveLength(34);
    expect(asked.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'vessel/arrivals/1.0.0/date/2026-02-28',
        'vessel/departure/1.0.0/date/2026-03-10',
        'vessel/arrivaldeclaration/1.0.0/bydate?date=2026-03-10',
        'vessel/positions/1.0.0/snapshot',
      ]),
    );
    expect(new Set(asked.map(({ key }) => key))).toEqual(new Set(['key-of-mpa']));
    expect(Buffer.from(files.get('departures-2026-03-10.json') ?? []).toString()).toBe('[]');
  });

  it.each([
    ['the first ever', undefined],
    ['the first of a UTC day', FETCHED_AT - 13 * HOUR_MS],
  ])('%s reads a month', async (_what, lastFetchAt) => {
    const { asked, http } = upstream();
    await fetchSingapore(context(http, { lastFetchAt }));
    expect(asked.filter(({ path }) => path.includes('/date/'))).toHaveLength(62);
  });

  it('asks for the movements of a vessel that just arrived, and of the others in their turn', async () => {
    const fleet = ['9074729', '9301237', '9811000'].map((imoNumber) =>
      arrival({ arrivedTime: '2026-03-08 06:00:00' }, { imoNumber }),
    );
    const turns = new Map<string, number>();
    for (let hour = 0; hour < 6; hour += 1) {
      const { asked, http } = upstream((path) =>
        path.endsWith('date/2026-03-08') && path.includes('arrivals') ? fleet : 204,
      );
      await fetchSingapore({ ...context(http), now: () => FETCHED_AT + hour * HOUR_MS });
      for (const imo of movementsAsked(asked)) turns.set(imo, (turns.get(imo) ?? 0) + 1);
    }
    expect(Object.fromEntries(turns)).toEqual({ 9074729: 1, 9301237: 1, 9811000: 1 });
    const fresh = [arrival({ arrivedTime: '2026-03-10 19:00:00' }, { imoNumber: '9811000' })];
    const { asked, http } = upstream((path) =>
      path.includes('arrivals/1.0.0/date/2026-03-10') ? fresh : 204,
    );
    await fetchSingapore(context(http));
    expect(movementsAsked(asked)).toEqual(['9811000']);
  });

  it('continues when one vessel has no reply, and notes it', async () => {
    const fresh = [arrival({ arrivedTime: '2026-03-10 19:00:00' })];
    const { http } = upstream((path) =>
      path.includes('movements') ? 500 : path.includes('arrivals/1.0.0/date/2026-03-10') ? fresh : 204,
    );
    const files = await fetchSingapore(context(http));
    expect(requestIn(files).unanswered).toEqual(['9301237']);
  });

  it('asks for no further vessel when the upstream limits the rate, and notes those that it did not ask for', async () => {
    const limit = new UpstreamFailure('rate-limited', 'status 429', 90);
    const fresh = ['9811000', '9301237'].map((imoNumber) =>
      arrival({ arrivedTime: '2026-03-10 19:00:00' }, { imoNumber }),
    );
    const { asked, http } = upstream((path) => {
      if (path.includes('movements')) throw limit;
      return path.includes('arrivals/1.0.0/date/2026-03-10') ? fresh : 204;
    });
    expect(requestIn(await fetchSingapore(context(http))).unanswered).toEqual(['9811000', '9301237']);
    expect(movementsAsked(asked)).toHaveLength(1);
  });
});

describe('a pass fails', () => {
  it.each([
    [401, 'key-refused', 'check MPA_API_KEY'],
    [403, 'not-subscribed', 'subscribe the key to that API product'],
    [500, 'refused', 'status 500'],
  ])('on %i with what to do, and without the key', async (status, reason, words) => {
    const failure = await fetchSingapore(context(upstream(() => status).http)).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ name: 'UpstreamFailure', reason });
    expect(String(failure)).toContain(words);
    expect(String(failure)).not.toContain('key-of-mpa');
  });

  it('without a key, and when nothing arrived anywhere', async () => {
    await expect(fetchSingapore(context(upstream().http, { secret: undefined }))).rejects.toMatchObject({
      reason: 'no-key',
    });
    await expect(fetchSingapore(context(upstream(() => []).http))).rejects.toMatchObject({ reason: 'empty' });
  });
});
