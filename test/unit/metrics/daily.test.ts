/** Day figures: the figures of a day, the figures it must omit, and independence of the order of calls. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dailySeries } from '../../../core/metrics/day-figures.ts';
import type { DayFigures } from '../../../core/metrics/figures.ts';
import { CallIndex, waitDays } from '../../../core/metrics/waits.ts';
import { addDays, type Day, dayOf, daysBetween } from '../../../core/reference/time.ts';
import { atHour, BEGINNING, callOf, waitingCall } from '../../builders/calls.ts';

const DAY = dayOf(BEGINNING);
const covered = (fromHour: number, toHour: number) => [{ fromAt: atHour(fromHour), toAt: atHour(toHour) }];
type Input = Omit<Parameters<typeof dailySeries>[0], 'days'>;
function dayFigures({ day, ...input }: Input & { readonly day: Day }): DayFigures {
  const [row] = dailySeries({ days: [day], ...input });
  if (row === undefined) throw new Error(`no row of ${day}`);
  return row;
}
const FOUR_WAITS = [waitingCall(1, 0, 8), waitingCall(2, 6, 8), waitingCall(3, 12, 8), waitingCall(4, 1, 8)];

describe('a day', () => {
  it('has wait, terms and score of the week, and the daily values of its own berthings', () => {
    const older = [waitingCall(-24, 0, 5), waitingCall(-48, 0, 5)];
    const input = { calls: [...FOUR_WAITS, ...older], coverage: covered(-200, 24), asOfAt: atHour(24) };
    const figures = dayFigures({ day: DAY, ...input });
    const queue = figures.queueTerm ?? Number.NaN;
    const week = { delayed: (2 + 1.5) / (6 + 5), wait: 3.2 / (3.2 + 24) };
    const own = { delayed: (2 + 1.5) / (4 + 5), wait: 4.8 / (4.8 + 24) };
    expect(figures).toMatchObject({
      day: DAY,
      coverage: 1,
      vessels: 4,
      avgWaitHours: 3.2,
      dayWaitHours: 4.8,
    });
    expect(figures.delayedShare).toBeCloseTo(week.delayed, 6);
    expect(figures.waitTerm).toBeCloseTo(week.wait, 6);
    expect(figures.congestionScore).toBeCloseTo((week.delayed + week.wait + queue) / 3, 3);
    expect(figures.dayScore).toBeCloseTo((own.delayed + own.wait + queue) / 3, 3);
    expect(figures.dayAtAnchor).toBe(19 / 24);
  });

  it('has the hours of the waits that are open when it ends, as its waits have them', () => {
    const calls = [...FOUR_WAITS, waitingCall(14, 30, 5), waitingCall(22, 9, 5)];
    const coverage = covered(-200, 24);
    const input = { calls, coverage, asOfAt: atHour(24) };
    const [waits] = waitDays([DAY], new CallIndex(calls, atHour(24)), coverage);
    expect(dayFigures({ day: DAY, ...input }).endWaitingHours).toBe(12);
    expect(waits?.all.waitingHours).toBe(12);
  });

  it('has, once over, the vessels at anchor of its own hours alone', () => {
    const calls = [...FOUR_WAITS, waitingCall(23, 10, 5)];
    const input = { day: DAY, calls, coverage: covered(-200, 72) };
    for (const hour of [24, 48, 72])
      expect(dayFigures({ ...input, asOfAt: atHour(hour) }).dayAtAnchor).toBe(20 / 24);
  });

  it('has no wait and no score, and no zeros instead, when covered by less than 80 %', () => {
    const input = { day: DAY, calls: FOUR_WAITS, asOfAt: atHour(24) };
    const thin = [{ fromAt: atHour(-50), toAt: atHour(-40) }, ...covered(5, 24)];
    expect(dayFigures({ ...input, coverage: thin })).toEqual({
      day: DAY,
      coverage: 0.7917,
      vessels: 4,
      hourBerthings: '.....1001000000100000000',
      hourArrivals: '.....0000000000000000000',
    });
    const enough = [{ fromAt: atHour(-50), toAt: atHour(-40) }, ...covered(4.8, 24)];
    expect(dayFigures({ ...input, coverage: enough })).toMatchObject({ coverage: 0.8, avgWaitHours: 4.8 });
    const [unobserved] = dailySeries({ days: [DAY], ...input, coverage: [] });
    expect(unobserved).toMatchObject({ coverage: 0, vessels: 4, hourBerthings: '.'.repeat(24) });
    expect(unobserved).not.toHaveProperty('dayBerthings');
  });

  it('measures the coverage of a running day, and of the first day ever, by its known part', () => {
    const running = { day: DAY, calls: FOUR_WAITS, coverage: covered(-30, 10), asOfAt: atHour(10) };
    // Waits of 0, 6 and 1 h are over; the fourth vessel has waited 7 h so far and weighs as much as each of them.
    expect(dayFigures(running)).toMatchObject({ coverage: 1, vessels: 4, avgWaitHours: 3.5 });
    const first = { day: DAY, calls: FOUR_WAITS, coverage: covered(20, 24), asOfAt: atHour(24) };
    expect(dayFigures(first).coverage).toBe(1);
  });

  it('is partial while it runs and less than 80 % of the whole day is covered', () => {
    const at = (hour: number) =>
      dayFigures({ day: DAY, calls: FOUR_WAITS, coverage: covered(-30, hour), asOfAt: atHour(hour) });
    expect(at(10)).toMatchObject({ coverage: 1, partial: true });
    expect(at(19)).toHaveProperty('partial');
    for (const hour of [19.2, 23, 24, 30]) expect(at(hour)).not.toHaveProperty('partial');
    const first = { day: DAY, calls: FOUR_WAITS, coverage: covered(20, 21), asOfAt: atHour(21) };
    expect(dayFigures(first)).toMatchObject({ coverage: 1, partial: true });
    const gap = { day: DAY, calls: FOUR_WAITS, coverage: covered(-30, 8), asOfAt: atHour(12) };
    expect(dayFigures(gap)).not.toHaveProperty('partial');
  });

  it('has no average with fewer than three berthings in 28 days, and no daily wait without a berthing of its own', () => {
    const input = { day: DAY, coverage: covered(-2000, 24), asOfAt: atHour(24) };
    const two = dayFigures({ ...input, calls: [waitingCall(1, 5, 5), waitingCall(-600, 5, 5)] });
    expect(two.avgWaitHours).toBeUndefined();
    expect(two.congestionScore).toBeDefined();
    expect(two.dayWaitHours).toBe(5);
    const none = dayFigures({ ...input, calls: [] });
    expect(none).toMatchObject({ vessels: 0, dayAtAnchor: 0 });
    expect(none.dayWaitHours).toBeUndefined();
    expect(none.dayScore).toBeUndefined();
  });

  it('ignores calls that begin after the newest observation', () => {
    const input = { day: DAY, coverage: covered(-30, 3), asOfAt: atHour(3) };
    const [first, second] = FOUR_WAITS;
    expect(dayFigures({ ...input, calls: FOUR_WAITS }).vessels).toBe(3);
    expect(first && second && dayFigures({ ...input, calls: [first, second] }).vessels).toBe(2);
  });
});

const anyCalls = fc
  .array(fc.tuple(fc.integer({ min: -900, max: 20 }), fc.nat(40), fc.integer({ min: 1, max: 40 })), {
    maxLength: 60,
  })
  .map((rows) => rows.map(([ata, wait, berth]) => waitingCall(ata, wait, berth)));

describe('a series', () => {
  it('equals the single days, whatever the order of the calls', () => {
    fc.assert(
      fc.property(anyCalls, (calls) => {
        const days = daysBetween(addDays(DAY, -5), DAY);
        const input = { coverage: covered(-2000, 24), asOfAt: atHour(22) };
        const series = dailySeries({ days, calls, ...input });
        expect(series).toEqual(days.map((day) => dayFigures({ day, calls, ...input })));
        expect(dailySeries({ days, calls: [...calls].reverse(), ...input })).toEqual(series);
      }),
      { numRuns: 40 },
    );
  });

  it('never scores a port lower when one of its vessels arrived earlier and so waited longer', () => {
    fc.assert(
      fc.property(anyCalls, fc.nat(), fc.integer({ min: 1, max: 200 }), (calls, which, more) => {
        const longer = calls.map((call, i) => {
          if (i !== which % calls.length || call.legs.length < 2) return call;
          const [wait, ...rest] = call.legs;
          const startAt = (wait?.startAt ?? 0) - more * 3_600_000;
          return wait ? callOf([{ ...wait, startAt }, ...rest], { vesselId: call.vesselId }) : call;
        });
        const input = { day: DAY, coverage: covered(-2000, 24), asOfAt: atHour(24) };
        const before = dayFigures({ ...input, calls });
        const after = dayFigures({ ...input, calls: longer });
        expect(after.congestionScore ?? 0).toBeGreaterThanOrEqual(before.congestionScore ?? 0);
        expect(after.avgWaitHours ?? 0).toBeGreaterThanOrEqual(before.avgWaitHours ?? 0);
        expect(after.vessels).toBeGreaterThanOrEqual(before.vessels);
      }),
      { numRuns: 60 },
    );
  });
});
