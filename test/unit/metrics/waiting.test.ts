/** Waits before the berth: what counts, how extremes are held back, and how far a thin port looks back. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CallIndex } from '../../../core/metrics/call-index.ts';
import { averageWait, berthingsForAverage, weekDelayedShare } from '../../../core/metrics/wait-figures.ts';
import { anchoredMsBefore, firstBerthAt, quantile, winsorisedMean } from '../../../core/metrics/waiting.ts';
import { addDays, dayOf, startOfDay } from '../../../core/reference/time.ts';
import { atHour, BEGINNING, callOf, hours, leg, waitingCall } from '../../builders/calls.ts';

const DAY = dayOf(BEGINNING);
/** An index that sees the first 60 days. */
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

describe('wait of a call', () => {
  it('is the time at anchor before the first berth, a shift between berths left out', () => {
    const call = callOf([
      leg('anchorage', 0, 10),
      leg('moving', 10, 12),
      leg('anchorage', 12, 15),
      leg('berth', 16, 30),
      leg('anchorage', 30, 50),
      leg('berth', 50, 60),
    ]);
    const berthedAt = firstBerthAt(call);
    expect(berthedAt).toBe(atHour(16));
    expect(anchoredMsBefore(call, atHour(16))).toBe(hours(13));
  });

  it('is 0 for a vessel that goes straight in, and open for one still at anchor', () => {
    expect(anchoredMsBefore(waitingCall(0, 0, 5), atHour(0))).toBe(0);
    const waiting = callOf([leg('anchorage', 0)]);
    expect(firstBerthAt(waiting)).toBeUndefined();
    expect(anchoredMsBefore(waiting, atHour(30))).toBe(hours(30));
  });
});

describe('winsorised mean', () => {
  it('is the plain mean below 20 values, zeros included', () => {
    expect(winsorisedMean([0, 0, 0, 300])).toBe(75);
    expect(winsorisedMean([])).toBeUndefined();
  });

  it('sets what is above the 95th percentile to it from 20 values on', () => {
    const nineteen = Array.from({ length: 19 }, (_, i) => i + 1);
    const cap = quantile([...nineteen, 1000], 0.95);
    expect(cap).toBeCloseTo(19 + 0.05 * (1000 - 19), 9);
    expect(winsorisedMean([1000, ...nineteen])).toBeCloseTo((190 + cap) / 20, 9);
  });

  it('never falls when a wait grows and is never above the plain mean', () => {
    const waits = fc.array(fc.double({ min: 0, max: 500, noNaN: true }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(waits, fc.nat(), fc.double({ min: 0, max: 100, noNaN: true }), (values, at, more) => {
        const longer = values.map((value, i) => (i === at % values.length ? value + more : value));
        const before = winsorisedMean(values) ?? 0;
        const plain = values.reduce((sum, value) => sum + value, 0) / values.length;
        expect(winsorisedMean(longer) ?? 0).toBeGreaterThanOrEqual(before - 1e-9);
        expect(before).toBeLessThanOrEqual(plain + 1e-9);
      }),
    );
  });
});

describe('average of a day', () => {
  const average = (index: CallIndex, day = addDays(DAY, 30)) =>
    berthingsForAverage(index, day, startOfDay(addDays(day, 1)));

  it('takes calls by the day they berthed, not by the day they arrived', () => {
    const index = indexOf([waited(0, 24 * 26), straightIn(24 * 30), straightIn(24 * 30 + 1)]);
    expect(averageWait(average(index))).toBe(208);
    expect(average(index, addDays(DAY, 25))).toHaveLength(0);
  });

  it('looks back 7 days, then 14, then 28, until it has three berthings', () => {
    const dayHour = 24 * 30;
    const [week, fortnight, month] = [dayHour - 24 * 6, dayHour - 24 * 13, dayHour - 24 * 27];
    const three = (hour: number) => [straightIn(hour), straightIn(hour), straightIn(hour)];
    expect(average(indexOf([...three(week), straightIn(fortnight)]))).toHaveLength(3);
    expect(average(indexOf([straightIn(week), straightIn(week - 1), straightIn(fortnight)]))).toHaveLength(3);
    expect(average(indexOf([straightIn(week), straightIn(fortnight), straightIn(month)]))).toHaveLength(3);
    expect(average(indexOf([straightIn(month), straightIn(month - 1)]))).toHaveLength(1);
  });

  it('leaves out ferries, unknown waits and laid-up vessels', () => {
    const calls = [
      callOf(waited(10, 5), { traffic: 'ferry' }),
      callOf(waited(10, 5), { waitKnown: false }),
      callOf(waited(10 - 61 * 24, 61 * 24)),
      callOf(waited(10, 5)),
    ];
    expect(new CallIndex(calls, atHour(100)).berthingsIn(atHour(0), atHour(100))).toEqual([
      { berthedAt: atHour(15), waitHours: 5 },
    ]);
  });

  it('counts a wait of three hours as delayed', () => {
    const index = indexOf([waited(0, 3), waited(0, 2.99), straightIn(1)]);
    expect(weekDelayedShare(index, DAY, startOfDay(addDays(DAY, 1)))).toBeCloseTo((1 + 1.5) / (3 + 5), 12);
  });
});
