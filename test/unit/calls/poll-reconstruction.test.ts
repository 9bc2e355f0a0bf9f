import { describe, expect, it } from '@jest/globals';
import { closedStays, makeCallId } from '../../../core/calls/port-call.ts';
import { applyObservation } from '../../../core/calls/reconstruct.ts';
import {
  arrived,
  callsOf,
  departed,
  emptyPort,
  inPort,
  ledgerAfter,
  legsText,
  listing,
  minute,
  onlyCall,
  poll,
  spanText,
} from '../../builders/port-polls.ts';

describe('a vessel that waits, berths and leaves', () => {
  const polls = [
    emptyPort,
    poll(20, { inPort: [inPort('V', 10, 'ANCH')], arrived: [arrived('V', 10, 'ANCH')] }),
    listing(40, 'ANCH'),
    listing(60, 'SEA'),
    listing(80, 'BERTH'),
    poll(100, { inPort: [inPort('V', 10, 'SEA')], departed: [departed('V', 93, 'BERTH')] }),
    poll(120, { inPort: [], departed: [departed('V', 93, 'BERTH')] }),
  ];

  it('changes place midway between two polls, and keeps the stated ATA and ATD', () => {
    const call = onlyCall(ledgerAfter(...polls), 'V');
    expect(spanText(call)).toBe('10-93');
    expect(legsText(call)).toBe('ANCH 10-50, SEA 50-70, BERTH 70-93, SEA 93-110');
    expect(call.waitKnown).toBe(true);
  });

  it('is left as it is by a poll no newer than the last', () => {
    const ledger = ledgerAfter(...polls);
    for (const minutes of [119, 120]) {
      const applied = applyObservation(ledger, poll(minutes, { inPort: [inPort('W', 5, 'BERTH')] }));
      expect(applied).toEqual({ ledger, changed: [], removed: [], notices: [] });
    }
  });
});

describe('a departure', () => {
  it('is not concluded from an observation that is missing', () => {
    const call = onlyCall(ledgerAfter(emptyPort, listing(20, 'BERTH'), poll(40, { arrived: [] })), 'V');
    expect(spanText(call)).toBe('10-');
  });

  it('is not concluded for a vessel whose row could not be read, nor for one still listed as arrived', () => {
    const first = poll(20, { inPort: [inPort('V', 10, 'BERTH'), inPort('W', 10, 'BERTH')] });
    const second = poll(40, { inPort: [], unreadable: ['V'], arrived: [arrived('W', 10, 'BERTH')] });
    expect(spanText(onlyCall(ledgerAfter(emptyPort, first, second), 'V'))).toBe('10-');
    expect(spanText(onlyCall(ledgerAfter(emptyPort, first, second), 'W'))).toBe('10-');
  });

  it('is not concluded when most of many vessels are gone at once, until polls are far apart', () => {
    const fleet = Array.from({ length: 24 }, (_, index) => inPort(`V${index}`, 10, 'BERTH'));
    const half = { inPort: fleet.slice(0, 8) };
    const ledger = ledgerAfter(emptyPort, poll(20, { inPort: fleet }), poll(40, half));
    expect(spanText(onlyCall(ledger, 'V23'))).toBe('10-');
    expect(ledger.lastInPortAt).toBe(minute(20));
    expect(ledger.coverage.at(-1)?.toAt).toBe(minute(20));
    const later = applyObservation(ledger, poll(300, half)).ledger;
    expect(spanText(onlyCall(later, 'V23'))).toBe('10-~300');
  });
});

describe('a visit that no poll saw', () => {
  it('counts as a departure without a stay when only the departure is listed', () => {
    const ledger = ledgerAfter(
      poll(0, { arrived: [arrived('W', -2000, 'BERTH')], departed: [departed('V', -30, 'BERTH')] }),
    );
    const call = onlyCall(ledger, 'V');
    expect(spanText(call)).toBe('~-2000--30');
    expect(call.legs).toMatchObject([{ zone: 'moving', startAt: minute(-2000), endAt: minute(-30) }]);
    expect(closedStays(call)).toEqual([]);
    expect(call.waitKnown).toBe(false);
  });

  it('began at the latest with the oldest event of the lists, and with its ATD when that is the oldest', () => {
    const only = (lists: Parameters<typeof poll>[1]) => onlyCall(ledgerAfter(poll(0, lists)), 'V');
    const gone = { ...departed('V', -30, 'BERTH'), traffic: 'ferry' as const };
    expect(spanText(only({ departed: [gone] }))).toBe('~-30--30');
    expect(only({ departed: [gone] }).legs).toEqual([]);
    expect(spanText(only({ departed: [gone, departed('W', -40, 'BERTH')] }))).toBe('~-40--30');
    expect(spanText(only({ departed: [gone], arrived: [] }))).toBe('~-30--30');
    expect(only({ departed: [gone] }).traffic).toBe('ferry');
    expect(only({ departed: [departed('V', -30, 'BERTH')] }).traffic).toBe('cargo');
  });
});

