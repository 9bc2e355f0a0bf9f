/** `GET /v1/ports/{UNLOCODE}/waits`. Ours, not part of the interface specification. */
import { describe, expect, it } from '@jest/globals';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { WaitDay } from '../../core/contracts/waits.ts';
import { addDays, type Day } from '../../core/reference/time.ts';
import { recomputed } from '../builders/recomputed-trend.ts';
import { get, PORT_WITH_HISTORY as PORT } from './service.ts';
import { expectError } from './statements.ts';

const path = (query = ''): string => `/v1/ports/${PORT}/waits${query}`;
const waitsOf = async (query = ''): Promise<WaitDay[]> => (await get(path(query))).json();
/** The newest day with data. */
async function lastDay(): Promise<Day> {
  const ports = (await get('/v1/ports')).json<PortRecord[]>();
  return ports.find(({ port }) => port === PORT)?.last_day ?? '';
}
const COLUMNS =
  'date,berthed,waited,delayed_share,mean_hours,median_hours,p90_hours,max_hours,waiting,coverage,waiting_hours,waits,excluded,unknown_type,recent_arrivals,recent_wait_hours';

describe('4. The waits of a port', () => {
  it('[S2.42] [S2.43] one row a UTC day, whose figures agree with its own waits', async () => {
    const days = await waitsOf();
    expect(days.length).toBeGreaterThan(5);
    expect(days.map(({ date }) => date)).toEqual([...new Set(days.map(({ date }) => date))].sort());
    for (const day of days) {
      expect(Object.keys(day).join()).toBe(COLUMNS);
      const { berthed, waited, waits, delayed_share, mean_hours, median_hours, p90_hours, max_hours } = day;
      expect(waits).toEqual([...waits].sort((a, b) => a - b));
      expect([waits.length, waits.every((wait) => wait > 0)]).toEqual([waited, true]);
      expect(waited).toBeLessThanOrEqual(berthed);
      if (berthed === 0) {
        expect([delayed_share, mean_hours, median_hours, p90_hours, max_hours]).toEqual(Array(5).fill(null));
        continue;
      }
      expect(delayed_share).toBeCloseTo(waits.filter((wait) => wait >= 3).length / berthed, 4);
      expect(mean_hours).toBeCloseTo(waits.reduce((sum, wait) => sum + wait, 0) / berthed, 1);
      expect(max_hours).toBeCloseTo(waits.at(-1) ?? 0, 1);
      expect(median_hours).toBeLessThanOrEqual(p90_hours ?? Number.NaN);
      expect(p90_hours).toBeLessThanOrEqual(max_hours ?? Number.NaN);
    }
  });

  it('[S2.44] the CSV has the columns of the JSON', async () => {
    const { text } = await get(path('?format=csv'));
    expect(text.split('\n')[0]).toBe(COLUMNS);
  });

  it('[S2.50] the average of each day of the trend follows from the waits', async () => {
    const until = await lastDay();
    const { text: trend } = await get(`/v1/ports/${PORT}/trend?window=30d&until=${until}&format=csv`);
    const { text: waits } = await get(path(`?from=${addDays(until, -90)}&to=${until}&format=csv`));
    expect(recomputed(waits, trend)).toHaveLength(trend.trimEnd().split('\n').length - 1);
  });

  it('[S4.62] [S4.63] "from" and "to" are included; without them it is the last 30 days', async () => {
    const to = await lastDay();
    const days = await waitsOf();
    expect(days.at(-1)?.date).toBe(to);
    expect(days.length).toBeLessThanOrEqual(30);
    const some = await waitsOf(`?from=${addDays(to, -4)}&to=${addDays(to, -2)}`);
    expect(some).toEqual(days.filter(({ date }) => date >= addDays(to, -4) && date <= addDays(to, -2)));
    expect(some.length).toBeGreaterThan(0);
    expect(await waitsOf(`?to=${addDays(to, -2)}`)).toEqual(
      await waitsOf(`?from=${addDays(to, -31)}&to=${addDays(to, -2)}`),
    );
    expect((await waitsOf(`?from=${addDays(to, -366)}&to=${to}`)).length).toBeGreaterThanOrEqual(days.length);
    expect(await waitsOf('?from=2010-01-01&to=2010-12-31')).toEqual([]);
  });

  it('[S4.64] days that are malformed, in the future, out of order or too far apart are 422', async () => {
    const to = await lastDay();
    const bad = [
      'from=2026-02-30',
      'to=yesterday',
      'from=',
      'to=2999-01-01',
      'from=2999-01-01',
      `from=${to}&to=${addDays(to, -1)}`,
      `from=${addDays(to, -367)}&to=${to}`,
      `from=${to}&from=${to}`,
    ];
    for (const query of bad) expectError(await get(path(`?${query}`)), 422, 'validation_failed');
    const { hint } = expectError(await get(path('?from=2020-01-01&to=2022-01-01')), 422, 'validation_failed');
    expect(hint).toContain('to=2021-01-01');
  });

  it('[S4.65] "class" selects the calls of one class, and any other is 422 with the classes named', async () => {
    for (const name of ['container', 'bulk', 'tanker', 'other'])
      for (const day of await waitsOf(`?class=${name}`)) expect(Object.keys(day).join()).toBe(COLUMNS);
    const { hint } = expectError(await get(path('?class=cargo')), 422, 'validation_failed');
    expect(hint).toContain('container, bulk, tanker, other');
  });
});
