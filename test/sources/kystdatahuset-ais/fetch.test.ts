/** The request of a poll and those of a back-fill, through the real network client, over loopback. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fetchHttpClient } from '../../../core/sources/http/fetch-client.ts';
import type { HttpClient } from '../../../core/sources/http/http-client.ts';
import { kystdatahusetAisDeclaration as declaration } from '../../../core/sources/kystdatahuset-ais/declaration.ts';
import { fetchPastDay, kystdatahusetAis as source } from '../../../core/sources/kystdatahuset-ais/source.ts';
import type { FetchedFiles } from '../../../core/sources/source.ts';
import {
  type ScriptedUpstream,
  scriptedUpstream,
  type Turn,
  turns,
} from '../../builders/scripted-upstream.ts';
import { collection, surroundings } from './snapshots.ts';

const PUBLISHED = 'https://kystdatahuset.kystverket.no';
const PATH = '/ws/api/ais/realtime/geojson';
const NOW = Date.parse('2026-03-10T12:00:00Z');

const open: ScriptedUpstream[] = [];
afterEach(async () => {
  for (const upstream of open.splice(0)) await upstream.close();
});

/** The upstream on loopback, with its turns in order and the last one repeated. */
async function feed(...script: Turn[]) {
  let asked = 0;
  const turn: Turn = (request, response) => {
    script[Math.min(asked, script.length - 1)]?.(request, response);
    asked += 1;
  };
  const upstream = await scriptedUpstream([turn]);
  open.push(upstream);
  const pauses: number[] = [];
  const client = fetchHttpClient(
    { ...declaration, hosts: [upstream.host] },
    {
      now: () => NOW,
      random: () => 0.5,
      sleep: async (ms) => {
        pauses.push(ms);
      },
      allowLoopback: true,
      contact: 'ops@example.com',
    },
  );
  const http: HttpClient = {
    get: (address, headers) => {
      expect(address.startsWith(`${PUBLISHED}/`)).toBe(true);
      return client.get(address.replace(PUBLISHED, upstream.origin), headers);
    },
  };
  const poll = () => source.fetch({ http, now: () => NOW, lastFetchAt: undefined, secret: undefined });
  return { upstream, http, pauses, poll };
}

const good = collection(surroundings(NOW));
const textOf = (files: FetchedFiles | undefined): string =>
  Buffer.from(files?.get('vessels.geojson') ?? []).toString('utf8');

describe('a poll', () => {
  it('is one request of the product with its contact, and the unchanged reply', async () => {
    const { upstream, poll } = await feed(turns.ok(good));
    const files = await poll();
    expect([...files.keys()]).toEqual(['vessels.geojson']);
    expect(textOf(files)).toBe(good);
    expect(upstream.requests).toMatchObject([
      {
        url: PATH,
        headers: {
          'user-agent': 'port-congestion-data-service/0.1 (ops@example.com)',
          'accept-encoding': 'gzip',
        },
      },
    ]);
    const perDay = (upstream.requests.length * 24 * 60) / declaration.everyMinutes;
    expect(readFileSync('core/sources/kystdatahuset-ais/README.md', 'utf8')).toContain(`${perDay} a day`);
  });
});

describe('a day of the past', () => {
  function memory() {
    const written = new Map<number, FetchedFiles>();
    return {
      written,
      has: async (at: number) => written.has(at),
      write: async ({ fetchedAt, files }: { fetchedAt: number; files: FetchedFiles }) => {
        written.set(fetchedAt, files);
      },
    };
  }
  const limits = { now: () => NOW, outOfTime: () => false };
  const timesOf = ({ requests }: ScriptedUpstream) =>
    requests.map(({ url }) => new URL(url, PUBLISHED).searchParams.get('timeStamp'));

  it('is a poll every ten minutes, one request at a time', async () => {
    let [running, most] = [0, 0];
    const { upstream, http } = await feed((_request, response) => {
      running += 1;
      most = Math.max(most, running);
      response.on('finish', () => {
        running -= 1;
      });
      setImmediate(() => response.end(good));
    });
    const past = memory();
    expect(await fetchPastDay(http, past, '2026-03-09', limits)).toBe(true);
    expect(most).toBe(1);
    const times = timesOf(upstream);
    expect(times).toHaveLength(144);
    expect([times[0], times[1], times.at(-1)]).toEqual([
      '2026-03-09T00:00:00Z',
      '2026-03-09T00:10:00Z',
      '2026-03-09T23:50:00Z',
    ]);
    expect([...past.written.keys()]).toEqual(times.map((time) => Date.parse(time ?? '')));
    expect(textOf(past.written.get(Date.parse('2026-03-09T00:10:00Z')))).toBe(good);
  });

  it('ends at the present', async () => {
    const { upstream, http } = await feed(turns.ok(good));
    await fetchPastDay(http, memory(), '2026-03-10', limits);
    expect(timesOf(upstream).at(-1)).toBe('2026-03-10T11:50:00Z');
    await fetchPastDay(http, memory(), '2026-03-11', limits);
    expect(upstream.requests).toHaveLength(72);
  });

  it('that stopped, for a failure or for lack of time, goes on where it was', async () => {
    const { upstream, http } = await feed(turns.ok(good), turns.status(404), turns.ok(good));
    const past = memory();
    await expect(fetchPastDay(http, past, '2026-03-09', limits)).rejects.toMatchObject({ reason: 'refused' });
    expect(past.written.size).toBe(1);
    const outOfTime = () => past.written.size >= 5;
    expect(await fetchPastDay(http, past, '2026-03-09', { ...limits, outOfTime })).toBe(false);
    expect(past.written.size).toBe(5);
    expect(await fetchPastDay(http, past, '2026-03-09', limits)).toBe(true);
    expect(past.written.size).toBe(144);
    expect(upstream.requests).toHaveLength(145);
  });
});
