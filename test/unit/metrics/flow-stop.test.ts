/** Whether the flow of berthings is broken, hour by hour: what chance cannot explain, what is a holiday, and what is not known. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { brokenWindows, FlowHours, stoppedShare } from '../../../core/metrics/closures.ts';
import { extent } from '../../builders/extent.ts';
import { flowDays, HOURS, type Hourly } from '../../builders/flow-days.ts';

const DAYS = 42;
const CLOSED = DAYS * HOURS;

/** Lengths of the windows that are broken `after` hours of a closure. */
const brokenAfter = (after: number, berthings: Hourly, arrivals: Hourly = berthings): number[] => {
  const flow = new FlowHours(flowDays(CLOSED + after, berthings, arrivals));
  return brokenWindows(flow, CLOSED + after).map(({ hours }) => hours);
};

/** `daily` berthings a day, evenly, until the closure, and none from it on. */
const evenly =
  (daily: number): Hourly =>
  (hour) =>
    Math.floor(((hour + 1) * daily) / HOURS) - Math.floor((hour * daily) / HOURS);
const stopped =
  (daily: number): Hourly =>
  (hour) =>
    hour < CLOSED ? evenly(daily)(hour) : 0;

describe('the flow', () => {
  it('is broken after six hours without a berthing where twelve are usual in them', () => {
    expect(brokenAfter(5, stopped(48))).toEqual([]);
    expect(brokenAfter(6, stopped(48))).toEqual([6]);
    expect(brokenAfter(12, stopped(48))).toEqual([6, 12]);
    expect(brokenAfter(18, stopped(48))).toEqual([6, 12, 24]);
  });

  it('is broken later where fewer are usual, and not where none in a week is chance', () => {
    const firstAfter = (daily: number): number | undefined =>
      Array.from({ length: 9 * HOURS }, (_, after) => after).find(
        (after) => brokenAfter(after, stopped(daily)).length > 0,
      );
    expect([48, 24, 12, 6, 4, 2].map(firstAfter)).toEqual([6, 12, 24, 48, 72, 168]);
    expect(firstAfter(1.6)).toBeUndefined();
  });

  it('is not broken on a holiday night, when vessels still arrive, before a day is over', () => {
    const arriving =
      (share: number): Hourly =>
      (hour) =>
        hour < CLOSED ? 2 : Math.floor((hour % 4) * share);
    expect(brokenAfter(12, stopped(48), arriving(1))).toEqual([]);
    expect(brokenAfter(18, stopped(48), arriving(1))).toEqual([24]);
    expect(brokenAfter(12, stopped(48), arriving(0.4))).toEqual([6, 12]);
  });

  it('is broken after a day without a berthing at a small port, where vessels have arrived and wait', () => {
    const daily = 6;
    expect(brokenAfter(23, stopped(daily), evenly(daily))).toEqual([]);
    expect(brokenAfter(24, stopped(daily), evenly(daily))).toEqual([24]);
    const oneArrived: Hourly = (hour) => (hour < CLOSED ? evenly(daily)(hour) : Number(hour === CLOSED + 4));
    expect(brokenAfter(24, stopped(daily), oneArrived)).toEqual([]);
    // Where it has had two such days, another one is not unusual.
    const restsOften: Hourly = (hour) =>
      [10, 20].includes(DAYS - Math.floor(hour / HOURS)) ? 0 : stopped(daily)(hour);
    expect(brokenAfter(24, restsOften, evenly(daily))).toEqual([]);
  });

  it('is not broken on a Sunday of a port that rests on Sundays, and is on a Monday', () => {
    const resting: Hourly = (hour) => (Math.floor(hour / HOURS) % 7 === 6 ? 0 : stopped(48)(hour));
    const sunday = CLOSED - HOURS;
    const broken = (until: number, of: Hourly): number =>
      Array.from({ length: HOURS }, (_, i) => until - i).filter(
        (hours) => brokenWindows(new FlowHours(flowDays(until, of)), hours).length > 0,
      ).length;
    expect(broken(CLOSED, resting)).toBe(0);
    expect(sunday % (7 * HOURS)).toBe(6 * HOURS);
    expect(broken(CLOSED + HOURS, resting)).toBeGreaterThan(10);
  });

  it('is not known in a window with a hole, nor before three weeks of days', () => {
    const holed: Hourly = (hour) => (hour >= CLOSED && hour < CLOSED + HOURS ? undefined : stopped(48)(hour));
    expect(brokenAfter(HOURS, holed)).toEqual([]);
    expect(brokenAfter(HOURS + 5, holed)).toEqual([]);
    expect(brokenAfter(HOURS + 6, holed)).toEqual([6]);
    const young: Hourly = (hour) => (hour < CLOSED - 19 * HOURS ? undefined : stopped(48)(hour));
    expect(brokenAfter(6, young)).toEqual([]);
    const older: Hourly = (hour) => (hour < CLOSED - 20 * HOURS ? undefined : stopped(48)(hour));
    expect(brokenAfter(6, older)).toEqual([6]);
  });
});

describe('the missing part of the berthings', () => {
  const shareAt = (hours: number, berthings: Hourly): number | undefined =>
    stoppedShare(new FlowHours(flowDays(hours, berthings)), hours);

  it('is that of the worst broken window, and fades within a day of the reopening', () => {
    const reopened: Hourly = (hour) =>
      hour >= CLOSED && hour < CLOSED + 24 ? 0 : hour < CLOSED ? evenly(48)(hour) : 2;
    const course = [5, 6, 24, 30, 36, 42, 48, 60, 72].map((after) => shareAt(CLOSED + after, reopened));
    expect(course).toEqual([undefined, 1, 1, 0.75, 0.5, 0.25, 0, undefined, undefined]);
  });

  it('does not fall in an hour in which no window is broken, while the port is closed', () => {
    const trickle: Hourly = (hour) => (hour < CLOSED ? 2 : Number(hour === CLOSED + 18) * 7);
    expect(shareAt(CLOSED + 19, trickle)).toBeGreaterThan(0.7);
  });

  it('never falls with fewer berthings in the last 24 hours', () => {
    const hourly = fc.array(fc.nat(3), { minLength: 72, maxLength: 72 });
    fc.assert(
      fc.property(hourly, fc.nat(23), fc.nat(3), fc.constantFrom(48, 24, 6), (late, ago, fewer, daily) => {
        const until = CLOSED + late.length;
        const withLate =
          (less: number): Hourly =>
          (hour) => {
            const count = hour < CLOSED ? evenly(daily)(hour) : Math.floor((late[hour - CLOSED] ?? 0) / 2);
            return hour === until - 1 - ago ? Math.max(0, (count ?? 0) - less) : count;
          };
        const share = (less: number): number =>
          stoppedShare(new FlowHours(flowDays(until, withLate(less), () => 0)), until) ?? 0;
        expect(share(fewer)).toBeGreaterThanOrEqual(share(0));
      }),
      { numRuns: extent(60, 3000) },
    );
  });
});
