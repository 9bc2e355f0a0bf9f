/** Which questions the Census API is asked, and what its silence means. */
import { describe, expect, it } from '@jest/globals';
import { fetchTrade, tradeSlices } from '../../../core/sources/us-census-trade/source.ts';
import type { HttpReply } from '../../../core/upstream/http-client.ts';
import type { FetchContext } from '../../../core/upstream/source.ts';
import { clientOf, fetchContext, reply } from '../../builders/source-replies.ts';
import { FETCHED_AT, HEADER, row } from './tables.ts';

const KEY = 'not-a-real-key';
const ok = reply(200, [HEADER, row()]);
const none = reply(204);

function given(response: (url: URL) => HttpReply, changes: Partial<FetchContext> = {}) {
  const { asked, http } = clientOf(response);
  const fetched = fetchTrade(fetchContext(http, { now: () => FETCHED_AT, secret: KEY, ...changes }));
  return { asked, fetched };
}

describe('questions', () => {
  it('cover every month of every level once, without a gap', () => {
    const slices = tradeSlices(FETCHED_AT, undefined);
    for (const level of ['HS2', 'HS4', 'HS6']) {
      const spans = slices.filter((slice) => slice.level === level);
      expect(spans[0]?.fromMonth).toBe('2021-10');
      expect(spans.at(-1)?.toMonth).toBe('2026-03');
      for (const [i, span] of spans.slice(1).entries()) {
        const [year = 0, month = 0] = (spans[i]?.toMonth ?? '').split('-').map(Number);
        const after = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7);
        expect(span.fromMonth).toBe(after);
      }
    }
  });

  it('are few from day to day, and all again in a new week', () => {
    const at = (day: string) => Date.parse(`${day}T12:00:00Z`);
    const tuesday = at('2026-03-10');
    expect(tradeSlices(tuesday, at('2026-03-09'))).toHaveLength(4);
    expect(tradeSlices(at('2026-03-15'), at('2026-03-14'))).toHaveLength(4);
    expect(tradeSlices(at('2026-03-16'), at('2026-03-15'))).toHaveLength(23);
    expect(tradeSlices(tuesday, at('2026-03-08'))).toHaveLength(23);
    expect(tradeSlices(at('2026-04-01'), at('2026-03-31'))).toHaveLength(4);
  });

  it('read a revision of the year within a week of its release', () => {
    const DAY = 86_400_000;
    const release = Date.parse('2026-06-09T12:30:00Z');
    const passes = Array.from({ length: 7 }, (_, i) => release + (i + 1) * DAY);
    expect(passes.some((at) => tradeSlices(at, at - DAY).length === 23)).toBe(true);
  });

  it('ask for general imports of all countries together', async () => {
    const { asked, fetched } = given(() => ok, { lastFetchAt: FETCHED_AT - 1_000 });
    await fetched;
    expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toEqual({
      get: 'I_COMMODITY,CTY_CODE,GEN_VAL_MO',
      COMM_LVL: 'HS2',
      CTY_CODE: '-',
      time: 'from 2025-11 to 2026-03',
      key: KEY,
    });
  });
});

describe('responses', () => {
  it('become one file a question, none where nothing is published', async () => {
    const { fetched } = given((url) => (url.searchParams.get('COMM_LVL') === 'HS6' ? none : ok), {
      lastFetchAt: FETCHED_AT - 1_000,
    });
    expect([...(await fetched).keys()]).toEqual(['imports-hs2-2025-11.json', 'imports-hs4-2025-11.json']);
  });

  it('that are all empty are an outage', async () => {
    await expect(given(() => none).fetched).rejects.toMatchObject({ reason: 'empty' });
  });

  it('with another status end the pass, and the key stays secret', async () => {
    const refused = reply(400, `error: bad key ${KEY}`);
    const error: unknown = await given(() => refused).fetched.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: 'refused', message: expect.stringContaining('status 400') });
    expect(String(error)).not.toContain(KEY);
  });
});

it.each([undefined, ''])('is off without its key (%j)', async (secret) => {
  const { asked, fetched } = given(() => ok, { secret });
  await expect(fetched).rejects.toMatchObject({ reason: 'no-key' });
  expect(asked).toEqual([]);
});
