/** A port call: whether it changed, when the vessel left, its closed stays, and the operations on its legs. */
import { describe, expect, it } from '@jest/globals';
import {
  anchoredMsBefore,
  closedStays,
  firstBerthAt,
  isSameCall,
  isSamePosition,
  knownDepartureAt,
  LAID_UP_MS,
  type Leg,
  leftAt,
  legsFrom,
  named,
  type PortCall,
  withMove,
} from '../../../core/calls/port-call.ts';
import { DAY_MS, HOUR_MS } from '../../../core/reference/time.ts';
import { atHour, callOf, leg } from '../../builders/calls.ts';
import { at, legsText, minute } from '../../builders/port-polls.ts';

const [waited, berthed] = [leg('anchorage', 0, 6), leg('berth', 6, 20)];
const recorded = callOf([berthed], { callId: 'recorded' });
const CALL: PortCall = {
  ...callOf([waited, berthed]),
  callId: 'one',
  imo: '9945473',
  otherIds: ['A', 'B'],
  listedAt: atHour(1),
  elsewhereAt: atHour(50),
  recorded: [recorded],
};

describe('two states of a call', () => {
  const changes: Partial<PortCall>[] = [
    { callId: 'other' },
    { port: 'SGSIN' },
    { vesselId: 'other' },
    { imo: '9162071' },
    { otherIds: ['A'] },
    { otherIds: ['B', 'A'] },
    { traffic: 'ferry' },
    { ataAt: atHour(-1) },
    { ataInferred: true },
    { atdAt: atHour(21) },
    { atdInferred: true },
    { firstAtaAt: atHour(-1) },
    { waitKnown: false },
    { listedAt: atHour(2) },
    { elsewhereAt: atHour(51) },
    { recorded: [] },
    { recorded: [recorded, recorded] },
    { recorded: [{ ...recorded, ataAt: atHour(5) }] },
    { legs: [waited] },
    { legs: [waited, berthed, leg('moving', 20)] },
  ];
  const legChanges: Partial<Leg>[] = [
    { zone: 'moving' },
    { place: 'other' },
    { startAt: atHour(7) },
    { endAt: atHour(19) },
    { inferred: true },
    { startUnknown: true },
    { endUnknown: true },
  ];

  it.each(changes)('differ by %j', (change) => {
    expect(isSameCall(CALL, { ...CALL, ...change })).toBe(false);
    expect(isSameCall({ ...CALL, ...change }, CALL)).toBe(false);
  });

  it.each(legChanges)('differ by %j of a leg', (change) => {
    expect(isSameCall(CALL, { ...CALL, legs: [waited, { ...berthed, ...change }] })).toBe(false);
  });

  it('are the same whatever observation changed them last', () => {
    const legs = CALL.legs.map((leg) => ({ ...leg }));
    const later = {
      ...CALL,
      legs,
      recorded: [{ ...recorded }],
      changedAt: atHour(99),
      recordedAt: atHour(99),
    };
    expect(isSameCall(CALL, later)).toBe(true);
    const { recorded: _, otherIds: __, ...plain } = CALL;
    expect(isSameCall(plain, { ...plain, recorded: [] })).toBe(true);
  });
});

it('has first berthed where its first berth leg begins', () => {
  expect(firstBerthAt(callOf([waited, berthed, leg('berth', 21, 30)]))).toBe(atHour(6));
  expect(firstBerthAt(callOf([waited]))).toBeUndefined();
});

it('has been at anchor for the part of its anchorage legs that is over', () => {
  const call = callOf([waited, berthed, leg('anchorage', 21)]);
  expect([-1, 4, 10, 23].map((hour) => anchoredMsBefore(call, atHour(hour)) / HOUR_MS)).toEqual([0, 4, 6, 8]);
});

describe('the departure', () => {
  it('from port waters is the later one of ATD and last leg, and unknown while the last leg is open', () => {
    expect(leftAt(callOf([berthed]))).toBe(atHour(20));
    expect(leftAt(callOf([berthed], { atdAt: atHour(22) }))).toBe(atHour(22));
    expect(leftAt(callOf([berthed], { atdAt: atHour(19) }))).toBe(atHour(20));
    expect(leftAt(callOf([leg('berth', 6)], { atdAt: atHour(20) }))).toBeUndefined();
    const { atdAt: _, ...open } = callOf([berthed]);
    expect(leftAt(open)).toBeUndefined();
    expect(leftAt(callOf([], { atdAt: atHour(3) }))).toBe(atHour(3));
  });

  it('is not known when it was concluded over a gap, or from the last event of a record', () => {
    const concluded = { atdInferred: true } as const;
    expect(knownDepartureAt(callOf([berthed]))).toBe(atHour(20));
    expect(knownDepartureAt(callOf([berthed], concluded))).toBe(atHour(20));
    expect(knownDepartureAt(callOf([{ ...berthed, endUnknown: true }]))).toBe(atHour(20));
    expect(knownDepartureAt(callOf([{ ...berthed, endUnknown: true }], concluded))).toBeUndefined();
    expect(knownDepartureAt(callOf([berthed], { ...concluded, recorded: [recorded] }))).toBeUndefined();
    expect(knownDepartureAt(callOf([], { ...concluded, atdAt: atHour(3) }))).toBe(atHour(3));
    expect(
      knownDepartureAt(callOf([], { ...concluded, atdAt: atHour(3), recorded: [recorded] })),
    ).toBeUndefined();
  });
});

