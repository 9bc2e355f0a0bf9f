/** `GET /v1/changes`: the ports by their change over a week. Ours, not part of the interface specification. */
import { describe, expect, it } from '@jest/globals';
import type { PortChange } from '../../core/contracts/changes.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { TrendPoint } from '../../core/contracts/trend.ts';
import { get } from './service.ts';

const changesOf = async (query: string): Promise<PortChange[]> => (await get(`/v1/changes?${query}`)).json();

describe('4. The changes of a week', () => {
  it('have every covered port with the figures of the list, the largest change first', async () => {
    const changes = await changesOf('limit=500');
    const ports: PortRecord[] = (await get('/v1/ports')).json();
    expect(changes.map(({ port }) => port).sort()).toEqual(ports.map(({ port }) => port));
    const sizes = changes.map((change) => Math.abs(change.congestion_score_change ?? Number.NaN));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    for (const { port, as_of, congestion_score, avg_wait_hours, at_anchor } of changes)
      expect(ports.find((record) => record.port === port)).toMatchObject({
        as_of,
        congestion_score,
        avg_wait_hours,
        at_anchor,
      });
    expect(await changesOf('limit=1')).toEqual(changes.slice(0, 1));
  });

  it('have the scores of the trend, day by day', async () => {
    const [change] = await changesOf('limit=1');
    const { port = '', as_of = '', scores = [] } = change ?? {};
    const trend: TrendPoint[] = (await get(`/v1/ports/${port}/trend?window=30d`)).json();
    const dayAt = (ago: number): string =>
      new Date(Date.parse(as_of ?? '') - ago * 86_400_000).toISOString().slice(0, 10);
    const byDay = scores.flatMap((score, i) => (score === null ? [] : [[dayAt(29 - i), score]]));
    expect(byDay).toEqual(trend.map(({ date, congestion_score }) => [date, congestion_score]));
  });
});
