/** Which file is fetched next, what is archived of it, and what each status does. */
import { describe, expect, it } from '@jest/globals';
import { source } from '../../../core/sources/noaa-marinecadastre-ais/source.ts';
import type { HttpClient, HttpReply } from '../../../core/upstream/http-client.ts';
import type { FetchedFiles } from '../../../core/upstream/source.ts';
import { bytesOf, clientOf, fetchContext, memoryPast, reply } from '../../builders/source-replies.ts';
import { zstdFrames } from '../../builders/zstd-frames.ts';
import { dayText, noteIn, rowsIn } from './day-texts.ts';

const NOW = Date.parse('2026-03-10T12:00:00Z');

const blob = (day: string, etag: string): string =>
  `<Blob><Name>csv2/csv${day.slice(0, 4)}/ais-${day}.csv.zst</Name><Properties><Last-Modified>Tue, 24 Mar 2026</Last-Modified>` +
  `<Etag>${etag}</Etag><Content-Length>178000000</Content-Length></Properties></Blob>`;
const listing = (blobs: readonly string[], marker = ''): string =>
  `<?xml version="1.0" encoding="utf-8"?><EnumerationResults ContainerName="x"><Blobs>${blobs.join('')}` +
  `<Blob><Name>csv2/csv2026/index.html</Name><Properties/></Blob></Blobs><NextMarker>${marker}</NextMarker></EnumerationResults>`;

interface Upstream {
  /** Etags by day. */
  readonly days: Record<string, string>;
  readonly bodies?: Record<string, Uint8Array>;
  readonly statuses?: Record<string, number>;
}

function upstream({ days, bodies = {}, statuses = {} }: Upstream): HttpClient & { readonly asked: string[] } {
  const asked: string[] = [];
  const replyOf = (url: string): HttpReply => {
    const year = /prefix=csv2\/csv(\d{4})/.exec(url)?.[1];
    const status = statuses[year ?? url.slice(-22)] ?? 200;
    if (year !== undefined) {
      const all = Object.entries(days).filter(([day]) => day.startsWith(year));
      const half = Math.ceil(all.length / 2);
      // Two pages a year.
      const isSecond = url.includes('marker=');
      const part = isSecond ? all.slice(half) : all.slice(0, half);
      const text = listing(
        part.map(([day, etag]) => blob(day, etag)),
        isSecond || all.length === 0 ? '' : 'next page',
      );
      return reply(status, text);
    }
    const day = /ais-(\d{4}-\d{2}-\d{2})/.exec(url)?.[1] ?? '';
    const body = bodies[day] ?? zstdFrames(bytesOf(dayText('2025', [], { day })), 2);
    return reply(status, body);
  };
  return {
    asked,
    get: async (url, _headers, read) => {
      asked.push(url);
      const { body, ...head } = replyOf(url);
      if (read === undefined) return { ...head, body };
      await read(chunksOf(body), head);
      return { ...head, body: new Uint8Array() };
    },
  };
}

async function* chunksOf(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += 1500) yield body.subarray(at, at + 1500);
}

const fetchAfter = (http: HttpClient, lastDayEnd?: string, lastFiles?: FetchedFiles) =>
  source.fetch(
    fetchContext(http, {
      now: () => NOW,
      lastFetchAt: lastDayEnd === undefined ? undefined : Date.parse(lastDayEnd),
      lastFiles: async () => lastFiles,
    }),
  );

const DAYS = { '2025-12-30': '"a"', '2025-12-31': '"b"', '2026-01-02': '"c"', '2026-01-03': '"d"' };

