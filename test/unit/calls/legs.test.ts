/** Operations on legs: none of them makes legs that overlap, and each keeps what it does not change. */
import { describe, expect, it } from '@jest/globals';
import {
  endedBy,
  isSamePosition,
  type Leg,
  legsBefore,
  legsFrom,
  named,
  reopened,
  startedAt,
  withMove,
} from '../../../core/calls/port-call.ts';
import { at, legsText, minute } from '../../builders/port-polls.ts';

const leg = (place: string, start: number, end?: number): Leg => ({
  ...at(place),
  startAt: minute(start),
  ...(end !== undefined && { endAt: minute(end) }),
});
const textOf = (legs: readonly Leg[]): string => legsText({ legs } as Parameters<typeof legsText>[0]);
const known = (minutes: number) => ({ at: minute(minutes), unknown: false });
const unknown = (minutes: number) => ({ at: minute(minutes), unknown: true });
const LEGS = [leg('ANCH', 0, 30), leg('SEA', 30, 40), leg('BERTH', 40)];

describe('a position', () => {
  it('is the same one in the same zone under a name of the same place, and anywhere on a fairway', () => {
    expect(isSamePosition(leg('SEA', 0), at('PILOT'))).toBe(true);
    expect(isSamePosition(leg('T > 1', 0), at('T'))).toBe(true);
    expect(isSamePosition(leg('T > 1', 0), at('T > 2'))).toBe(false);
    expect(isSamePosition(leg('T', 0), { zone: 'anchorage', place: 'T' })).toBe(false);
  });

  it('takes the more exact name, except on a fairway', () => {
    expect(named(leg('T', 0), at('T > 1')).place).toBe('T > 1');
    expect(named(leg('T > 1', 0), at('T')).place).toBe('T > 1');
    const fairway = { ...leg('SEA', 0), place: 'FAIRWAY' };
    expect(named(fairway, { zone: 'moving', place: 'FAIRWAY > NORTH' })).toBe(fairway);
  });
});

describe('a leg', () => {
  it('ends no earlier than it began, and says when its end is not known', () => {
    expect(textOf([endedBy(leg('BERTH', 10), known(50))])).toBe('BERTH 10-50');
    expect(textOf([endedBy(leg('BERTH', 10), known(5))])).toBe('BERTH 10-10');
    expect(textOf([endedBy(leg('BERTH', 10), unknown(50))])).toBe('BERTH 10-?50');
    expect(textOf([endedBy({ ...leg('BERTH', 10, 20), endUnknown: true }, known(50))])).toBe('BERTH 10-50');
  });

  it('has no end once it is reopened, and a known start once that is stated', () => {
    expect(reopened({ ...leg('BERTH', 10, 20), endUnknown: true })).toEqual(leg('BERTH', 10));
    expect(startedAt({ ...leg('BERTH', 10, 20), startUnknown: true }, minute(5))).toEqual(
      leg('BERTH', 5, 20),
    );
  });
});

describe('legs', () => {
  it.each([
    [0, ''],
    [15, 'ANCH 0-15'],
    [30, 'ANCH 0-30'],
    [35, 'ANCH 0-30, SEA 30-35'],
    [40, 'ANCH 0-30, SEA 30-40'],
    [60, 'ANCH 0-30, SEA 30-40, BERTH 40-60'],
  ])('before minute %d are %j', (minutes, expected) => {
    expect(textOf(legsBefore(LEGS, minute(minutes)))).toBe(expected);
  });

  it.each([
    [0, 'ANCH 0-30, SEA 30-40, BERTH 40-'],
    [15, 'ANCH 15-30, SEA 30-40, BERTH 40-'],
    [30, 'SEA 30-40, BERTH 40-'],
    [60, 'BERTH 60-'],
  ])('from minute %d on are %j', (minutes, expected) => {
    expect(textOf(legsFrom(LEGS, minute(minutes)))).toBe(expected);
  });

  it('keep an end that is not known when they are cut behind it, and lose it when they are cut before it', () => {
    const gap = [{ ...leg('ANCH', 0, 30), endUnknown: true as const }];
    expect(textOf(legsBefore(gap, minute(30)))).toBe('ANCH 0-?30');
    expect(textOf(legsBefore(gap, minute(20)))).toBe('ANCH 0-20');
  });

  it('keep a start that is not known when they are cut before it, and lose it when they are cut behind it', () => {
    const gap = [{ ...leg('ANCH', 10, 30), startUnknown: true as const }];
    expect(textOf(legsFrom(gap, minute(10)))).toBe('ANCH ?10-30');
    expect(textOf(legsFrom(gap, minute(20)))).toBe('ANCH 20-30');
  });
});

describe('a move', () => {
  it('ends the open leg and begins the next one', () => {
    expect(textOf(withMove(LEGS, at('ANCH2'), known(60)))).toBe(
      'ANCH 0-30, SEA 30-40, BERTH 40-60, ANCH2 60-',
    );
    expect(textOf(withMove([], at('ANCH'), known(60)))).toBe('ANCH 60-');
  });

  it('in a gap leaves the end of one leg and the start of the next unknown', () => {
    expect(textOf(withMove([leg('ANCH', 0)], at('BERTH'), unknown(60)))).toBe('ANCH 0-?60, BERTH ?60-');
    expect(textOf(withMove([leg('ANCH', 0, 30)], at('BERTH'), unknown(60)))).toBe('ANCH 0-30, BERTH ?60-');
  });

  it('dated before the last leg replaces that leg', () => {
    expect(textOf(withMove(LEGS, at('ANCH2'), known(20)))).toBe('ANCH 0-30, SEA 30-40, ANCH2 40-');
  });
});
