import { describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../../../core/reference/time.ts';
import type { ServedDay } from '../../../core/store/daily-metrics.ts';
import { createTrend } from '../../../lambdas/trend/trend.ts';

const row = (day: string, over: Partial<ServedDay> = {}): ServedDay => {
  return { day, vessels: 9, congestionScore: 0.4, avgWaitHours: 5, ...over };
};
const [MONDAY, TUESDAY] = ['2026-01-05', '2026-01-06'];

async function trendOf(rows: readonly ServedDay[], now: string) {
  const stores = { dailyMetrics: { served: async () => [...rows] }, ports: { get: async () => undefined } };
  const answer = await createTrend(stores, () => Date.parse(now))({
    path: { UNLOCODE: 'HKHKG' },
    query: { window: 7, days: undefined, format: 'json' },
  });
  return answer.map(({ date }) => date);
}

describe('a trend', () => {
  it('leaves out a day without a wait or a score', async () => {
    const rows = [{ day: MONDAY, vessels: 9, avgWaitHours: 5 }, row(TUESDAY)];
    expect(await trendOf(rows, '2026-01-06T12:00:00Z')).toEqual([TUESDAY]);
  });

  it('has the day that is running, and not one that broke off once it is over', async () => {
    const rows = [row(MONDAY), row(TUESDAY, { partial: true })];
    expect(await trendOf(rows, '2026-01-06T12:00:00Z')).toEqual([MONDAY, TUESDAY]);
    const midnight = Date.parse('2026-01-07T00:00:00Z');
    expect(await trendOf(rows, new Date(midnight).toISOString())).toEqual([MONDAY]);
    expect(await trendOf(rows, new Date(midnight + 20 * 24 * HOUR_MS).toISOString())).toEqual([MONDAY]);
  });
});
