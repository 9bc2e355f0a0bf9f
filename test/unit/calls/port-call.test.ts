/** What is read from a port call: whether it changed, when the vessel left, and its closed stays. */
import { describe, expect, it } from '@jest/globals';
import {
  closedStays,
  isSameCall,
  knownDepartureAt,
  LAID_UP_MS,
  type Leg,
  leftAt,
  type PortCall,
} from '../../../core/calls/port-call.ts';
import { DAY_MS } from '../../../core/reference/time.ts';
import { atHour, callOf, leg } from '../../builders/calls.ts';

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

  it('are the same whatever report changed them last', () => {
    const legs = CALL.legs.map((one) => ({ ...one }));
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

describe('the departure', () => {
  it('from port waters is the later one of ATD and last leg, and unknown while the last leg is open', () => {
    expect(leftAt(callOf([berthed]))).toBe(atHour(20));
    expect(leftAt(callOf([berthed], { atdAt: atHour(22) }))).toBe(atHour(22));
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
  ])('leave out a leg with %s', (_, one) => {
    expect(closedStays(callOf([waited, one]))).toHaveLength(1);
  });

  it('end with the sixtieth day in port, when the vessel is laid up', () => {
    const days = LAID_UP_MS / DAY_MS;
    expect(closedStays(callOf([leg('berth', 0, 24 * days)]))).toHaveLength(1);
    expect(closedStays(callOf([leg('berth', 0, 24 * days + 1)]))).toEqual([]);
    expect(closedStays(callOf([leg('berth', 24, 24 * days + 1)], { ataAt: atHour(0) }))).toEqual([]);
  });
});
