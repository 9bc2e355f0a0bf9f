/** The regression of one horizon: what it learns, what it leaves out, and what its prior weighs. */
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Prior, Regression } from '../../../core/metrics/forecast-model.ts';

type Outcome = readonly [distances: readonly number[], rest: number];
const after = (prior: Prior, outcomes: readonly Outcome[]): Regression => {
  const regression = new Regression(prior);
  for (const [distances, rest] of outcomes) regression.add(distances, rest);
  return regression;
};
const unit = (length: number, at: number) => Array.from({ length }, (_, i) => (i === at ? 1 : 0));
const coefficientsOf = (regression: Regression, length: number) =>
  Array.from({ length }, (_, at) => regression.expect(unit(length, at)));

it('solves all distances together, counting the prior as outcomes', () => {
  const regression = after({ coefficients: [0.5, 0], outcomes: 60 }, [
    [[2, 1], 3],
    [[1, 3], 2],
  ]);
  // Squares of 5 and 10, weighed 31 times; the product is 5, the moments 8 and 9, and 75 of the prior.
  const determinant = 155 * 310 - 5 * 5;
  expect(regression.expect([1, 0])).toBeCloseTo((83 * 310 - 5 * 9) / determinant, 12);
  expect(regression.expect([0, 1])).toBeCloseTo((155 * 9 - 5 * 83) / determinant, 12);
});

it('keeps the prior of a distance that has always been zero', () => {
  const regression = after({ coefficients: [0.5, 0.25], outcomes: 60 }, [[[2, 0], 3]]);
  expect(regression.expect([1, 0])).toBeCloseTo((6 + 60 * 4 * 0.5) / (4 * 61), 12);
  expect(regression.expect([0, 1])).toBe(0.25);
  expect(new Regression({ coefficients: [0.5], outcomes: 60 }).expect([2])).toBe(1);
});

const number = fc.integer({ min: -20, max: 20 });
const cases = fc.integer({ min: 1, max: 4 }).chain((length) =>
  fc.record({
    coefficients: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: length, maxLength: length }),
    distances: fc.array(fc.array(number, { minLength: length, maxLength: length }), {
      minLength: 10,
      maxLength: 20,
    }),
    rests: fc.array(number, { minLength: 20, maxLength: 20 }),
  }),
);

it('has no coefficient below zero, and none but finite ones', () => {
  fc.assert(
    fc.property(cases, ({ coefficients, distances, rests }) => {
      const outcomes = distances.map((row, at): Outcome => [row, rests[at] ?? 0]);
      for (const coefficient of coefficientsOf(
        after({ coefficients, outcomes: 5 }, outcomes),
        coefficients.length,
      )) {
        expect(coefficient).toBeGreaterThanOrEqual(0);
        expect(coefficient).toBeLessThan(1e6);
      }
    }),
  );
});

it('stays at a prior that every outcome confirms', () => {
  fc.assert(
    fc.property(cases, ({ coefficients, distances }) => {
      const outcomes = distances.map(
        (row): Outcome => [row, row.reduce((sum, distance, i) => sum + distance * (coefficients[i] ?? 0), 0)],
      );
      const found = coefficientsOf(after({ coefficients, outcomes: 5 }, outcomes), coefficients.length);
      for (const [i, coefficient] of found.entries())
        expect(coefficient).toBeCloseTo(coefficients[i] ?? 0, 6);
    }),
  );
});

it('expects the same whatever the unit of a distance', () => {
  fc.assert(
    fc.property(cases, ({ coefficients, distances, rests }) => {
      const prior = { coefficients: coefficients.map(() => 0), outcomes: 5 };
      const inUnit = (factor: number) => {
        const rows = distances.map((row): number[] =>
          row.map((distance, i) => (i === 0 ? factor : 1) * distance),
        );
        const regression = after(
          prior,
          rows.map((row, at): Outcome => [row, rests[at] ?? 0]),
        );
        return regression.expect(rows[0] ?? []);
      };
      expect(inUnit(1024)).toBeCloseTo(inUnit(1), 6);
    }),
  );
});
