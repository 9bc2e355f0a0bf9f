/** The forecast beside both base lines: a simulated port, and Kaohsiung's held-back months (REAL_REPLIES names their folder). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { kaohsiungDays, simulatedDays } from '../../../accuracy/forecast-series.ts';
import { errorRatio, pinballLoss, studyForecasts } from '../../../accuracy/forecast-study.ts';
import { longIt } from '../../builders/extent.ts';

const folder = join(process.env.REAL_REPLIES ?? '', 'taiwan');
const isThere = process.env.REAL_REPLIES !== undefined && existsSync(join(folder, 'months'));

it('is nearer than both base lines to the wait of a port whose queue builds up and clears', () => {
  const rows = simulatedDays({ port: 'USLAX' }, 2, 240);
  const { horizons, origins } = studyForecasts('avg_wait_hours', rows, '2024-04-01');
  expect(origins.length).toBeGreaterThan(100);
  for (const score of horizons.slice(0, 3)) {
    expect(errorRatio(score)).toBeLessThan(0.8);
    expect(score.pinballRatio).toBeLessThan(0.8);
    expect(Math.abs(score.coverage - 0.8)).toBeLessThan(0.12);
  }
});

it('has a pinball loss by Koenker and Bassett', () => {
  const candidates = { regression: 2, median: 2, persistence: 2 };
  const forecast = { day: '2026-01-01', p10: 1, p50: 2, p90: 3, method: 'median' as const, candidates };
  expect(pinballLoss([{ forecast, value: 4 }])).toBeCloseTo((0.1 * 3 + 0.5 * 2 + 0.9) / 3, 12);
  expect(pinballLoss([{ forecast, value: 0 }])).toBeCloseTo((0.9 + 0.5 * 2 + 0.1 * 3) / 3, 12);
});

(isThere ? longIt : it.skip)('beats them at Kaohsiung on the wait, and on the queue for two days', () => {
  const rows = kaohsiungDays(folder);
  const ratios = (metric: 'avg_wait_hours' | 'at_anchor') =>
    studyForecasts(metric, rows, '2025-04-30').horizons.map(errorRatio);
  for (const ratio of ratios('avg_wait_hours')) expect(ratio).toBeLessThan(0.9);
  for (const ratio of ratios('at_anchor').slice(0, 2)) expect(ratio).toBeLessThan(0.95);
});
