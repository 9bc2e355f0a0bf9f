/** Waits of single days: what counts on which day, what is null, and the classes as parts of the whole. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CallIndex, firstWaitDay, waitDays } from '../../../core/metrics/waits.ts';
import type { VesselClass } from '../../../core/reference/figure-names.ts';
import { addDays, dayOf } from '../../../core/reference/time.ts';
import { atHour, BEGINNING, callOf, leg, waitingCall } from '../../builders/calls.ts';

const DAY = dayOf(BEGINNING);
const COVERED = [{ fromAt: atHour(-48), toAt: atHour(24) }];
const of = (calls: ReturnType<typeof callOf>[], asOfHour = 24, coverage = COVERED) =>
  waitDays([DAY], new CallIndex(calls, atHour(asOfHour)), coverage);

describe('a day of waits', () => {
  it('has the calls that berthed on it, to the second and zeros included in the figures', () => {
    const calls = [
      waitingCall(1, 0, 5),
      waitingCall(2, 4, 5),
      waitingCall(-10, 12, 5),
      waitingCall(5, 2 + 1 / 3600, 3),
    ];
    expect(of(calls)).toEqual([
      {
        day: DAY,
        coverage: 1,
        all: {
          berthed: 4,
          waits: [2.0003, 4, 12],
          delayedShare: 0.5,
          meanHours: 4.5,
          medianHours: 3,
          p90Hours: 9.6,
          maxHours: 12,
          waiting: 0,
          waitingHours: 0,
          excluded: 0,
          unknownType: 0,
          recentArrivals: 4,
          recentWaitHours: 18.0003,
        },
      },
    ]);
  });

  it('counts the open waits of its end, or of the newest observation, with their hours so far', () => {
    const calls = [callOf([leg('anchorage', -6)]), callOf([leg('anchorage', 20, 30), leg('berth', 30)])];
    expect(of(calls, 48)[0]?.all).toMatchObject({ waiting: 2, waitingHours: 34, recentWaitHours: 34 });
    expect(of(calls, 22)[0]?.all).toMatchObject({ waiting: 2, waitingHours: 30 });
  });

  it('leaves out ferries and calls whose wait is not known', () => {
    const calls = [
      callOf([leg('anchorage', 1, 3), leg('berth', 3)], { traffic: 'ferry' }),
      callOf([leg('anchorage', 1, 3), leg('berth', 3)], { waitKnown: false }),
    ];
    expect(of(calls)[0]?.all).toMatchObject({ berthed: 0, waiting: 0, recentArrivals: 0, excluded: 0 });
  });

  it('counts apart what waits too long for a berth, and vessels of unknown type', () => {
    const calls = [
      waitingCall(1 - 600, 600, 5),
      waitingCall(2 - 601, 601, 5),
      callOf([leg('anchorage', 23 - 601)]),
      callOf([leg('anchorage', 23 - 599)]),
      callOf([leg('anchorage', 23 - 5)]),
      callOf([leg('anchorage', 1, 3), leg('berth', 3)], { traffic: 'unknown' }),
    ];
    expect(of(calls, 23)[0]?.all).toMatchObject({
      berthed: 1,
      waits: [600],
      waiting: 2,
      waitingHours: 604,
      excluded: 2,
      unknownType: 1,
    });
  });

  it('has the waiting of the observed part of 28 days: its hours, and the calls that arrived in it', () => {
    const calls = [
      waitingCall(-60, 20, 5),
      waitingCall(-10, 12, 5),
      callOf([leg('anchorage', -100)]),
      callOf([leg('anchorage', -20, -10)], { atdAt: atHour(-10) }),
    ];
    const observed = new CallIndex(calls, atHour(24), atHour(-48));
    expect(waitDays([DAY], observed, COVERED)[0]?.all).toMatchObject({
      recentArrivals: 1,
      recentWaitHours: 8 + 12 + 72,
    });
  });

  it('states the part of the whole day that is covered, and is absent where nothing is known', () => {
    const noon = [{ fromAt: atHour(-48), toAt: atHour(12) }];
    expect(of([], 12, noon)[0]?.coverage).toBe(0.5);
    expect(of([], 12, [])).toEqual([]);
    // Berthings that records state of a time before the first coverage are known, and who waited is not.
    const before = waitDays([DAY], new CallIndex([waitingCall(1, 4, 5)], atHour(60)), [
      { fromAt: atHour(48), toAt: atHour(60) },
    ]);
    expect(before).toMatchObject([{ coverage: 0, all: { berthed: 1, meanHours: 4 } }]);
    expect(before[0]?.all).not.toHaveProperty('waiting');
  });

  it('has the classes where one is known, and they are parts of the whole', () => {
    expect(of([waitingCall(1, 4, 5)])[0]).not.toHaveProperty('tanker');
    expect(of([{ ...waitingCall(1, 4, 5), vesselClass: 'tanker' }])[0]).toMatchObject({
      container: { berthed: 0 },
      tanker: { berthed: 1, meanHours: 4 },
    });
    const classes: (VesselClass | undefined)[] = ['container', 'bulk', 'tanker', 'other', undefined];
    const call = fc.record({
      at: fc.integer({ min: -20, max: 23 }),
      wait: fc.integer({ min: 0, max: 30 }),
      of: fc.constantFrom(...classes),
    });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 30 }), (made) => {
        const calls = made.map(({ at, wait, of: vesselClass }) => ({
          ...waitingCall(at, wait, 5),
          ...(vesselClass && { vesselClass }),
        }));
        const [day] = of(calls);
        const groups = classes.flatMap((name) => (name && day?.[name] ? [day[name]] : []));
        const isKnown = calls.filter((call) => call.vesselClass);
        const [known] = of(isKnown);
        if (groups.length === 0) return;
        expect(groups).toHaveLength(4);
        const sum = (pick: (group: (typeof groups)[number]) => number | undefined): number =>
          groups.reduce((total, group) => total + (pick(group) ?? 0), 0);
        expect(sum(({ berthed }) => berthed)).toBe(known?.all.berthed);
        expect(sum(({ waiting }) => waiting)).toBe(known?.all.waiting);
        expect(sum(({ waitingHours }) => waitingHours)).toBeCloseTo(known?.all.waitingHours ?? 0, 6);
        expect(groups.flatMap(({ waits }) => waits).sort((a, b) => a - b)).toEqual(known?.all.waits);
      }),
    );
  });
});

it('a change that reaches the first covered day concerns the waits of the 28 days that end with it', () => {
  expect(firstWaitDay(DAY, COVERED)).toBe(DAY);
  expect(firstWaitDay(dayOf(atHour(-48)), COVERED)).toBe(addDays(dayOf(atHour(-48)), -27));
});
