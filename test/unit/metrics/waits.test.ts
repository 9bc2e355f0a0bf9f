/** Waits before the berth: which calls count, their plain mean, and what a port with few berthings shows. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  averageWait,
  type Berthing,
  berthingsForAverage,
  CallIndex,
  type CountedWait,
  dailyMean,
  delayedShareOf,
  meanWithOpen,
  openWaits,
  scoreWait,
  weekDelayedShare,
} from '../../../core/metrics/waits.ts';
import { addDays, dayOf, startOfDay } from '../../../core/reference/time.ts';
import { atHour, BEGINNING, callOf, leg, waitingCall } from '../../builders/calls.ts';

const DAY = dayOf(BEGINNING);
/** An index as of the 60th day. */
const indexOf = (calls: Parameters<typeof callOf>[0][]) =>
  new CallIndex(
    calls.map((legs) => callOf(legs)),
    atHour(60 * 24),
  );
const straightIn = (ataHour: number) => [leg('berth', ataHour, ataHour + 5)];
const waited = (ataHour: number, waitHours: number) => [
  leg('anchorage', ataHour, ataHour + waitHours),
  leg('berth', ataHour + waitHours, ataHour + waitHours + 5),
];
const berthingsOf = (waits: readonly number[]): Berthing[] =>
  waits.map((waitHours) => ({ berthedAt: BEGINNING, waitHours }));

describe('the mean wait', () => {
  it('is the plain mean, zeros included, however long the longest waits are', () => {
    expect(dailyMean(berthingsOf([0, 0, 0, 300]))).toBe(75);
    const mostlyStraightIn = [...Array.from({ length: 96 }, () => 0), 30, 30, 30, 30];
    expect(dailyMean(berthingsOf(mostlyStraightIn))).toBe(1.2);
    expect(dailyMean([])).toBeUndefined();
    expect(dailyMean(berthingsOf([0, 0, 0.25]))).toBe(0.1);
  });
});

describe('the average of a day', () => {
  const LATER = addDays(DAY, 30);
  const endOf = (day: string) => startOfDay(addDays(day, 1));
  const berthings = (index: CallIndex, day = LATER) => berthingsForAverage(index, day, endOf(day));

  it('looks back 7 days, then 14, then 28, until it has three berthings', () => {
    const dayHour = 24 * 30;
    const [week, fortnight, month] = [dayHour - 24 * 6, dayHour - 24 * 13, dayHour - 24 * 27];
    const three = (hour: number) => [straightIn(hour), straightIn(hour), straightIn(hour)];
    expect(berthings(indexOf([...three(week), straightIn(fortnight)]))).toHaveLength(3);
    expect(berthings(indexOf([straightIn(week), straightIn(week - 1), straightIn(fortnight)]))).toHaveLength(
      3,
    );
    expect(berthings(indexOf([straightIn(week), straightIn(fortnight), straightIn(month)]))).toHaveLength(3);
    expect(berthings(indexOf([straightIn(month), straightIn(month - 1)]))).toHaveLength(1);
  });

  it('still counts a vessel that berths on the last instant before it would be laid up', () => {
    const sixtyDays = 60 * 24;
    const shifted = (ataHour: number) => callOf([leg('moving', ataHour, 0), leg('berth', 0, 5)]);
    const calls = [shifted(-sixtyDays), shifted(-sixtyDays - 1)];
    expect(new CallIndex(calls, atHour(10)).berthingsIn(atHour(0), atHour(1))).toHaveLength(1);
  });

  it('counts a wait of three hours as delayed', () => {
    const index = indexOf([waited(0, 3), waited(0, 2.99), straightIn(1)]);
    expect(weekDelayedShare(index, DAY, startOfDay(addDays(DAY, 1)))).toBeCloseTo((1 + 1.5) / (3 + 5), 12);
    expect(delayedShareOf(berthingsOf([3, 2.99, 0]))).toBeCloseTo((1 + 1.5) / (3 + 5), 12);
  });
});

describe('open waits', () => {
  const openHours = (...args: Parameters<typeof openWaits>): number[] =>
    openWaits(...args).map(({ waitHours }) => waitHours);
  const openAt = (hour: number, ...calls: ReturnType<typeof callOf>[]) =>
    openHours(new CallIndex(calls, atHour(hour)), DAY, atHour(hour) + 1);

  it('are those of cargo vessels that have anchored and neither berthed nor departed', () => {
    expect(openAt(10, callOf([leg('anchorage', 4)]))).toEqual([6]);
    expect(openAt(10, callOf([leg('anchorage', 10)]))).toEqual([0]);
    expect(openAt(10, callOf([leg('moving', 4)]))).toEqual([]);
    expect(openAt(10, callOf([leg('anchorage', 4)], { traffic: 'ferry' }))).toEqual([]);
    expect(openAt(10, callOf([leg('berth', 1, 4), leg('anchorage', 4)]))).toEqual([]);
    expect(openAt(10, callOf([leg('anchorage', 4, 9)]))).toEqual([]);
    expect(openAt(10, callOf([leg('anchorage', 4, 9), leg('moving', 9)], { atdAt: atHour(9) }))).toEqual([]);
    expect(openAt(10, callOf([leg('anchorage', -61 * 24)]))).toEqual([]);
    expect(openAt(10, callOf([leg('anchorage', 4, 10)], { atdAt: atHour(10) }))).toEqual([]);
    expect(openAt(10, callOf([leg('anchorage', 4), leg('berth', 10)]))).toEqual([]);
    expect(openAt(10, callOf([leg('anchorage', 4, 11), leg('berth', 11)]))).toEqual([6]);
  });

  it('begin with the arrival that the source states, also for a vessel at anchor before the first report', () => {
    expect(openAt(10, callOf([leg('anchorage', -90)]))).toEqual([100]);
    expect(openAt(10, callOf([leg('anchorage', -90)], { waitKnown: false }))).toEqual([]);
  });
});

