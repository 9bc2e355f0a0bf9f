/** One horizon: what it expects before a port's own history says anything, when it falls back, and how wide its band is. */
import { describe, expect, it } from '@jest/globals';
import { bestMethod, Horizon } from '../../../core/metrics/forecast-horizon.ts';
import type { ForecastMetric } from '../../../core/reference/figure-names.ts';

const originWith = (distances: readonly number[]) => ({
  value: 0,
  median: 0,
  distances,
  expected: Array(7).fill(0),
});
const expected = (metric: ForecastMetric, days: number, distances: readonly number[]): number =>
  new Horizon(metric, days, [originWith(distances)], Float64Array.of(0)).p50.regression[0] ?? Number.NaN;

it('nothing of a distance of the wait or the score is left, 60 % a day of a queue, and 70 % of that is by its end of the day', () => {
  for (const days of [1, 7]) {
    expect(expected('avg_wait_hours', days, [1, 1])).toBe(0);
    expect(expected('congestion_score', days, [1, 1, 1, 1])).toBe(0);
    expect(expected('at_anchor', days, [1, 0])).toBeCloseTo(0.3 * 0.6 ** days, 12);
    expect(expected('at_anchor', days, [0, 1])).toBeCloseTo(0.7 * 0.6 ** days, 12);
  }
});

it('falls back to the better base line once its error is less than nine tenths', () => {
  expect(bestMethod({ regression: 10, median: 9, persistence: 9.1 })).toBe('regression');
  expect(bestMethod({ regression: 10, median: 8.9, persistence: 20 })).toBe('median');
  expect(bestMethod({ regression: 10, median: 8.9, persistence: 8 })).toBe('persistence');
  expect(bestMethod({ regression: 0, median: 0, persistence: 0 })).toBe('regression');
});

describe('the band', () => {
  /** Its width after outcomes around an expected 100. */
  const width = (residuals: readonly number[]): number | undefined => {
    const origin = { value: 100, median: 100, distances: [0, 0], expected: Array(7).fill(100) };
    const values = Float64Array.of(100, ...residuals.map((residual) => 100 + residual));
    const origins = Array.from(values, () => origin);
    const band = new Horizon('avg_wait_hours', 1, origins, values).bands('regression').at(-1);
    return band && band.high - band.low;
  };
  const season = (days: number, size: number) =>
    Array.from({ length: days }, (_, at) => size * (((at * 7) % 11) / 5 - 1));

  it('needs twenty outcomes', () => {
    expect(width(season(19, 1))).toBeUndefined();
    expect(width(season(20, 1))).toBeGreaterThan(0);
  });

  it('widens with a stormy season and narrows with a calm one', () => {
    const calm = width([...season(90, 9), ...season(60, 1)]) ?? 0;
    const stormy = width([...season(90, 1), ...season(60, 9)]) ?? 0;
    expect(stormy).toBeGreaterThan(2 * calm);
  });

  it('stays within some residuals after months without one', () => {
    expect(width([...season(200, 0), ...season(30, 5)])).toBeLessThan(50);
  });
});
