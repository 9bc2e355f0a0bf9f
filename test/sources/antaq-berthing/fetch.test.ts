/** The years that are fetched from ANTAQ, and a year that does not exist yet. */
import { describe, expect, it } from '@jest/globals';
import { antaqBerthing, fetchPastDay } from '../../../core/sources/antaq-berthing/source.ts';
import { type HttpClient, UpstreamFailure } from '../../../core/sources/http/http-client.ts';
import { FETCHED_AT } from './yearly-tables.ts';

function given(statusOf: (file: string) => number) {
  const asked: string[] = [];
  const http: HttpClient = {
    get: async (address) => {
      const file = address.split('/').at(-1) ?? '';
      // The archive of all years is down, so the first folder is asked.
      if (file === 'estatistico.zip') throw new UpstreamFailure('network', 'no such host');
      asked.push(file);
      return { status: statusOf(file), headers: {}, body: new TextEncoder().encode(file) };
    },
  };
  return { asked, http };
}

const context = (http: HttpClient) => ({
  http,
  now: () => FETCHED_AT,
  lastFetchAt: undefined,
  secret: undefined,
});

describe('a pass', () => {
  it('asks for both tables of the last year and of this', async () => {
    const { asked, http } = given(() => 200);
    const files = await antaqBerthing.fetch(context(http));
    expect(asked).toEqual([
      '2025Atracacao.zip',
      '2025TemposAtracacao.zip',
      '2026Atracacao.zip',
      '2026TemposAtracacao.zip',
    ]);
    expect([...files.keys()]).toEqual(asked);
  });

  it('leaves a year out that lacks a table', async () => {
    const { http } = given((file) => (file === '2026TemposAtracacao.zip' ? 404 : 200));
    expect([...(await antaqBerthing.fetch(context(http))).keys()]).toEqual([
      '2025Atracacao.zip',
      '2025TemposAtracacao.zip',
    ]);
  });

  it('fails on another status, and when there is no year at all', async () => {
    await expect(antaqBerthing.fetch(context(given(() => 403).http))).rejects.toMatchObject({
      reason: 'refused',
    });
    await expect(antaqBerthing.fetch(context(given(() => 404).http))).rejects.toMatchObject({
      reason: 'empty',
    });
  });
});

describe('the back-fill', () => {
  const past = (archived: readonly number[] = []) => {
    const written: number[] = [];
    return {
      written,
      has: async (at: number) => archived.includes(at),
      write: async ({ fetchedAt }: { fetchedAt: number }) => {
        written.push(fetchedAt);
      },
    };
  };

  it('makes one fetch a year, of the two years before, as if asked once they were whole', async () => {
    const { asked, http } = given(() => 200);
    const archive = past();
    for (const day of ['2017-01-31', '2017-02-01', '2017-02-02']) await fetchPastDay(http, archive, day);
    expect(asked.map((file) => file.slice(0, 4))).toEqual(['2015', '2015', '2016', '2016']);
    expect(archive.written).toEqual([Date.UTC(2017, 1, 1)]);
  });

  it('asks neither for what is there already nor for years before the first', async () => {
    const { asked, http } = given(() => 200);
    await fetchPastDay(http, past([Date.UTC(2017, 1, 1)]), '2017-02-01');
    await fetchPastDay(http, past(), '2011-02-01');
    expect(asked).toEqual([]);
  });
});
