/** The wait of the score: closed waits, and the open ones that are already longer. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { meanWithOpen } from '../../../core/metrics/pending-wait.ts';

const waits = (minLength: number) => fc.array(fc.nat(300), { minLength, maxLength: 8 });

/** Greatest mean of all closed waits and any of the open ones, tried one subset after another. */
function greatestMean(closed: readonly number[], open: readonly number[]): number {
  const sums = Array.from({ length: 2 ** open.length }, (_, subset) => {
    const joined = [...closed, ...open.filter((_hours, i) => (subset >> i) % 2 === 1)];
    return joined.reduce((sum, hours) => sum + hours, 0) / joined.length;
  });
  return Math.max(...sums);
}

describe('the mean with open waits', () => {
  it('takes in those that are longer than the mean they join', () => {
    expect(meanWithOpen([0, 0, 4, 8], [1, 2])).toBe(3);
    expect(meanWithOpen([0, 0, 4, 8], [33, 5])).toBe(9);
    expect(meanWithOpen([], [33, 5])).toBe(0);
  });

  it('is the greatest mean of the closed waits and any of the open ones', () => {
    fc.assert(
      fc.property(waits(1), waits(0), (closed, open) => {
        expect(meanWithOpen(closed, open)).toBeCloseTo(greatestMean(closed, open), 9);
      }),
    );
  });

  it('never falls when a vessel waits longer, or another one waits', () => {
    fc.assert(
      fc.property(waits(1), waits(1), fc.nat(50), (closed, open, more) => {
        const before = meanWithOpen(closed, open);
        const [first = 0, ...others] = open;
        expect(meanWithOpen(closed, [first + more, ...others])).toBeGreaterThanOrEqual(before);
        expect(meanWithOpen(closed, [...open, more])).toBeGreaterThanOrEqual(before);
      }),
    );
  });
});
