/** Berthings as a flow: the usual number of a weekday, and the flow term of a day. */
import { describe, expect, it } from '@jest/globals';
import type { Leg, PortCall } from '../../../core/calls/port-call.ts';
import { berthingsIn24h, dailySeries, usualBerthings } from '../../../core/metrics/day-figures.ts';
import { CallIndex } from '../../../core/metrics/waits.ts';
import { addDays, DAY_MS, dayOf, daysBetween } from '../../../core/reference/time.ts';
import { atHour, BEGINNING, callOf, leg, waitingCall } from '../../builders/calls.ts';

const MONDAY = dayOf(BEGINNING);
/** What is usual after `days`, given the berthings of each. */
const usual = (days: number, berthings: (daysAgo: number) => number) => {
  const daysAgo = Array.from({ length: days }, (_, i) => i + 1);
  const rows = daysAgo.map((ago) => {
    const at = BEGINNING - ago * DAY_MS;
    return [at, { day: dayOf(at), dayBerthings: berthings(ago) }] as const;
  });
  return usualBerthings(BEGINNING, new Map(rows));
};

describe('usual berthings', () => {
  it('are the median of the weekday and its neighbours over eight weeks', () => {
    // Sundays, Mondays and Tuesdays have 10, 20 and 30; the other days do not count.
    const count = (daysAgo: number) => ({ 0: 20, 1: 10, 6: 30 })[daysAgo % 7] ?? 500;
    expect(usual(56, count)).toBe(20);
    expect(usual(90, (ago) => (ago > 56 ? 900 : count(ago)))).toBe(20);
  });

  it('are not yet those of the last week, so that a closure does not become usual', () => {
    const before = (ago: number) => (ago <= 28 ? 5 : 6);
    const after = (berthings: number) => usual(56, (ago) => (ago <= 7 ? berthings : before(ago)));
    expect([0, 99].map(after)).toEqual([6, 6]);
  });

  it('are those of the weekday alone where it has less than half', () => {
    expect(usual(56, (ago) => (ago % 7 === 0 ? 0 : 9))).toBe(0);
    expect(usual(56, (ago) => (ago % 7 === 0 ? 4 : 9))).toBe(4);
    expect(usual(56, (ago) => (ago % 7 === 0 ? 5 : 9))).toBe(9);
  });

  it('are unknown with fewer than 28 days', () => {
    expect(usual(27, () => 9)).toBeUndefined();
    expect(usual(28, (ago) => (ago <= 14 ? 10 : 20))).toBe(20);
  });
});

const covered = [{ fromAt: atHour(-100), toAt: atHour(100) }];

describe('berthings in 24 hours', () => {
  const index = new CallIndex(
    [-20, -3, 5, 6, 22].map((hour) => waitingCall(hour, 0, 5)),
    atHour(100),
  );

  it('count those before an instant, and are unknown where less than 80 % is covered', () => {
    expect(berthingsIn24h(index, atHour(4), covered)).toBe(2);
    expect(berthingsIn24h(index, atHour(24), covered)).toBe(3);
    expect(berthingsIn24h(index, atHour(24), [{ fromAt: atHour(4), toAt: atHour(100) }])).toBe(3);
    expect(berthingsIn24h(index, atHour(24), [{ fromAt: atHour(5), toAt: atHour(100) }])).toBeUndefined();
  });
});

