import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { atAnchorCount, truePortCall } from '../../../accuracy/ground-truth/true-figures.ts';
import { evaluateAlerts } from '../../../core/metrics/alerts.ts';
import { dailySeries } from '../../../core/metrics/daily.ts';
import type { Alert } from '../../../core/metrics/figures.ts';
import { addDays, DAY_MS, dayOf, daysBetween, HOUR_MS, startOfDay } from '../../../core/reference/time.ts';
import { nextArrival, rhythm } from '../../../core/sources/sample-simulator/arrivals.ts';
import { randomStream } from '../../../core/sources/sample-simulator/random.ts';
import {
  berthsAtWork,
  nextCapacityChange,
  type Scenario,
} from '../../../core/sources/sample-simulator/scenario.ts';
import { simulatePort } from '../../../core/sources/sample-simulator/simulate-port.ts';
import { BEGAN_AT, FIRST_DAY, SEED } from './sample.ts';

const CYCLE: Scenario = {
  capacity: [
    { fromDay: 2, berths: 3 },
    { fromDay: 5, berths: 9 },
  ],
  cycleDays: 7,
};
const ONCE: Scenario = {
  capacity: [
    { fromDay: 2, berths: 3 },
    { fromDay: 5, berths: 9 },
  ],
};
const day = (count: number): number => BEGAN_AT + count * DAY_MS;

describe('berths at work', () => {
  it.each([
    [-9, 6, 6],
    [0, 6, 6],
    [2, 3, 3],
    [4.9, 3, 3],
    [5, 9, 9],
    [7, 6, 9],
    [9.5, 3, 9],
  ])('on day %d are %d of a cycle, %d when it happens once', (count, cyclic, once) => {
    expect(berthsAtWork(CYCLE, 6, BEGAN_AT, day(count))).toBe(cyclic);
    expect(berthsAtWork(ONCE, 6, BEGAN_AT, day(count))).toBe(once);
  });

  it('change at the next step, and at the cycle’s end', () => {
    const steps = [day(-3)];
    for (let i = 0; i < 7; i += 1) steps.push(nextCapacityChange(CYCLE, BEGAN_AT, steps.at(-1) ?? 0) ?? 0);
    expect(steps.slice(1).map((at) => (at - BEGAN_AT) / DAY_MS)).toEqual([2, 5, 7, 9, 12, 14, 16]);
    expect(nextCapacityChange(ONCE, BEGAN_AT, day(5))).toBeUndefined();
    expect(nextCapacityChange({}, BEGAN_AT, day(5))).toBeUndefined();
  });
});

describe('the rhythm of arrivals', () => {
  it('has mean one over any week', () => {
    fc.assert(
      fc.property(fc.integer({ min: -12, max: 14 }), fc.integer({ min: 0, max: 3000 }), (offset, start) => {
        const hours = Array.from({ length: 168 }, (_, i) => rhythm(BEGAN_AT + (start + i) * HOUR_MS, offset));
        expect(hours.reduce((sum, factor) => sum + factor, 0) / 168).toBeCloseTo(1, 2);
      }),
      { numRuns: 50, seed: 1 },
    );
  });

  it('moves forward by at least a second', () => {
    const random = randomStream('arrivals');
    let at = BEGAN_AT;
    for (let i = 0; i < 2000; i += 1) {
      const next = nextArrival(random, at, 5000, 0);
      expect(next - at).toBeGreaterThanOrEqual(1000);
      at = next;
    }
  });
});

/** Alerts of the last 30 days of a folder that was first started 45 days after `firstDay`. */
function alertsOf(firstDay: string, seed: number): Alert[] {
  const beganAt = startOfDay(firstDay);
  const asOfAt = beganAt + 45 * DAY_MS + 2 * HOUR_MS;
  const calls = simulatePort('USLAX', beganAt, asOfAt, seed).map(truePortCall);
  const days = daysBetween(firstDay, dayOf(asOfAt));
  const series = dailySeries({ calls, days, asOfAt, coverage: [{ fromAt: beganAt, toAt: asOfAt }] });
  return evaluateAlerts(series, { asOfAt, fromDay: addDays(dayOf(asOfAt), -29) });
}

describe('the queue of Los Angeles', () => {
  it('builds up and clears within the first 45 days', () => {
    const truth = simulatePort('USLAX', BEGAN_AT, day(46), SEED);
    const atNoon = Array.from({ length: 45 }, (_, i) => atAnchorCount(truth, day(i + 0.5)));
    expect(Math.max(...atNoon.slice(0, 17))).toBeLessThanOrEqual(5);
    expect(Math.min(...atNoon.slice(21, 35))).toBeGreaterThanOrEqual(8);
    expect(Math.max(...atNoon.slice(38))).toBeLessThanOrEqual(5);
  });

  const starts = Array.from({ length: 24 }, (_, i) => addDays(FIRST_DAY, i * 15 + (i % 7)));
  const raised = starts.map((firstDay) => alertsOf(firstDay, 20_260_101));
  const startsWith = (wanted: (alert: Alert) => boolean): number =>
    raised.filter((alerts) => alerts.some(wanted)).length;

  it('raises a threshold alert and reports the rise, on whatever day the service is first started', () => {
    expect(startsWith((alert) => alert.type === 'threshold')).toBe(starts.length);
    expect(startsWith((alert) => alert.type === 'change_point' && alert.changeFraction > 0)).toBe(
      starts.length,
    );
  });

  it('reports the fall, except on a rare start whose arrivals hide it', () => {
    const falls = startsWith((alert) => alert.type === 'change_point' && alert.changeFraction < 0);
    expect(falls).toBeGreaterThanOrEqual(starts.length - 2);
  });

  it('comes again every 91 days', () => {
    const truth = simulatePort('USLAX', BEGAN_AT, day(215), SEED);
    for (const cycle of [1, 2]) {
      expect(atAnchorCount(truth, day(cycle * 91 + 26))).toBeGreaterThanOrEqual(8);
      expect(atAnchorCount(truth, day(cycle * 91 + 13))).toBeLessThanOrEqual(5);
    }
  });
});
