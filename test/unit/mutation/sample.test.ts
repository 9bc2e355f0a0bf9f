import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chooseSample, leastDetected } from '../../mutation/sample.ts';

describe('a sample', () => {
  const keys = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 60 });

  it('is the same for the same seed, whatever the order of the mutants', () => {
    fc.assert(
      fc.property(keys, fc.nat(60), fc.nat(), (all, size, seed) => {
        const sample = chooseSample(all, size, seed);
        expect(sample).toHaveLength(Math.min(size, all.length));
        expect(new Set(chooseSample(all.toReversed(), size, seed))).toEqual(new Set(sample));
      }),
    );
  });

  it('keeps its mutants when others are added, except for those whose places the new ones take', () => {
    fc.assert(
      fc.property(keys, fc.nat(60), fc.nat(), (all, size, seed) => {
        const before = chooseSample(all.slice(1), size, seed);
        const after = new Set(chooseSample(all, size, seed));
        expect(before.filter((key) => !after.has(key)).length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('is another one for another seed', () => {
    const all = Array.from({ length: 100 }, (_, index) => `mutant ${index}`);
    expect(chooseSample(all, 10, 1)).not.toEqual(chooseSample(all, 10, 2));
  });
});

describe('the fewest detected mutants', () => {
  // By hand: of three, each detected with probability 0.5, none with 0.125, at most one with 0.5, at most two with 0.875.
  it.each([
    [0.1, 0],
    [0.2, 1],
    [0.6, 2],
    [0.9, 3],
  ])('of three at 50 %%, with a chance of %d, are %d', (chance, least) => {
    expect(leastDetected(3, 0.5, chance)).toBe(least);
  });

  it('lets a sample of a sufficient whole fall short no more often than the chance says', () => {
    const draws = 2000;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
        const least = leastDetected(60, 0.9, 0.01);
        // A generator of its own, so that the draws follow the seed (Park and Miller, 1988).
        let state = (seed % 2147483646) + 1;
        const random = (): number => {
          state = (state * 48271) % 2147483647;
          return state / 2147483647;
        };
        let short = 0;
        for (let draw = 0; draw < draws; draw += 1) {
          let detected = 0;
          for (let mutant = 0; mutant < 60; mutant += 1) detected += random() < 0.9 ? 1 : 0;
          if (detected < least) short += 1;
        }
        // Five standard errors above the chance.
        expect(short / draws).toBeLessThan(0.01 + 5 * Math.sqrt((0.01 * 0.99) / draws));
      }),
      { numRuns: 5 },
    );
  });

  it('are none of none', () => expect(leastDetected(0, 0.9, 0.001)).toBe(0));
});
