/** The studies of simulated ports, and of the forecast on the recorded days. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import type { ForecastMetric } from '../../core/reference/figure-names.ts';
import { mean } from '../../core/reference/statistics.ts';
import { extent, longIt } from '../../test/builders/extent.ts';
import {
  BAR,
  QUEUE_BERTHS,
  quietAlerts,
  STUDIED_PORTS,
  studyClosure,
  studyQueue,
} from './disruption-study.ts';
import { recordedDays, simulatedDays } from './forecast-series.ts';
import { errorRatio, pinballLoss, studyForecasts } from './forecast-study.ts';

/** Ports with eight calls a day and more. */
const PORTS = STUDIED_PORTS.filter(({ port }) => port !== 'FIHEL');
const studied = extent(PORTS.slice(4, 5), PORTS);

describe('a simulated port', () => {
  it('has an alert within a day of a closure, and a score that rises and returns', () => {
    for (const [i, port] of studied.entries()) {
      const { hoursToAlert, rise, returned } = studyClosure(port, 1, [24, 48, 72][i % 3] ?? 24);
      expect(hoursToAlert).toBeLessThanOrEqual(BAR.hours);
      expect(rise).toBeGreaterThanOrEqual(BAR.rise);
      expect(returned).toBe(true);
    }
  });

  it('of five calls a day has an alert within a day of a closure', () => {
    const { hoursToAlert, metrics } = studyClosure({ port: 'FIHEL' }, 3, 24);
    expect(hoursToAlert).toBeLessThanOrEqual(BAR.hours);
    expect(metrics).toEqual(['berthings']);
  });

  it('has an alert within a day of a queue', () => {
    for (const port of studied)
      for (const share of extent(QUEUE_BERTHS.slice(0, 1), QUEUE_BERTHS))
        expect(studyQueue(port, 1, share)?.hoursToAlert).toBeLessThanOrEqual(BAR.hours);
  });

  it('has at most one alert a quarter where nothing changes', () => {
    const quiet = studied.map((port) => quietAlerts(port, 2, extent(300, 500)));
    const alerts = quiet.reduce((sum, of) => sum + of.alerts.length, 0);
    expect(alerts / quiet.reduce((sum, of) => sum + of.portQuarters, 0)).toBeLessThanOrEqual(1);
  });
});

longIt('is nearer than both base lines to the wait of a port whose queue builds up and clears', () => {
  const rows = simulatedDays({ port: 'USLAX' }, 2, 240);
  const { horizons, origins } = studyForecasts('avg_wait_hours', rows, { fromDay: '2024-04-01' });
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

it('beats the base lines at Kaohsiung on wait and score, and on the queue for two days', async () => {
  const rows = await recordedDays(fileURLToPath(new URL('../../recordings/release', import.meta.url)));
  const ratios = (metric: ForecastMetric, fromDay = '2025-04-15', toDay = '2025-10-01') =>
    studyForecasts(metric, rows, { fromDay, toDay }).horizons.map(errorRatio);
  expect(mean(ratios('avg_wait_hours'))).toBeLessThan(0.57);
  expect(mean(ratios('congestion_score'))).toBeLessThan(0.88);
  for (const metric of ['avg_wait_hours', 'congestion_score'] as const)
    for (const ratio of ratios(metric)) expect(ratio).toBeLessThan(1);
  for (const ratio of ratios('at_anchor').slice(0, 2)) expect(ratio).toBeLessThan(0.95);
  // The next day loses to the newest value over no two months.
  for (const month of extent([6], [4, 5, 6, 7, 8])) {
    const [from, to] = [month, month + 2].map((number) => `2025-${String(number).padStart(2, '0')}-01`);
    expect(ratios('congestion_score', from, to)[0]).toBeLessThan(1);
  }
});
