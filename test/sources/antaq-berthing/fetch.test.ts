/** The years that are fetched from ANTAQ, and a year that does not exist yet. */
import { describe, expect, it } from '@jest/globals';
import { antaqBerthing, fetchPastDay } from '../../../core/sources/antaq-berthing/source.ts';
import { type HttpClient, UpstreamFailure } from '../../../core/upstream/http/http-client.ts';
import { clientOf, fetchContext, memoryPast, reply } from '../../builders/source-replies.ts';
import { FETCHED_AT } from './yearly-tables.ts';

function given(statusOf: (file: string) => number) {
  const asked: string[] = [];
  const { http } = clientOf(({ pathname }) => {
    const file = pathname.split('/').at(-1) ?? '';
    // The archive of all years is down, so the first folder is asked.
    if (file === 'estatistico.zip') throw new UpstreamFailure('network', 'no such host');
    asked.push(file);
    return reply(statusOf(file), file);
  });
  return { asked, http };
}

const context = (http: HttpClient) => fetchContext(http, { now: () => FETCHED_AT });

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
  it('makes one fetch a year, of the two years before, as if asked once they were whole', async () => {
    const { asked, http } = given(() => 200);
    const archive = memoryPast();
    for (const day of ['2017-01-31', '2017-02-01', '2017-02-02']) await fetchPastDay(http, archive, day);
    expect(asked.map((file) => file.slice(0, 4))).toEqual(['2015', '2015', '2016', '2016']);
    expect([...archive.written.keys()]).toEqual([Date.UTC(2017, 1, 1)]);
  });

  it('asks neither for what is there already nor for years before the first', async () => {
    const { asked, http } = given(() => 200);
    await fetchPastDay(http, memoryPast(Date.UTC(2017, 1, 1)), '2017-02-01');
    await fetchPastDay(http, memoryPast(), '2011-02-01');
    expect(asked).toEqual([]);
  });
});
