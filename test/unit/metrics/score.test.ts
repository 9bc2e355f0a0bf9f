/** The score and its terms: published figures, bounds, and monotonicity. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { congestionScore, delayedShare, flowTerm, queueTerm, waitTerm } from '../../../core/metrics/score.ts';

describe('terms', () => {
  it('queueTerm is 0.72 for the Los Angeles queue of 16 November 2021', () => {
    expect(queueTerm(86, 86 + 31)).toBeCloseTo(0.72, 2);
    expect(queueTerm(0, 0)).toBe(0);
    expect(queueTerm(1, 1)).toBeCloseTo(1 / 3, 12);
  });

  it('flowTerm grows from half of the usual berthings down to none, with the vessels that wait', () => {
    expect(flowTerm(15, 30, 20)).toBe(0);
    expect(flowTerm(6, 30, 10)).toBeCloseTo((0.6 * 10) / 12, 12);
    expect(flowTerm(0, 30, 2)).toBe(0.5);
    expect(flowTerm(0, 30, 0)).toBe(0);
    expect(flowTerm(0, 4.5, 20)).toBe(0);
    expect(flowTerm(0, 5, 2)).toBe(0.5);
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
    expect(congestionScore({ queueTerm: 0.5, flowTerm: 0.9 })).toBeUndefined();
    expect(congestionScore({ queueTerm: 0.5, waitTerm: 0.1 })).toBe(0.3);
    expect(congestionScore({ queueTerm: 0.5, waitTerm: 0.1, flowTerm: 0.6 })).toBe(0.5);
  });

  it('rises by .15 and more when ten wait and less than a fifth of the usual berthings are made', () => {
    const calm = { delayedShare: 0.2, waitTerm: 0.15, queueTerm: 0.1 };
    const closed = congestionScore({ ...calm, flowTerm: flowTerm(6.5, 33, 10) }) ?? 0;
    expect(closed - (congestionScore(calm) ?? 1)).toBeGreaterThanOrEqual(0.15);
  });

  it('lies between 0 and 1 and never falls with more delayed calls, longer waits, a longer queue or fewer berthings', () => {
    const port = fc.record({
      calls: fc.nat(400),
      delayed: fc.nat(400),
      wait: fc.double({ min: 0, max: 2000, noNaN: true }),
      atAnchor: fc.nat(200),
      atBerth: fc.nat(200),
      berthings: fc.nat(60),
      usual: fc.nat(60),
    });
    const scoreOf = (p: typeof port extends fc.Arbitrary<infer Port> ? Port : never) =>
      congestionScore({
        delayedShare: delayedShare(Math.min(p.delayed, p.calls), p.calls),
        waitTerm: waitTerm(p.wait),
        queueTerm: queueTerm(p.atAnchor, p.atAnchor + p.atBerth),
        flowTerm: flowTerm(p.berthings, p.usual, p.atAnchor),
      }) ?? Number.NaN;
    fc.assert(
      fc.property(port, fc.nat(50), (before, more) => {
        const score = scoreOf(before);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        expect(scoreOf({ ...before, delayed: before.delayed + more })).toBeGreaterThanOrEqual(score);
        expect(scoreOf({ ...before, wait: before.wait + more })).toBeGreaterThanOrEqual(score);
        expect(scoreOf({ ...before, atAnchor: before.atAnchor + more })).toBeGreaterThanOrEqual(score);
        expect(scoreOf({ ...before, berthings: before.berthings + more })).toBeLessThanOrEqual(score);
      }),
    );
  });
});