describe('a fetch', () => {
  it('takes the newest day first, and then one published day after the other, over a hole and a new year', async () => {
    const http = upstream({ days: DAYS });
    expect(noteIn(await fetchAfter(http))).toMatchObject({ day: '2026-01-03', version: '"d"' });
    expect(noteIn(await fetchAfter(http, '2025-12-30T00:00:00Z'))).toMatchObject({ day: '2025-12-30' });
    expect(noteIn(await fetchAfter(http, '2025-12-31T00:00:00Z'))).toMatchObject({ day: '2025-12-31' });
    const files = await fetchAfter(http, '2026-01-01T00:00:00Z');
    expect(noteIn(files)).toMatchObject({
      day: '2026-01-02',
      file: 'ais-2026-01-02.csv.zst',
      version: '"c"',
    });
    expect(rowsIn(files, 'us-pacific')).toHaveLength(144);
    expect(http.asked.at(-1)).toBe(
      'https://noaaocm.blob.core.windows.net/ais/csv2/csv2026/ais-2026-01-02.csv.zst',
    );
    const early = await fetchAfter(upstream({ days: { '2025-12-31': '"b"' } }));
    expect(noteIn(early)).toMatchObject({ day: '2025-12-31' });
  });

  it('notes that there is nothing new, and parses to no report as of the same time', async () => {
    const files = await fetchAfter(upstream({ days: DAYS }), '2026-01-04T00:00:00Z');
    expect(noteIn(files)).toMatchObject({ upTo: '2026-01-04T00:00:00Z' });
    expect(source.days?.dayOf(files)).toBeUndefined();
    expect(source.parse({ fetchedAt: NOW, files })).toMatchObject({
      asOfAt: Date.parse('2026-01-04T00:00:00Z'),
      observations: [],
      refusals: { count: 0, byReason: {}, first: [] },
      lists: [],
      notices: [],
    });
  });

  it('takes a day again that is listed with another version, once', async () => {
    const first = await fetchAfter(upstream({ days: DAYS }), '2026-01-02T00:00:00Z');
    const last = await fetchAfter(upstream({ days: DAYS }), '2026-01-03T00:00:00Z', first);
    expect(noteIn(last).taken).toEqual({ '2026-01-02': '"c"', '2026-01-03': '"d"' });
    const corrected = upstream({ days: { ...DAYS, '2026-01-02': '"c2"' } });
    const again = await fetchAfter(corrected, '2026-01-04T00:00:00Z', last);
    expect(noteIn(again)).toMatchObject({ day: '2026-01-02', version: '"c2"', upTo: '2026-01-04T00:00:00Z' });
    expect(noteIn(await fetchAfter(corrected, '2026-01-04T00:00:00Z', again)).day).toBeUndefined();
  });

  it('archives why a file cannot be used, goes on with the next day, and takes it when it is corrected', async () => {
    const bodies = { '2026-01-02': zstdFrames(bytesOf(dayText()), 3).subarray(0, 5000) };
    const http = upstream({ days: DAYS, bodies });
    const files = await fetchAfter(http, '2026-01-01T00:00:00Z');
    expect([...files.keys()]).toEqual(['day.json']);
    expect(noteIn(files).refused?.reason).toBe('truncated');
    expect(source.days?.dayOf(files)).toBeUndefined();
    expect(() => source.parse({ fetchedAt: NOW, files })).toThrow(
      expect.objectContaining({ reason: 'truncated' }),
    );
    const next = await fetchAfter(http, '2026-01-01T00:00:00Z', files);
    expect(noteIn(next)).toMatchObject({ day: '2026-01-03' });
    const corrected = upstream({ days: { ...DAYS, '2026-01-02': '"c2"' } });
    expect(noteIn(await fetchAfter(corrected, '2026-01-04T00:00:00Z', next))).toMatchObject({
      day: '2026-01-02',
    });
  });

  it.each([
    ['a listing that is refused', { statuses: { 2026: 503 } }, 'refused'],
    ['a file that is refused', { statuses: { 'ais-2026-01-02.csv.zst': 403 } }, 'refused'],
  ])('fails with %s', async (_name, more, reason) => {
    const http = upstream({ days: DAYS, ...more });
    await expect(fetchAfter(http, '2026-01-02T00:00:00Z')).rejects.toMatchObject({ reason });
  });

  it('fails when the listing is empty or is another page', async () => {
    await expect(fetchAfter(upstream({ days: {} }))).rejects.toMatchObject({ reason: 'empty' });
    const page = clientOf(() => reply(200, '<!doctype html><html></html>'));
    await expect(fetchAfter(page.http)).rejects.toMatchObject({ reason: 'html' });
  });
});

describe('the history', () => {
  it('brings each listed day in once, under the end of the day', async () => {
    const http = upstream({ days: DAYS });
    const past = memoryPast();
    const days = ['2025-12-31', '2026-01-01', '2026-01-02', '2026-01-03'];
    const limits = { now: () => Date.parse('2026-01-04T00:00:00Z'), outOfTime: () => false };
    for (const day of [...days, ...days]) await source.history?.fetchDay(http, past, day, limits);
    const times = [...past.written.keys()].map((at) => new Date(at).toISOString().slice(0, 10));
    expect(times).toEqual(['2026-01-01', '2026-01-03', '2026-01-04']);
    expect(noteIn(past.written.get(Date.parse('2026-01-04')) ?? new Map()).taken).toEqual({
      '2026-01-02': '"c"',
      '2026-01-03': '"d"',
    });
    // Two listings of two pages, and three files.
    expect(http.asked).toHaveLength(7);
  });
});