describe('the flow term of a day', () => {
  /** Ten berthings a day for forty days, none from the last noon on, and eight vessels that wait since. */
  const calls = [
    ...Array.from({ length: 395 }, (_, i) => waitingCall(i * 2.4, 0, 9)),
    ...Array.from({ length: 8 }, (_, i) => callOf([leg('anchorage', 948 + i)])),
  ];
  const LAST = addDays(MONDAY, 40);
  const rowAt = (hour: number, made: readonly PortCall[] = calls) =>
    dailySeries({
      days: daysBetween(MONDAY, LAST),
      calls: made,
      coverage: [{ fromAt: atHour(0), toAt: atHour(hour) }],
      asOfAt: atHour(hour),
    }).at(-1);

  it('follows the 24 hours before the newest observation, not the calendar day so far', () => {
    expect(rowAt(961)).toMatchObject({ day: LAST, dayBerthings: 0, flowTerm: 0.16 });
    expect(rowAt(968)).toMatchObject({ dayBerthings: 0, flowTerm: 0.64 });
    // Here chance does not explain a day without a berthing while vessels arrive, even if none waits.
    expect(rowAt(984)).toMatchObject({ dayBerthings: 0, flowTerm: 1, mostAtAnchor: 8 });
  });

  it('counts vessels whose waiting time is unknown', () => {
    const anchored = Array.from({ length: 8 }, (_, i) =>
      callOf([leg('anchorage', 948 + i)], { waitKnown: false }),
    );
    const berthed = Array.from({ length: 5 }, (_, i) =>
      callOf([leg('anchorage', 940, 961 + i), leg('berth', 961 + i)], { waitKnown: false }),
    );
    const flowAfter = (more: readonly PortCall[]) => rowAt(968, [...calls.slice(0, 395), ...more]);
    expect(flowAfter(anchored)).toMatchObject({ dayBerthings: 0, dayWaits: 0, flowTerm: 0.64 });
    expect(flowAfter([...anchored, ...berthed])).toMatchObject({ dayBerthings: 5, dayWaits: 0, flowTerm: 0 });
  });

  it('counts no vessel that has waited for more than 25 days, and is not known before 28 days', () => {
    const forOrders = Array.from({ length: 8 }, (_, i) => callOf([leg('anchorage', 300 + i)]));
    expect(rowAt(984, [...calls.slice(0, 395), ...forOrders])).toMatchObject({ flowTerm: 0 });
    const flowOn = (day: number) =>
      dailySeries({
        days: daysBetween(MONDAY, addDays(MONDAY, day)),
        calls,
        coverage: [{ fromAt: atHour(0), toAt: atHour(984) }],
        asOfAt: atHour(984),
      }).at(-1)?.flowTerm;
    expect([27, 28].map(flowOn)).toEqual([undefined, 0]);
  });

  it('counts no vessel that was first observed at its berth, or berthed in a gap', () => {
    const begun = (more: Partial<PortCall>, unknown: Partial<Leg> = {}) =>
      callOf([{ ...leg('berth', 965), ...unknown }], { waitKnown: false, ...more });
    const unseen = [
      begun({ ataInferred: true }),
      begun({}, { startUnknown: true }),
      begun({}, { inferred: true }),
    ];
    expect(rowAt(984, unseen)).toMatchObject({ dayBerthings: 0 });
    expect(rowAt(984, [begun({})])).toMatchObject({ dayBerthings: 1 });
  });

  it('is not known where the 24 hours before were not observed, and the day so far is', () => {
    const coverage = [
      { fromAt: atHour(0), toAt: atHour(920) },
      { fromAt: atHour(960), toAt: atHour(964) },
    ];
    const [row] = dailySeries({
      days: daysBetween(MONDAY, LAST),
      calls,
      coverage,
      asOfAt: atHour(964),
    }).slice(-1);
    expect(row).toMatchObject({ coverage: 1, congestionScore: expect.any(Number) });
    expect(row).not.toHaveProperty('flowTerm');
  });

  it('is none on a weekday on which nothing berths, nor in the night after it', () => {
    const workdays = Array.from({ length: 600 }, (_, i) => waitingCall(i * 2.4, 0, 9)).filter(
      ({ ataAt }) => new Date(ataAt).getUTCDay() !== 0,
    );
    const waiting = Array.from({ length: 8 }, (_, i) => callOf([leg('anchorage', 1300 + i)]));
    const sunday = 55;
    const at = (hour: number): number | undefined =>
      dailySeries({
        days: daysBetween(MONDAY, addDays(MONDAY, sunday + (hour > 24 ? 1 : 0))),
        calls: [...workdays, ...waiting],
        coverage: [{ fromAt: atHour(0), toAt: atHour(24 * sunday + hour) }],
        asOfAt: atHour(24 * sunday + hour),
      }).at(-1)?.flowTerm;
    expect([18, 24, 30, 36].map(at)).toEqual([0, 0, 0, 0]);
  });

  it('is in the score, a third of it', () => {
    const { delayedShare = 0, waitTerm = 0, queueTerm = 0, congestionScore } = rowAt(968) ?? {};
    expect(congestionScore).toBeCloseTo((delayedShare + waitTerm + queueTerm + 0.64) / 3, 3);
    // The berthed vessels did not wait. The open waits are longer, but the average leaves them out.
    expect(rowAt(968)?.avgWaitHours).toBe(0);
    expect(waitTerm).toBeGreaterThan(0);
  });
});
