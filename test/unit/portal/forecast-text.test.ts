/** The sentence of a forecast. */
import { expect, it } from '@jest/globals';
import type { Forecast } from '../../../core/contracts/forecast.ts';
import { forecastText } from '../../../portal/chart/forecast-text.ts';

const rowOf = (day: number, p10: number, p90: number) =>
  ({ date: `2026-11-${day}`, p10, p50: p10, p90, method: 'median' }) as const;
const ratios = { ratio_to_persistence: 1, ratio_to_median: 1 };
const horizons = [1, 2, 3, 4].map((horizon) => ({
  ...ratios,
  horizon,
  error: 1,
  coverage: 0.75 + horizon / 100,
}));
const skill = { basis: 'issued', origins: 120, from: '2026-07-15', to: '2026-11-12', horizons } as const;
const forecast = (changed: Partial<Forecast> = {}): Forecast => ({
  port: 'HKHKG',
  metric: 'avg_wait_hours',
  as_of: '2026-11-22T12:00:00Z',
  history_days: 214,
  skill,
  reason: null,
  replayed: false,
  // 2026-11-26 is a Thursday.
  rows: [rowOf(23, 10, 12), rowOf(24, 10, 14), rowOf(25, 15, 25), rowOf(26, 19.6, 31.2), rowOf(27, 1, 99)],
  ...changed,
});

it('a forecast says the band of the day after three, and how often such bands held', () => {
  expect(forecastText(forecast())).toBe(
    'Waits of 20 to 31 h are likely on Thursday 26 November; such bands held 79 of 100 times.',
  );
  expect(forecastText(forecast({ skill: { ...skill, basis: 'rolling' } }))).toContain(
    '; such bands, tried on past days, held 79 of 100 times.',
  );
  expect(forecastText(forecast({ rows: [rowOf(23, 0, 7.46)] }))).toBe(
    'Waits of 0 to 7.5 h are likely on Monday 23 November; such bands held 76 of 100 times.',
  );
  expect(forecastText(forecast({ rows: [rowOf(23, 0, 0)], skill: null }))).toBe(
    'Waits of about 0 h are likely on Monday 23 November.',
  );
});

it('without rows it says why', () => {
  const none = { rows: [], skill: null };
  expect(forecastText(forecast({ ...none, reason: 'short_history', history_days: 47 }))).toBe(
    'No forecast yet: it needs 90 days with a value, and this port has 47.',
  );
  expect(forecastText(forecast({ ...none, reason: 'stale' }))).toBe(
    'No forecast: the newest observation is older than a day.',
  );
});
