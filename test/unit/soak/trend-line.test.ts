import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { trendLine } from '../../soak/trend-line.ts';

it('finds the slope of a line, and is sure of it', () => {
  fc.assert(
    fc.property(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 3, max: 40 }), (slope, count) => {
      const line = trendLine(Array.from({ length: count }, (_, x) => ({ x, y: 7 + slope * x })));
      expect(line.slope).toBeCloseTo(slope, 6);
      expect(line.error).toBeCloseTo(0, 6);
    }),
    { seed: 3 },
  );
});

it('is unsure of a slope in scattered samples (by hand: slope 0.1, error sqrt(2.7 / 2 / 5))', () => {
  const line = trendLine([0, 2, 0, 1].map((y, x) => ({ x, y })));
  expect(line.slope).toBeCloseTo(0.1, 9);
  expect(line.error).toBeCloseTo(Math.sqrt(2.7 / 2 / 5), 9);
});

it('refuses too few samples, or samples of one moment', () => {
  expect(() =>
    trendLine([
      { x: 0, y: 1 },
      { x: 1, y: 1 },
    ]),
  ).toThrow(/2 samples/);
  expect(() => trendLine([1, 2, 3].map((y) => ({ x: 5, y })))).toThrow(/no line/);
});
