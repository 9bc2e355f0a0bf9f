import { describe, expect, it } from '@jest/globals';
import type { DayFigures } from '../../../../core/metrics/figures.ts';
import { HOUR_MS } from '../../../../core/reference/time.ts';
import { TREND } from '../../../../core/store/day-series.ts';
import { memoryTables } from '../../../builders/memory-table.ts';
import { readHandlers } from '../../../builders/read-handlers.ts';
import { putValues } from '../../../builders/series-values.ts';

const row = (day: string, over: Partial<DayFigures> = {}): DayFigures => ({
  ...{ day, coverage: 1, vessels: 9, congestionScore: 0.4, avgWaitHours: 5 },
  ...over,
});
const [MONDAY, TUESDAY] = ['2026-01-05', '2026-01-06'];

async function trendOf(rows: readonly DayFigures[], now: string) {
  const tables = memoryTables(['dailyMetrics', 'ports', 'vintages']);
  await putValues(TREND, tables.dailyMetrics, 'HKHKG', rows);
  const { trend } = readHandlers(tables, () => Date.parse(now));
  const points: { date: string }[] = JSON.parse(
    (await trend({ path: { UNLOCODE: 'HKHKG' }, query: { window: '7d' } })).body,
  );
  return points.map(({ date }) => date);
}

describe('a trend', () => {
  it('omits a day without a wait or a score', async () => {
    const rows = [{ day: MONDAY, coverage: 1, vessels: 9, avgWaitHours: 5 }, row(TUESDAY)];
    expect(await trendOf(rows, '2026-01-06T12:00:00Z')).toEqual([TUESDAY]);
  });

  it('has the running day, and omits a day on which observations broke off once it is over', async () => {
    const rows = [row(MONDAY), row(TUESDAY, { partial: true })];
    expect(await trendOf(rows, '2026-01-06T12:00:00Z')).toEqual([MONDAY, TUESDAY]);
    const midnight = Date.parse('2026-01-07T00:00:00Z');
    expect(await trendOf(rows, new Date(midnight).toISOString())).toEqual([MONDAY]);
    expect(await trendOf(rows, new Date(midnight + 4 * 24 * HOUR_MS).toISOString())).toEqual([MONDAY]);
  });
});
