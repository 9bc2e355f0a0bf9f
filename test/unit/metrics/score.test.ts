/** The score and its terms: published figures, bounds, and monotonicity. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  congestionScore,
  delayedShare,
  flowTerm,
  queueScore,
  queueTerm,
  waitTerm,
} from '../../../core/metrics/score.ts';

const flowOf = (berthings: number, usual: number, waiting: number, isBroken = false): number =>
  flowTerm(berthings, usual, { waiting, isBroken });

describe('terms', () => {
  it('queueTerm is 0.72 for the Los Angeles queue of 16 November 2021', () => {
    expect(queueTerm(86, 86 + 31)).toBeCloseTo(0.72, 2);
    expect(queueTerm(0, 0)).toBe(0);
    expect(queueTerm(1, 1)).toBeCloseTo(1 / 3, 12);
  });

  it('flowTerm grows from half of the usual berthings down to none, with the vessels that wait', () => {
    expect(flowOf(15, 30, 20)).toBe(0);
    expect(flowOf(6, 30, 10)).toBeCloseTo((0.6 * 10) / 12, 12);
    expect(flowOf(0, 30, 2)).toBe(0.5);
    expect(flowOf(0, 30, 0)).toBe(0);
    expect(flowOf(0, 4.5, 20)).toBe(0);
    expect(flowOf(0, 5, 2)).toBe(0.5);
  });

  it('flowTerm needs no vessel that waits where the flow is surely broken', () => {
    expect(flowOf(0, 30, 0, true)).toBe(1);
    expect(flowOf(6, 30, 0, true)).toBeCloseTo(0.6, 12);
    expect(flowOf(0, 4.5, 9, true)).toBe(0);
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

  it('is at least what the missing berthings state where the flow is surely broken', () => {
    const calm = { delayedShare: 0.05, waitTerm: 0.05, queueTerm: 0 };
    expect(congestionScore({ ...calm, stoppedShare: 1 })).toBe(0.6);
    expect(congestionScore({ ...calm, stoppedShare: 0.25 })).toBe(0.15);
    expect(congestionScore({ ...calm, stoppedShare: 0 })).toBe(0.033);
    expect(queueScore({ ...calm, stoppedShare: 1 })).toBe(0.033);
    const queued = { delayedShare: 0.9, waitTerm: 0.8, queueTerm: 0.7 };
    expect(congestionScore({ ...queued, stoppedShare: 1 })).toBe(queueScore(queued));
    expect(congestionScore({ queueTerm: 0.5, stoppedShare: 1 })).toBeUndefined();
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
      stopped: fc.double({ min: 0, max: 1, noNaN: true }),
      isBroken: fc.boolean(),
    });
    const scoreOf = (p: typeof port extends fc.Arbitrary<infer Port> ? Port : never) =>
      congestionScore({
        delayedShare: delayedShare(Math.min(p.delayed, p.calls), p.calls),
        waitTerm: waitTerm(p.wait),
        queueTerm: queueTerm(p.atAnchor, p.atAnchor + p.atBerth),
        flowTerm: flowOf(p.berthings, p.usual, p.atAnchor, p.isBroken),
        ...(p.isBroken && { stoppedShare: p.stopped }),
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
        const stopped = Math.min(1, before.stopped + more / 100);
        expect(scoreOf({ ...before, stopped, isBroken: true })).toBeGreaterThanOrEqual(score);
      }),
    );
  });
});
