/** Counts at an instant, vessels of a day, and exact means over the covered hours of a day. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { meanOccupancy, occupancyAt, queueTermAt, vesselsDuring } from '../../../core/metrics/day-figures.ts';
import { CallIndex } from '../../../core/metrics/waits.ts';
import { MINUTE_MS } from '../../../core/reference/time.ts';
import { atHour, callOf, leg } from '../../builders/calls.ts';

const DAY = { fromAt: atHour(0), toAt: atHour(24) };
const ALL_DAY = [{ fromAt: atHour(-1000), toAt: atHour(1000) }];
const presentOn = (calls: Parameters<typeof occupancyAt>[0], hour = 0) =>
  new CallIndex(calls, atHour(1000)).presentOn(atHour(hour));

describe('counts at an instant', () => {
  it('counts a vessel from its ATA until it has left port waters, gaps between legs included', () => {
    const legs = [leg('anchorage', 0, 5), leg('berth', 6, 20), leg('moving', 20, 21)];
    const calls = [callOf(legs, { atdAt: atHour(20) })];
    const counts = [-1, 0, 4.9, 5.5, 20.5, 21].map((hour) => occupancyAt(calls, atHour(hour)));
    expect(counts.map(({ inPort }) => inPort)).toEqual([0, 1, 1, 1, 1, 0]);
    expect(counts.map(({ atAnchor }) => atAnchor)).toEqual([0, 1, 1, 0, 0, 0]);
  });

  it('counts arrivals and departures of the last 24 hours, the newest instant included', () => {
    const calls = [callOf([leg('berth', 0, 24)]), callOf([leg('berth', 24)]), callOf([leg('berth', 25)])];
    expect(occupancyAt(calls, atHour(24))).toMatchObject({ arrivals24h: 1, departures24h: 1 });
    expect(occupancyAt(calls, atHour(48))).toMatchObject({ arrivals24h: 1, departures24h: 0 });
    expect(occupancyAt(calls, atHour(47.99))).toMatchObject({ arrivals24h: 2, departures24h: 1 });
  });

  it('does not count a vessel that arrived more than 60 days ago', () => {
    const calls = [callOf([leg('anchorage', 0)]), callOf([leg('berth', 0, 24 * 61)])];
    expect(occupancyAt(calls, atHour(24 * 60))).toMatchObject({ inPort: 2, atAnchor: 1 });
    expect(occupancyAt(calls, atHour(24 * 60) + 1000)).toMatchObject({ inPort: 0, atAnchor: 0 });
    expect(occupancyAt(calls, atHour(24 * 61))).toEqual({
      inPort: 0,
      atAnchor: 0,
      arrivals24h: 0,
      departures24h: 0,
    });
    expect(vesselsDuring(presentOn(calls, 24 * 61), { fromAt: atHour(24 * 61), toAt: atHour(24 * 62) })).toBe(
      0,
    );
  });
});

describe('vessels of a day', () => {
  it('counts a vessel once however often it calls, and one that touches the day for a minute', () => {
    const calls = [
      callOf([leg('berth', 1, 2)], { vesselId: 'visitor', traffic: 'visitor' }),
      callOf([leg('berth', 5, 6)], { vesselId: 'visitor', traffic: 'visitor' }),
      callOf([leg('berth', 5, 6)], { traffic: 'ferry' }),
      callOf([leg('berth', -5, 1 / 60)]),
      callOf([leg('berth', -5, 0)]),
      callOf([leg('berth', 24)]),
    ];
    expect(vesselsDuring(presentOn(calls), DAY)).toBe(2);
  });
});

describe('means over a day', () => {
  const oneAtAnchor = (queueTerm: number) => ({ atAnchor: 1, mostAtAnchor: 1, endAtAnchor: 1, queueTerm });
  /** The hours up to the first observation, and what it covers. */
  const now = { fromAt: atHour(0), toAt: atHour(2) };
  const first = [{ fromAt: atHour(2), toAt: atHour(2) }];

  it('weight counts by their duration', () => {
    const calls = [callOf([leg('anchorage', 0, 12), leg('berth', 12, 40)]), callOf([leg('berth', -5, 6)])];
    const { atAnchor, endAtAnchor, queueTerm } = meanOccupancy(presentOn(calls), DAY, ALL_DAY);
    expect(atAnchor).toBeCloseTo(0.5, 12);
    expect(endAtAnchor).toBe(0);
    expect(queueTerm).toBeCloseTo((6 * (1 / 4) + 6 * (1 / 3)) / 24, 12);
  });

  it('count visitors at anchor as vessels but not as a queue', () => {
    const calls = [callOf([leg('anchorage', 0, 24)], { traffic: 'visitor' })];
    expect(meanOccupancy(presentOn(calls), DAY, ALL_DAY)).toEqual(oneAtAnchor(0));
  });

  it('count a vessel once when an earlier call of it was never closed', () => {
    const twice = [
      callOf([leg('anchorage', -30)], { vesselId: 'twice' }),
      callOf([leg('anchorage', -3, 12), leg('berth', 12)], { vesselId: 'twice' }),
      callOf([leg('berth', -3)]),
    ];
    expect(queueTermAt(presentOn(twice), atHour(6))).toBe(1 / 4);
    expect(meanOccupancy(presentOn(twice), DAY, ALL_DAY)).toEqual(oneAtAnchor(1 / 4));
    expect(meanOccupancy(presentOn(twice), now, first)).toEqual(oneAtAnchor(1 / 4));
  });

  it('are over the covered hours only', () => {
    const calls = [callOf([leg('anchorage', 0, 6)])];
    const coverage = [
      { fromAt: atHour(-3), toAt: atHour(4) },
      { fromAt: atHour(20), toAt: atHour(30) },
    ];
    expect(meanOccupancy(presentOn(calls), DAY, coverage).atAnchor).toBeCloseTo(0.5, 12);
  });

  it('are the counts of the instant at the very first observation', () => {
    const calls = [callOf([leg('anchorage', -3)])];
    expect(meanOccupancy(presentOn(calls), now, first)).toEqual(oneAtAnchor(1 / 3));
  });

  it('equal a sum over the minutes, whatever the calls', () => {
    const from = fc.integer({ min: -48, max: 24 });
    const stay = fc.tuple(from, fc.nat(30), fc.nat(30), fc.boolean(), fc.nat(9));
    fc.assert(
      fc.property(fc.array(stay, { maxLength: 12 }), (stays) => {
        const calls = stays.map(([from, waitHours, berthHours, cargo, vessel]) =>
          callOf(
            [
              leg('anchorage', from, from + waitHours),
              leg('berth', from + waitHours, from + waitHours + berthHours),
            ],
            { traffic: cargo ? 'cargo' : 'visitor', vesselId: `vessel ${vessel}` },
          ),
        );
        const present = presentOn(calls);
        let queue = 0;
        let anchored = 0;
        const minutes = 24 * 60;
        for (let minute = 0; minute < minutes; minute += 1) {
          const at = DAY.fromAt + minute * MINUTE_MS;
          queue += queueTermAt(present, at);
          anchored += occupancyAt(calls, at).atAnchor;
        }
        const means = meanOccupancy(present, DAY, ALL_DAY);
        expect(means.queueTerm).toBeCloseTo(queue / minutes, 9);
        expect(means.atAnchor).toBeCloseTo(anchored / minutes, 9);
      }),
      { numRuns: 15 },
    );
  });
});
