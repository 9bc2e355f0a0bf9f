/** The request of a poll and those of a back-fill, through the real network client, over loopback. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { kystdatahusetAisDeclaration as declaration } from '../../../core/sources/kystdatahuset-ais/declaration.ts';
import { fetchPastDay, source } from '../../../core/sources/kystdatahuset-ais/source.ts';
import type { FetchedFiles } from '../../../core/upstream/source.ts';
import { collection } from '../../builders/geojson-feed.ts';
import {
  closeUpstreams,
  publishedUpstream,
  type ScriptedUpstream,
  slowTurn,
  type Turn,
  turns,
} from '../../builders/scripted-upstream.ts';
import { fetchContext, memoryPast } from '../../builders/source-replies.ts';
import { surroundings } from './snapshots.ts';

afterEach(closeUpstreams);

const PUBLISHED = 'https://kystdatahuset.kystverket.no';
const PATH = '/ws/api/ais/realtime/geojson';
const NOW = Date.parse('2026-03-10T12:00:00Z');

const feed = (...script: Turn[]) => publishedUpstream(PUBLISHED, declaration, script);

const good = collection(surroundings(NOW));
const textOf = (files: FetchedFiles | undefined): string =>
  Buffer.from(files?.get('vessels.geojson') ?? []).toString('utf8');

describe('a poll', () => {
  it('is one request of the product with its contact, and the unchanged reply', async () => {
    const { upstream, http } = await feed(turns.ok(good));
    const files = await source.fetch(fetchContext(http, { now: () => NOW }));
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
  const limits = { now: () => NOW, outOfTime: () => false };
  const timesOf = ({ requests }: ScriptedUpstream) =>
    requests.map(({ url }) => new URL(url, PUBLISHED).searchParams.get('timeStamp'));

  it('is a poll every ten minutes, one request at a time', async () => {
    const { counts, turn } = slowTurn(good);
    const { upstream, http } = await feed(turn);
    const past = memoryPast();
    expect(await fetchPastDay(http, past, '2026-03-09', limits)).toBe(true);
    expect(counts.most).toBe(1);
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
    await fetchPastDay(http, memoryPast(), '2026-03-10', limits);
    expect(timesOf(upstream).at(-1)).toBe('2026-03-10T11:50:00Z');
    await fetchPastDay(http, memoryPast(), '2026-03-11', limits);
    expect(upstream.requests).toHaveLength(72);
  });

  it('that stopped, for a failure or for lack of time, goes on where it was', async () => {
    const { upstream, http } = await feed(turns.ok(good), turns.status(404), turns.ok(good));
    const past = memoryPast();
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
