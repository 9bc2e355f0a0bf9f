/** The studies of simulated ports. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { extent, longIt } from '../../test/builders/extent.ts';
import {
  BAR,
  QUEUE_BERTHS,
  quietAlerts,
  STUDIED_PORTS,
  studyClosure,
  studyQueue,
} from './disruption-study.ts';
import { kaohsiungDays, simulatedDays } from './forecast-series.ts';
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
