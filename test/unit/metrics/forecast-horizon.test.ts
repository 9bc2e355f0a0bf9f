/** One horizon: what it expects before a port's own history says anything, when it falls back, and how wide its band is. */
import { describe, expect, it } from '@jest/globals';
import { bestMethod, chanceOpen, Horizon, type Origin } from '../../../core/metrics/forecast-model.ts';
import type { ForecastMetric } from '../../../core/reference/figure-names.ts';

const originWith = (distances: readonly number[]) => ({
  value: 0,
  median: 0,
  distances,
  expected: Array(7).fill(0),
});
const horizonOf = (
  metric: ForecastMetric,
  days: number,
  origins: readonly (Origin | undefined)[],
  values: Float64Array,
) => new Horizon(metric, days, origins, values, values);
const expected = (metric: ForecastMetric, days: number, distances: readonly number[]): number =>
  horizonOf(metric, days, [originWith(distances)], Float64Array.of(0)).p50.regression[0] ?? Number.NaN;

it('keeps no distance of a wait, 90 % a day of the own one of a score, and 60 % of a queue, at first', () => {
  for (const days of [1, 7]) {
    expect(expected('avg_wait_hours', days, [1, 1])).toBe(0);
    expect(expected('congestion_score', days, [1, 1, 1])).toBeCloseTo(0.9 ** days, 12);
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
    const band = horizonOf('avg_wait_hours', 1, origins, values).bands('regression').at(-1);
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

describe('a closure that is open at the origin', () => {
  const DAYS = 40;
  /** Scores of 0.1, give or take 0.01, and 0.6 on the last day, on which the port is closed. */
  const scores = Float64Array.from({ length: DAYS }, (_, at) =>
    at === DAYS - 1 ? 0.6 : 0.1 + ((at % 3) - 1) / 100,
  );
  const calm = scores.map((score) => Math.min(score, 0.11));
  const rowWith = (chance: number) => {
    const origins = Array.from(scores, (value, at) => ({
      value,
      median: 0.1,
      distances: [0, 0, 0],
      expected: Array(7).fill(0.1),
      ...(at === DAYS - 1 && { open: Array(7).fill(chance) }),
    }));
    const horizon = new Horizon('congestion_score', 1, origins, scores, calm);
    const p50 = horizon.p50.regression.at(-1) ?? Number.NaN;
    const { low = Number.NaN, high = Number.NaN } = horizon.bands('regression').at(-1) ?? {};
    return { p50, p10: p50 + low, p90: p50 + high };
  };

  it('keeps the value of the day where it likely lasts, and the open value where it is likely over', () => {
    expect([0.9, 0.7, 0.5, 0.3, 0.1].map((chance) => rowWith(chance).p50)).toEqual(
      [0.6, 0.6, 0.35, 0.1, 0.1].map((score) => expect.closeTo(score, 9)),
    );
  });

  it('has a band over both outcomes, as far as each has a chance of a tenth', () => {
    const [likely, open, over] = [0.95, 0.5, 0.05].map(rowWith);
    expect(likely?.p10).toBeCloseTo(0.6, 9);
    expect(open?.p10).toBeLessThan(0.1);
    expect(open?.p90).toBeCloseTo(0.6, 9);
    expect(over?.p90).toBeLessThan(0.3);
  });
});

describe('the chance that a closure is still open', () => {
  it('falls with its age and the days ahead, and follows the closures that have ended', () => {
    const chance = (age: number, days: number, lengths: readonly number[] = []) =>
      chanceOpen({ age, lengths }, days);
    expect(chance(24, 1)).toBeCloseTo((1 + 0.5 ** 4) / 2, 9);
    expect(chance(48, 1)).toBeLessThan(chance(24, 1));
    expect(chance(24, 2)).toBeLessThan(chance(24, 1));
    expect(chance(24, 1, [60, 60, 60])).toBeGreaterThan(chance(24, 1));
    expect(chance(24, 1, [30, 30, 30])).toBeLessThan(chance(24, 1));
    // Those that had ended at this age say nothing of it.
    expect(chance(24, 1, [12, 20])).toBe(chance(24, 1));
  });
});
