/** What an average is based on, against a plain count of the same days. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type SpreadDay,
  spreadText,
  type WaitSpread,
  waitHistory,
} from '../../../portal/chart/wait-spread.ts';

const dayAt = (index: number): string => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
const daysOf = (...waits: readonly (readonly number[])[]): SpreadDay[] =>
  waits.map((hours, i) => ({
    date: dayAt(i),
    coverage: 1,
    berthed: hours.length,
    waits: hours.filter((wait) => wait > 0),
    waiting: 0,
    waiting_hours: 0,
    recent_arrivals: 0,
    recent_wait_hours: 0,
  }));
const waitSpread = (days: readonly SpreadDay[], day: string) =>
  waitHistory(days).spreads.get(day) as WaitSpread;

describe('the spread of a day', () => {
  it('counts vessels that went straight to the berth as waits of zero', () => {
    const spread = waitSpread(daysOf([0, 0, 10, 20]), dayAt(0));
    expect(spread).toMatchObject({ days: 7, berthings: 4, averageHours: 7.5, openWaits: 0 });
    expect(spread).toMatchObject({ p10Hours: 0, medianHours: 5, p90Hours: 17 });
  });

  it('is that of seven days, and of no later one', () => {
    const days = daysOf([99, 99, 99], [1], [1], [1], [], [], [], [2], [50]);
    const p90Hours = expect.closeTo(1.7);
    expect(waitSpread(days, dayAt(7))).toMatchObject({ days: 7, berthings: 4, p90Hours });
  });

  it('looks back 14 and then 28 days while fewer than three vessels berthed', () => {
    const quiet = Array.from({ length: 10 }, () => []);
    expect(waitSpread(daysOf([1], ...quiet, [2, 3]), dayAt(11))).toMatchObject({ days: 14, berthings: 3 });
    expect(waitSpread(daysOf([1], ...quiet, ...quiet, [2, 3]), dayAt(21))).toMatchObject({ days: 28 });
  });

  it('is empty when no vessel berthed', () => {
    const spread = waitSpread(daysOf([]), dayAt(0));
    expect(spread).toMatchObject({ days: 28, berthings: 0, averageHours: null, openWaits: 0 });
    expect(spread).toMatchObject({ p10Hours: null, medianHours: null, p90Hours: null });
    expect(spreadText(spread, dayAt(0))).toBe('No vessel berthed in the 28 days up to 2026-01-01.');
  });

  it('has the average that the trend serves: with few berthings the open waits count, with twenty none', () => {
    const open = { waiting: 2, waiting_hours: 100, recent_arrivals: 6, recent_wait_hours: 66 };
    const [few] = daysOf([0, 10, 20]);
    // M = (30 + 100) / 5 = 26, A = (66 + 6 * 26) / (6 + 6) = 18.5, and three berthings give it the whole weight.
    expect(waitSpread([{ ...(few as SpreadDay), ...open }], dayAt(0)).averageHours).toBe(18.5);
    const [enough] = daysOf(Array.from({ length: 20 }, () => 3));
    expect(waitSpread([{ ...(enough as SpreadDay), ...open }], dayAt(0)).averageHours).toBe(3);
    expect(waitSpread(daysOf([1, 2]), dayAt(0)).averageHours).toBeNull();
  });

  it('has as many waits at or below the median as above, and nine in ten at or below the 90th percentile', () => {
    const hours = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 3, maxLength: 40 });
    fc.assert(
      fc.property(hours, (waits) => {
        const { medianHours, p90Hours, berthings } = waitSpread(daysOf(waits), dayAt(0));
        expect(berthings).toBe(waits.length);
        const below = (limit: number | null) => waits.filter((wait) => wait <= (limit ?? -1) + 1e-9).length;
        expect(below(medianHours)).toBeGreaterThanOrEqual(waits.length / 2);
        expect(below(p90Hours)).toBeGreaterThanOrEqual(Math.floor(0.9 * (waits.length - 1)) + 1);
        expect(p90Hours).toBeLessThanOrEqual(Math.max(...waits));
      }),
    );
  });
});

it('is said in one sentence, without an average where open waits are in it', () => {
  const waits = { averageHours: 5, openWaits: 0, p10Hours: 0, medianHours: 2.06, p90Hours: 14 };
  const spread = { days: 7, berthings: 34, ...waits };
  expect(spreadText(spread, '2026-11-20')).toBe(
    'The average of 2026-11-20 is based on 34 berthings in 7 days: half of them waited at most 2.1 h, nine in ten at most 14.0 h.',
  );
  expect(spreadText({ ...spread, berthings: 4, openWaits: 16 }, '2026-11-20')).toBe(
    '16 cargo vessels waiting on 2026-11-20, too few berthed to average: 4 berthings in 7 days. The estimates are among the values.',
  );
});
