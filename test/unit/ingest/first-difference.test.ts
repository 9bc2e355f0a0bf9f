/** From when a change matters: compared with a brute-force check of every hour. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addCoverage,
  type Coverage,
  type Leg,
  leftAt,
  type PortCall,
} from '../../../core/calls/port-call.ts';
import {
  firstCoverageDifferenceAt,
  firstDifferenceAt,
  stayEndDays,
} from '../../../core/ingest/port-state.ts';
import { HOUR_MS } from '../../../core/reference/time.ts';

const at = (hour: number): number => Date.UTC(2026, 0, 1) + hour * HOUR_MS;
const leg = (zone: Leg['zone'], from: number, to?: number): Leg => ({
  zone,
  place: zone,
  startAt: at(from),
  ...(to === undefined ? {} : { endAt: at(to) }),
});
const call = (legs: readonly Leg[], more: Partial<PortCall> = {}): PortCall => ({
  callId: 'c',
  port: 'HKHKG',
  vesselId: 'v',
  traffic: 'cargo',
  ataAt: legs[0]?.startAt ?? at(0),
  legs,
  waitKnown: true,
  firstAtaAt: at(0),
  changedAt: at(0),
  ...more,
});

/** Contiguous legs from a list of lengths, the last one open half of the time. */
const calls = fc
  .tuple(
    fc.nat({ max: 10 }),
    fc.array(fc.tuple(fc.constantFrom('anchorage', 'berth', 'moving'), fc.integer({ min: 1, max: 9 })), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.boolean(),
  )
  .map(([firstHour, parts, open]) => {
    let hour = firstHour;
    const legs = parts.map(([zone, hours], index) => {
      const from = hour;
      hour += hours;
      return leg(zone as Leg['zone'], from, open && index === parts.length - 1 ? undefined : hour);
    });
    return call(legs, open ? {} : { atdAt: at(hour) });
  });

function stateAt(call: PortCall | undefined, time: number): string {
  if (call === undefined || time < call.ataAt || time >= (leftAt(call) ?? Number.POSITIVE_INFINITY))
    return 'away';
  const on = call.legs.find(({ startAt, endAt }) => startAt <= time && (endAt === undefined || time < endAt));
  return `in port ${on?.zone}`;
}

describe('the first difference of two states of a call', () => {
  it('is never after the first hour at which they differ', () => {
    fc.assert(
      fc.property(fc.option(calls, { nil: undefined }), calls, (before, after) => {
        const first = Array.from({ length: 60 }, (_, hour) => at(hour)).find(
          (time) => stateAt(before, time) !== stateAt(after, time),
        );
        if (first !== undefined) expect(firstDifferenceAt(before, after)).toBeLessThanOrEqual(first);
      }),
      { numRuns: 500, seed: 11 },
    );
  });

  it('is the start of an added leg, which is the end of the leg before it', () => {
    const before = call([leg('anchorage', 0)]);
    const after = call([leg('anchorage', 0, 5), leg('berth', 5)]);
    expect(firstDifferenceAt(before, after)).toBe(at(5));
    expect(firstDifferenceAt(after, before)).toBe(at(5));
  });

  it.each([
    ['its wait became unknown', { waitKnown: false }],
    ['it proved to be a ferry', { traffic: 'ferry' as const }],
    ['its ATA was corrected', { ataAt: at(1) }],
    ['it proved to be of another vessel', { vesselId: 'another' }],
  ])('is the start of the call when %s', (_, more) => {
    const legs = [leg('anchorage', 0, 5), leg('berth', 5, 9)];
    expect(firstDifferenceAt(call(legs), call(legs, more))).toBe(at(0));
  });

  it.each<[string, Partial<Leg>, number]>([
    ['zone', { zone: 'moving' }, 5],
    ['start', { startAt: at(6) }, 5],
    ['end', { endAt: at(7) }, 7],
    ['unknown start', { startUnknown: true }, 9],
    ['unknown end', { endUnknown: true }, 9],
  ])('is that of the first leg that differs by its %s', (_, change, hour) => {
    const [first, second, third] = [leg('anchorage', 0, 5), leg('berth', 5, 9), leg('moving', 9, 12)];
    const [before, after] = [call([first, second, third]), call([first, { ...second, ...change }, third])];
    expect(firstDifferenceAt(before, after)).toBe(at(hour));
    expect(firstDifferenceAt(after, before)).toBe(at(hour));
  });

  it('does not see the name of a place, and is infinite for equal states', () => {
    const [before, after] = ['A', 'B'].map((place) => call([{ ...leg('berth', 0, 5), place }]));
    expect(firstDifferenceAt(before, after)).toBe(Number.POSITIVE_INFINITY);
  });

  it('of a call that is new or gone is its ATA or its first leg, whichever is earlier', () => {
    expect(firstDifferenceAt(undefined, call([leg('berth', 3, 5)], { ataAt: at(1) }))).toBe(at(1));
    expect(firstDifferenceAt(call([leg('berth', 3, 5)], { ataAt: at(4) }), undefined)).toBe(at(3));
    expect(firstDifferenceAt(undefined, call([], { ataAt: at(2) }))).toBe(at(2));
  });

  it('is the earlier of two ATDs when nothing else differs', () => {
    const legs = [leg('berth', 0, 5)];
    expect(firstDifferenceAt(call(legs, { atdAt: at(7) }), call(legs, { atdAt: at(6) }))).toBe(at(6));
  });
});

describe('the first difference of two coverages', () => {
  const covered = (coverage: Coverage, time: number): boolean =>
    coverage.some((run) => run.fromAt <= time && time < run.toAt);
  const coverages = fc
    .array(fc.tuple(fc.nat({ max: 40 }), fc.integer({ min: 1, max: 8 })), { maxLength: 5 })
    .map((spans) =>
      spans.reduce<Coverage>(
        (coverage, [from, hours]) => addCoverage(coverage, { fromAt: at(from), toAt: at(from + hours) }),
        [],
      ),
    );

  it('is the first hour that only one of them covers', () => {
    fc.assert(
      fc.property(coverages, coverages, (a, b) => {
        const first = Array.from({ length: 60 }, (_, hour) => at(hour)).find(
          (time) => covered(a, time) !== covered(b, time),
        );
        expect(firstCoverageDifferenceAt(a, b)).toBe(first ?? Number.POSITIVE_INFINITY);
      }),
      { numRuns: 500, seed: 12 },
    );
  });
});

it('open stays end on no day', () => {
  expect([...stayEndDays([call([leg('anchorage', 0, 30), leg('berth', 30)])])]).toEqual(['2026-01-02']);
});
