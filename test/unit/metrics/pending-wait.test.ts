/** The wait of the score: closed waits, and the open ones that are already longer. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CallIndex } from '../../../core/metrics/call-index.ts';
import { type CountedWait, meanWithOpen, pendingWait } from '../../../core/metrics/waits.ts';
import { addDays, dayOf, startOfDay } from '../../../core/reference/time.ts';
import { atHour, BEGINNING, waitingCall } from '../../builders/calls.ts';

const waits = (minLength: number) => fc.array(fc.nat(300), { minLength, maxLength: 8 });

const whole = (closed: readonly number[]): CountedWait[] => closed.map((hours) => ({ hours, weight: 1 }));

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
    expect(meanWithOpen(whole([0, 0, 4, 8]), [1, 2])).toBe(3);
    expect(meanWithOpen(whole([0, 0, 4, 8]), [33, 5])).toBe(9);
    expect(meanWithOpen([], [33, 5])).toBe(0);
  });

  it('is the greatest mean of the closed waits and any of the open ones', () => {
    fc.assert(
      fc.property(waits(1), waits(0), (closed, open) => {
        expect(meanWithOpen(whole(closed), open)).toBeCloseTo(greatestMean(closed, open), 9);
      }),
    );
  });

  it('never falls when a vessel waits longer, or another one waits', () => {
    fc.assert(
      fc.property(waits(1), waits(1), fc.nat(50), (closed, open, more) => {
        const before = meanWithOpen(whole(closed), open);
        const [first = 0, ...others] = open;
        expect(meanWithOpen(whole(closed), [first + more, ...others])).toBeGreaterThanOrEqual(before);
        expect(meanWithOpen(whole(closed), [...open, more])).toBeGreaterThanOrEqual(before);
      }),
    );
  });
});

describe('the wait of the score', () => {
  const LONG_HOURS = 101;
  /** Four vessels a day that go straight in, and one that berths on the first day after a long wait. */
  const calls = [
    waitingCall(12 - LONG_HOURS, LONG_HOURS, 5),
    ...Array.from({ length: 100 }, (_, i) => waitingCall(1 + 6 * (i - 40), 0, 5)),
  ];
  const pendingOn = (day: number, average = 0): number => {
    const untilAt = startOfDay(addDays(dayOf(BEGINNING), day + 1));
    return pendingWait(new CallIndex(calls, atHour(1000)), addDays(dayOf(BEGINNING), day), untilAt, average);
  };

  it('forgets a long wait in three steps, before the average does', () => {
    expect([4, 5, 6, 7].map((day) => pendingOn(day))).toEqual([4, 2.7, 1.4, 0]);
  });

  it('is the served average with fewer than twenty berthings in 28 days', () => {
    expect(pendingOn(40, 12.3)).toBe(12.3);
  });
});
