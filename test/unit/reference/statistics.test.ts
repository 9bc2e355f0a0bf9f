import { expect, it } from '@jest/globals';
import { median, quantile } from '../../../core/reference/statistics.ts';

it.each([
  [[1, 2, 3, 4], 0, 1],
  [[1, 2, 3, 4], 0.4, 2.2],
  [[1, 2, 3, 4], 1, 4],
  [[7], 0.95, 7],
])(
  'interpolates between the order statistics %j as NumPy does by default: at %d %d',
  (values, share, expected) => {
    expect(quantile(values, share)).toBeCloseTo(expected, 12);
  },
);

it.each([
  [[], undefined],
  [[3, 1], 2],
  [[10, 2, 7], 7],
])('has of %j the median %p', (values, expected) => {
  expect(median(values)).toBe(expected);
});