describe('the closed stays', () => {
  it('are the ended legs at anchorages and berths', () => {
    const { callId, ...call } = callOf([waited, leg('moving', 6, 7), leg('berth', 7, 20), leg('berth', 20)]);
    expect(closedStays({ callId, ...call })).toEqual([
      { callId, kind: 'wait', startAt: atHour(0), endAt: atHour(6) },
      { callId, kind: 'berth', startAt: atHour(7), endAt: atHour(20) },
    ]);
  });

  it.each<[string, Leg]>([
    ['no length', leg('berth', 6, 6)],
    ['an unknown start', { ...berthed, startUnknown: true }],
    ['an unknown end', { ...berthed, endUnknown: true }],
  ])('leave out a leg with %s', (_, leg) => {
    expect(closedStays(callOf([waited, leg]))).toHaveLength(1);
  });

  it('end with the sixtieth day in port, when the vessel is laid up', () => {
    const days = LAID_UP_MS / DAY_MS;
    expect(closedStays(callOf([leg('berth', 0, 24 * days)]))).toHaveLength(1);
    expect(closedStays(callOf([leg('berth', 0, 24 * days + 1)]))).toEqual([]);
    expect(closedStays(callOf([leg('berth', 24, 24 * days + 1)], { ataAt: atHour(0) }))).toEqual([]);
  });
});

const legAt = (place: string, start: number, end?: number): Leg => ({
  ...at(place),
  startAt: minute(start),
  ...(end !== undefined && { endAt: minute(end) }),
});
const textOf = (legs: readonly Leg[]): string => legsText({ legs } as Parameters<typeof legsText>[0]);
const unknown = (minutes: number) => ({ at: minute(minutes), unknown: true });
const LEGS = [legAt('ANCH', 0, 30), legAt('SEA', 30, 40), legAt('BERTH', 40)];

describe('a position', () => {
  it('is the same one in the same zone under a name of the same place, and anywhere on a fairway', () => {
    expect(isSamePosition(legAt('SEA', 0), at('PILOT'))).toBe(true);
    expect(isSamePosition(legAt('T > 1', 0), at('T'))).toBe(true);
    expect(isSamePosition(legAt('T > 1', 0), at('T > 2'))).toBe(false);
    expect(isSamePosition(legAt('T', 0), { zone: 'anchorage', place: 'T' })).toBe(false);
  });

  it('takes the more exact name, except on a fairway', () => {
    expect(named(legAt('T', 0), at('T > 1')).place).toBe('T > 1');
    expect(named(legAt('T > 1', 0), at('T')).place).toBe('T > 1');
    const fairway = { ...legAt('SEA', 0), place: 'FAIRWAY' };
    expect(named(fairway, { zone: 'moving', place: 'FAIRWAY > NORTH' })).toBe(fairway);
  });
});

describe('legs', () => {
  it.each([
    [0, 'ANCH 0-30, SEA 30-40, BERTH 40-'],
    [15, 'ANCH 15-30, SEA 30-40, BERTH 40-'],
    [30, 'SEA 30-40, BERTH 40-'],
    [60, 'BERTH 60-'],
  ])('from minute %d on are %j', (minutes, expected) => {
    expect(textOf(legsFrom(LEGS, minute(minutes)))).toBe(expected);
  });

  it('keep a start that is not known when they are cut before it, and lose it when they are cut behind it', () => {
    const gap = [{ ...legAt('ANCH', 10, 30), startUnknown: true as const }];
    expect(textOf(legsFrom(gap, minute(10)))).toBe('ANCH ?10-30');
    expect(textOf(legsFrom(gap, minute(20)))).toBe('ANCH 20-30');
  });
});

describe('a move', () => {
  it('in a gap leaves the end of one leg and the start of the next unknown', () => {
    expect(textOf(withMove([legAt('ANCH', 0)], at('BERTH'), unknown(60)))).toBe('ANCH 0-?60, BERTH ?60-');
    expect(textOf(withMove([legAt('ANCH', 0, 30)], at('BERTH'), unknown(60)))).toBe('ANCH 0-30, BERTH ?60-');
  });

  it('dated before the last leg replaces that leg', () => {
    expect(textOf(withMove(LEGS, at('ANCH2'), { at: minute(20), unknown: false }))).toBe(
      'ANCH 0-30, SEA 30-40, ANCH2 40-',
    );
  });
});