describe('the running average with few berthings', () => {
  /** `waits` berthed within the day, and vessels at anchor whose waits have lasted `ages` at hour 23. */
  const running = (waits: readonly number[], ages: readonly number[]): number | undefined => {
    const berthed = waits.map((wait, i) => callOf(waited(1 + i / 100 - wait, wait)));
    const open = ages.map((age) => callOf([leg('anchorage', 23 - age)]));
    return averageWait(new CallIndex([...berthed, ...open], atHour(23)), DAY, atHour(23) + 1)?.hours;
  };
  const many = (count: number, value: number) => Array.from({ length: count }, () => value);

  it('is the mean over the waits and the ages of the open waits together below three berthings', () => {
    expect(running([], [])).toBeUndefined();
    expect(running([], [10, 20])).toBe(15);
    expect(running([0], [10, 20])).toBe(10);
    expect(running([6, 0], [10, 20])).toBe(9);
    expect(running([6, 0], [])).toBe(3);
    expect(running([0], many(18, 38))).toBe(36);
  });

  it('gives the open waits less weight from three berthings on, and none at twenty', () => {
    expect(running([0, 0, 0], many(18, 38))).toBe(32.6);
    expect(running(many(4, 0), many(18, 38))).toBe(29.3);
    expect(running(many(19, 0), many(18, 38))).toBe(1.1);
    expect(running(many(20, 0), many(18, 38))).toBe(0);
    expect(running(many(19, 7), [])).toBe(7);
  });

  it('moves by no more than its share when a vessel goes straight to a berth past those that wait', () => {
    const age = fc.integer({ min: 0, max: 400 });
    fc.assert(
      fc.property(
        fc.array(age, { maxLength: 25 }),
        fc.array(age, { minLength: 1, maxLength: 40 }),
        (waits, ages) => {
          const before = running(waits, ages) ?? 0;
          const after = running([...waits, 0], ages) ?? 0;
          const counted = waits.length < 3 ? waits.length + ages.length + 1 : Math.min(17, waits.length + 1);
          expect(Math.abs(after - before)).toBeLessThanOrEqual(
            (2 * Math.max(...waits, ...ages)) / counted + 0.1,
          );
        },
      ),
    );
  });

  it('is not the age of the queue at a young port, where long waits are seen more often', () => {
    // Twelve of thirteen vessels go straight in, and one a day waits 48 h; observed for a day, in which two of them waited.
    const straight = Array.from({ length: 12 }, (_, i) => callOf(straightIn(1 + i)));
    const waiting = [callOf([leg('anchorage', -17)]), callOf([leg('anchorage', 7)])];
    const index = new CallIndex([...straight, ...waiting], atHour(23), atHour(0));
    const { hours: served = 0, basis } = averageWait(index, DAY, atHour(23) + 1) ?? {};
    const mean = (40 + 16) / 14;
    const rate = (23 + 16 + 6 * mean) / (13 + 6);
    expect([served, basis]).toEqual([Math.round(10 * ((8 / 17) * rate)) / 10, 'mixed']);
  });

  it('never falls when a wait, open or over, was longer', () => {
    const wait = fc.integer({ min: 0, max: 400 });
    fc.assert(
      fc.property(
        fc.array(wait, { minLength: 1, maxLength: 25 }),
        fc.array(wait, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 100 }),
        (waits, ages, more) => {
          const [first = 0, ...rest] = waits;
          const [oldest = 0, ...others] = ages;
          const before = running(waits, ages) ?? 0;
          expect(running([first + more, ...rest], ages)).toBeGreaterThanOrEqual(before);
          expect(running(waits, [oldest + more, ...others])).toBeGreaterThanOrEqual(before);
        },
      ),
    );
  });
});

// The wait of the score: closed waits, and the open ones that are already longer.

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
    return scoreWait(new CallIndex(calls, atHour(1000)), addDays(dayOf(BEGINNING), day), untilAt, average);
  };

  it('forgets a long wait in three steps, before the average does', () => {
    expect([4, 5, 6, 7].map((day) => pendingOn(day))).toEqual([4, 2.7, 1.4, 0]);
  });

  it('is the served average with fewer than twenty berthings in 28 days', () => {
    expect(pendingOn(40, 12.3)).toBe(12.3);
  });
});
