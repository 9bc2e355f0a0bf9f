import { describe, expect, it } from '@jest/globals';
import { atAnchorCount } from '../../../accuracy/ground-truth/true-figures.ts';
import { DAY_MS } from '../../../core/reference/time.ts';
import {
  berthsAtWork,
  nextCapacityChange,
  type Scenario,
} from '../../../core/sources/sample-simulator/scenario.ts';
import { simulatePort } from '../../../core/sources/sample-simulator/simulate-port.ts';
import { BEGAN_AT, SEED } from './sample.ts';

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

describe('the queue of Los Angeles', () => {
  it('builds up and clears within the first 45 days', () => {
    const truth = simulatePort('USLAX', BEGAN_AT, day(46), SEED);
    const atNoon = Array.from({ length: 45 }, (_, i) => atAnchorCount(truth, day(i + 0.5)));
    expect(Math.max(...atNoon.slice(0, 17))).toBeLessThanOrEqual(5);
    expect(Math.min(...atNoon.slice(21, 35))).toBeGreaterThanOrEqual(8);
    expect(Math.max(...atNoon.slice(38))).toBeLessThanOrEqual(5);
  });
});
