/** The score and its terms: published figures, bounds, and monotonicity. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { congestionScore, delayedShare, queueTerm, waitTerm } from '../../../core/metrics/score.ts';

describe('terms', () => {
  it('delayedShare stays near the world median with few calls', () => {
    expect(delayedShare(0, 0)).toBeCloseTo(0.3, 12);
    expect(delayedShare(1, 1)).toBeCloseTo(2.5 / 6, 12);
    expect(delayedShare(450, 500)).toBeCloseTo(0.894, 3);
  });

  it('waitTerm is one half at 24 h', () => {
    expect(waitTerm(0)).toBe(0);
    expect(waitTerm(24)).toBe(0.5);
    expect(waitTerm(72)).toBe(0.75);
  });

  it('queueTerm is 0.72 for the Los Angeles queue of 16 November 2021', () => {
    expect(queueTerm(86, 86 + 31)).toBeCloseTo(0.72, 2);
    expect(queueTerm(0, 0)).toBe(0);
    expect(queueTerm(1, 1)).toBeCloseTo(1 / 3, 12);
  });
});

describe('score', () => {
  // Yearly figures of Bai et al.: delayed share and hours, a thousand calls each.
  it.each([
    ['Los Angeles 2019', 72, 2.76, 0.09],
    ['Los Angeles 2021', 662, 99.59, 0.73],
    ['Savannah 2021', 830, 71.91, 0.79],
    ['Singapore 2019', 168, 2.27, 0.13],
    ['Rotterdam 2021', 227, 7.01, 0.23],
  ])(
    'of the two published terms agrees with the published figures of %s',
    (_port, delayed, hours, expected) => {
      const score = congestionScore({ delayedShare: delayedShare(delayed, 1000), waitTerm: waitTerm(hours) });
      expect(Math.abs((score ?? Number.NaN) - expected)).toBeLessThanOrEqual(0.006);
    },
  );

  it('is absent with fewer than two terms', () => {
    expect(congestionScore({ queueTerm: 0.5 })).toBeUndefined();
    expect(congestionScore({ queueTerm: 0.5, waitTerm: 0.1 })).toBe(0.3);
  });

  it('lies between 0 and 1 and never falls with more delayed calls, longer waits or a longer queue', () => {
    const port = fc.record({
      calls: fc.nat(400),
      delayed: fc.nat(400),
      wait: fc.double({ min: 0, max: 2000, noNaN: true }),
      atAnchor: fc.nat(200),
      atBerth: fc.nat(200),
    });
    const scoreOf = (p: {
      calls: number;
      delayed: number;
      wait: number;
      atAnchor: number;
      atBerth: number;
    }) =>
      congestionScore({
        delayedShare: delayedShare(Math.min(p.delayed, p.calls), p.calls),
        waitTerm: waitTerm(p.wait),
        queueTerm: queueTerm(p.atAnchor, p.atAnchor + p.atBerth),
      }) ?? Number.NaN;
    fc.assert(
      fc.property(port, fc.nat(50), (before, more) => {
        const score = scoreOf(before);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        expect(scoreOf({ ...before, delayed: before.delayed + more })).toBeGreaterThanOrEqual(score);
        expect(scoreOf({ ...before, wait: before.wait + more })).toBeGreaterThanOrEqual(score);
        expect(scoreOf({ ...before, atAnchor: before.atAnchor + more })).toBeGreaterThanOrEqual(score);
      }),
    );
  });
});
