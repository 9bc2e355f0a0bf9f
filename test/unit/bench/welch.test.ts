import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { welchT } from '../../bench/welch.ts';

it('is the difference of the means by its standard error (by hand: -3 / sqrt(1 / 3 + 4 / 3))', () => {
  expect(welchT([1, 2, 3], [3, 5, 7])).toBeCloseTo(-3 / Math.sqrt(1 / 3 + 4 / 3), 12);
});

it('changes its sign with the order, and does not see what is added to all', () => {
  const values = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 4, maxLength: 50 });
  fc.assert(
    fc.property(values, values, fc.integer({ min: 0, max: 1_000_000 }), (one, other, shift) => {
      fc.pre(new Set(one).size > 1);
      const t = welchT(one, other);
      expect(welchT(other, one)).toBeCloseTo(-t, 9);
      const shifted = (all: number[]) => all.map((value) => value + shift);
      expect(welchT(shifted(one), shifted(other))).toBeCloseTo(t, 6);
    }),
    { seed: 11 },
  );
});