describe('the first poll ever', () => {
  const first = poll(0, {
    inPort: [inPort('A', -900, 'ANCH'), inPort('B', -900, 'BERTH'), inPort('C', -30, 'BERTH')],
  });

  it('knows the wait of a vessel at anchor from its ATA, and of no other', () => {
    const ledger = ledgerAfter(first);
    expect(['A', 'B', 'C'].map((id) => onlyCall(ledger, id).waitKnown)).toEqual([true, false, false]);
    expect(legsText(onlyCall(ledger, 'A'))).toBe('ANCH -900-');
  });
});

describe('a vessel that returns', () => {
  const first = [
    emptyPort,
    listing(20, 'ANCH'),
    listing(40, 'BERTH'),
    poll(60, { inPort: [], departed: [departed('V', 55, 'BERTH')] }),
  ];

  it('keeps the legs of both visits, whichever of its calls a poll changes', () => {
    const ledger = ledgerAfter(
      ...first,
      poll(120, { inPort: [inPort('V', 110, 'ANCH')], arrived: [arrived('V', 110, 'ANCH')] }),
      poll(140, { inPort: [inPort('V', 110, 'ANCH2')] }),
      poll(160, { inPort: [inPort('V', 110, 'BERTH')] }),
      poll(180, { inPort: [], departed: [departed('V', 55, 'BERTH'), departed('V', 175, 'BERTH')] }),
    );
    expect(callsOf(ledger, 'V').map(spanText)).toEqual(['10-55', '110-175']);
    expect(callsOf(ledger, 'V').map(legsText)).toEqual([
      'ANCH 10-30, BERTH 30-55',
      'ANCH 110-130, ANCH2 130-150, BERTH 150-175',
    ]);
  });

  it('is on the old call while only one poll missed it', () => {
    const ledger = ledgerAfter(
      emptyPort,
      listing(20, 'BERTH'),
      poll(40, { inPort: [] }),
      poll(60, { inPort: [inPort('V', 30, 'BERTH')] }),
    );
    expect(callsOf(ledger, 'V').map(spanText)).toEqual(['10-~30', '30-']);
    const corrected = ledgerAfter(
      emptyPort,
      listing(20, 'BERTH'),
      poll(40, { inPort: [], arrived: [arrived('V', 12, 'BERTH', true)] }),
      poll(60, { inPort: [inPort('V', 12, 'BERTH')] }),
    );
    expect(callsOf(corrected, 'V').map(spanText)).toEqual(['12-']);
  });
});

describe('a poll', () => {
  it('gives the traffic and the class of a vessel; without a traffic it is cargo', () => {
    const ferry = { ...inPort('V', 10, 'BERTH', 'ferry'), vesselClass: 'other' as const };
    const ledger = ledgerAfter(emptyPort, poll(20, { inPort: [ferry, inPort('W', 10, 'BERTH')] }));
    expect(onlyCall(ledger, 'V')).toMatchObject({ traffic: 'ferry', vesselClass: 'other' });
    expect(onlyCall(ledger, 'W').traffic).toBe('cargo');
  });

  it('makes the id of a call from its first ATA, or from its ATD when it states no ATA', () => {
    const ledger = ledgerAfter(
      poll(0, { arrived: [arrived('V', -90, 'ANCH')], departed: [departed('W', -30, 'BERTH')] }),
    );
    const idOf = (vesselId: string, event: 'ata' | 'atd', minutes: number) =>
      makeCallId('HKHKG', vesselId, { event, at: minute(minutes) });
    expect([...ledger.calls.keys()]).toEqual([idOf('V', 'ata', -90), idOf('W', 'atd', -30)]);
  });

  it('without an in-port list has vessels where the list of arrivals states them', () => {
    const ledger = ledgerAfter(poll(0, { arrived: [arrived('V', -90, 'ANCH')] }));
    expect(legsText(onlyCall(ledger, 'V'))).toBe('ANCH -90-');
  });
});

describe('the ATA', () => {
  it('corrected while the call is open is the same call, under its first key', () => {
    const ledger = ledgerAfter(
      emptyPort,
      listing(20, 'ANCH'),
      poll(40, { inPort: [inPort('V', 4, 'ANCH')] }),
    );
    const call = onlyCall(ledger, 'V');
    expect(spanText(call)).toBe('4-');
    expect(legsText(call)).toBe('ANCH 4-');
    expect(call.firstAtaAt).toBe(minute(10));
  });
});
