import { describe, expect, it } from '@jest/globals';
import { ledgerClocks } from '../../../core/calls/ledger.ts';
import { closedStays, makeCallId } from '../../../core/calls/port-call.ts';
import { applyReport } from '../../../core/calls/reconstruct.ts';
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

  it('has one wait and one berth stay', () => {
    const call = onlyCall(ledgerAfter(...polls), 'V');
    expect(closedStays(call)).toEqual([
      { callId: call.callId, kind: 'wait', startAt: minute(10), endAt: minute(50) },
      { callId: call.callId, kind: 'berth', startAt: minute(70), endAt: minute(93) },
    ]);
  });

  it('is not changed by a poll with the same state', () => {
    const ledger = ledgerAfter(...polls.slice(0, 2));
    const applied = applyReport(ledger, listing(40, 'ANCH'));
    expect(applied.changed).toEqual([]);
    expect(applied.ledger.calls.get(onlyCall(ledger, 'V').callId)?.changedAt).toBe(minute(20));
  });

  it('is left as it is by a poll no newer than the last', () => {
    const ledger = ledgerAfter(...polls);
    for (const minutes of [119, 120]) {
      const applied = applyReport(ledger, poll(minutes, { inPort: [inPort('W', 5, 'BERTH')] }));
      expect(applied).toEqual({ ledger, changed: [], removed: [], notices: [] });
    }
  });
});

describe('places', () => {
  it('merge a generic name with an exact berth inside it into one stay', () => {
    const names = ['TERMINAL', 'TERMINAL > 7', 'TERMINAL', 'TERMINAL > 7'];
    const ledger = ledgerAfter(
      emptyPort,
      ...names.map((name, i) => poll(20 + 20 * i, { inPort: [inPort('V', 10, name)] })),
    );
    expect(legsText(onlyCall(ledger, 'V'))).toBe('TERMINAL > 7 10-');
  });

  it('distinguish a shift from one exact berth to another', () => {
    const names = ['TERMINAL > 7', 'TERMINAL', 'TERMINAL > 9'];
    const ledger = ledgerAfter(
      emptyPort,
      ...names.map((name, i) => poll(20 + 20 * i, { inPort: [inPort('V', 10, name)] })),
    );
    expect(legsText(onlyCall(ledger, 'V'))).toBe('TERMINAL > 7 10-50, TERMINAL > 9 50-');
  });

  it('along a fairway are one leg', () => {
    const names = ['PILOT', 'SEA', 'PILOT'];
    const ledger = ledgerAfter(
      emptyPort,
      ...names.map((name, i) => poll(20 + 20 * i, { inPort: [inPort('V', 10, name)] })),
    );
    expect(legsText(onlyCall(ledger, 'V'))).toBe('PILOT 10-');
  });
});

describe('a departure', () => {
  it('without a notice is concluded midway between the polls', () => {
    const call = onlyCall(ledgerAfter(emptyPort, listing(20, 'BERTH'), poll(40, { inPort: [] })), 'V');
    expect(spanText(call)).toBe('10-~30');
    expect(legsText(call)).toBe('BERTH 10-30');
  });

  it('stated later replaces one concluded', () => {
    const ledger = ledgerAfter(
      emptyPort,
      listing(20, 'BERTH'),
      poll(40, { inPort: [] }),
      poll(60, { inPort: [], departed: [departed('V', 22, 'BERTH')] }),
    );
    expect(spanText(onlyCall(ledger, 'V'))).toBe('10-22');
    expect(legsText(onlyCall(ledger, 'V'))).toBe('BERTH 10-22');
  });

  it('is undone when the vessel is listed again with the same ATA', () => {
    const here = { inPort: [inPort('V', 10, 'BERTH')] };
    const call = onlyCall(
      ledgerAfter(emptyPort, poll(20, here), poll(40, { inPort: [] }), poll(60, here)),
      'V',
    );
    expect(spanText(call)).toBe('10-');
    expect(legsText(call)).toBe('BERTH 10-');
  });

  it('is not concluded from a report that is missing', () => {
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
    const later = applyReport(ledger, poll(300, half)).ledger;
    expect(spanText(onlyCall(later, 'V23'))).toBe('10-~300');
  });

  it('moves the end of the last stay from the midpoint to the stated ATD', () => {
    const ledger = ledgerAfter(
      emptyPort,
      listing(20, 'BERTH'),
      listing(40, 'SEA'),
      poll(60, { inPort: [inPort('V', 10, 'SEA')], departed: [departed('V', 37, 'BERTH')] }),
    );
    expect(legsText(onlyCall(ledger, 'V'))).toBe('BERTH 10-37, SEA 37-');
    expect(spanText(onlyCall(ledger, 'V'))).toBe('10-37');
  });

  it('from a berth that no poll saw ends a stay concluded from the midpoint on', () => {
    const ledger = ledgerAfter(
      emptyPort,
      listing(20, 'ANCH'),
      poll(120, { inPort: [], departed: [departed('V', 100, 'BERTH')] }),
    );
    expect(legsText(onlyCall(ledger, 'V'))).toBe('ANCH 10-60, ~BERTH 60-100');
    expect(onlyCall(ledger, 'V').waitKnown).toBe(true);
  });
});

describe('a visit that no poll saw', () => {
  const lists = {
    inPort: [],
    arrived: [arrived('V', 25, 'BERTH', true)],
    departed: [departed('V', 38, 'BERTH')],
  };

  it('is one stay from ATA to ATD, marked as concluded', () => {
    const call = onlyCall(ledgerAfter(emptyPort, poll(20, { inPort: [] }), poll(40, lists)), 'V');
    expect(legsText(call)).toBe('~BERTH 25-38');
    expect(call.waitKnown).toBe(true);
  });

  it('has an unknown wait when the polls around its ATA are more than four hours apart', () => {
    const call = onlyCall(ledgerAfter(poll(-300, { inPort: [] }), poll(40, lists)), 'V');
    expect(legsText(call)).toBe('~BERTH 25-38');
    expect(call.waitKnown).toBe(false);
  });

  it('ends between the polls while its ATD is not stated, and at the ATD once it is', () => {
    const untimed = { inPort: [], arrived: lists.arrived };
    const first = ledgerAfter(emptyPort, poll(20, { inPort: [] }), poll(40, untimed));
    expect(spanText(onlyCall(first, 'V'))).toBe('25-~30');
    expect(spanText(onlyCall(applyReport(first, poll(60, lists)).ledger, 'V'))).toBe('25-38');
  });

  it('of which only the departure is listed counts as a departure, with no stay', () => {
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

  it('takes the ATA that a later list states', () => {
    const ledger = ledgerAfter(
      poll(0, { departed: [departed('V', -30, 'BERTH')] }),
      poll(20, { arrived: [arrived('V', -90, 'BERTH', true)], departed: [departed('V', -30, 'BERTH')] }),
    );
    expect(spanText(onlyCall(ledger, 'V'))).toBe('-90--30');
    expect(legsText(onlyCall(ledger, 'V'))).toBe('~BERTH -90--30');
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

  it('has left again when the list no longer has it', () => {
    const ledger = ledgerAfter(
      ...first,
      poll(120, { inPort: [inPort('V', 110, 'ANCH')] }),
      poll(140, { inPort: [] }),
    );
    expect(callsOf(ledger, 'V').map(spanText)).toEqual(['10-55', '110-~130']);
  });

  it('is on a new call from the time at which it left the old one', () => {
    const ledger = ledgerAfter(
      ...first,
      poll(80, { inPort: [inPort('V', 55, 'ANCH')] }),
      poll(100, { inPort: [inPort('V', 55, 'ANCH')] }),
    );
    expect(callsOf(ledger, 'V').map(spanText)).toEqual(['10-55', '55-']);
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

  it('stated differently in two lists follows the in-port list and does not churn', () => {
    const lists = { inPort: [inPort('V', 10, 'ANCH')], arrived: [arrived('V', 11, 'ANCH')] };
    const ledger = ledgerAfter(emptyPort, poll(20, lists));
    expect(spanText(onlyCall(ledger, 'V'))).toBe('10-');
    expect(applyReport(ledger, poll(40, lists)).changed).toEqual([]);
  });

  it.each([
    ['earlier', 10, 14],
    ['later', 14, 10],
  ])('of the in-port list is taken where the list of arrivals states one that is %s', (_, listed, other) => {
    const lists = { inPort: [inPort('V', listed, 'ANCH')], arrived: [arrived('V', other, 'ANCH')] };
    expect(spanText(onlyCall(ledgerAfter(emptyPort, poll(20, lists)), 'V'))).toBe(`${listed}-`);
    const known = ledgerAfter(emptyPort, poll(20, { inPort: [], arrived: lists.arrived }));
    expect(spanText(onlyCall(known, 'V'))).toBe(`${other}-`);
    expect(spanText(onlyCall(applyReport(known, poll(40, lists)).ledger, 'V'))).toBe(`${listed}-`);
  });

  it('that is new after a departure is a new call, however soon', () => {
    const ledger = ledgerAfter(
      emptyPort,
      listing(20, 'BERTH'),
      poll(80, {
        inPort: [inPort('V', 70, 'ANCH')],
        arrived: [arrived('V', 10, 'BERTH', true), arrived('V', 70, 'ANCH')],
        departed: [departed('V', 40, 'BERTH')],
      }),
    );
    expect(callsOf(ledger, 'V').map(spanText)).toEqual(['10-40', '70-']);
    expect(new Set(callsOf(ledger, 'V').map((call) => call.callId)).size).toBe(2);
  });

  it('that is new without a departure ends the old call midway, not after the new ATA', () => {
    const ledger = ledgerAfter(
      emptyPort,
      listing(20, 'BERTH'),
      poll(1000, { inPort: [inPort('V', 400, 'ANCH')] }),
    );
    expect(callsOf(ledger, 'V').map(spanText)).toEqual(['10-~400', '400-']);
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

  it('covers the time between polls with an in-port list, up to four hours', () => {
    const ledger = ledgerAfter(
      emptyPort,
      poll(20, { inPort: [] }),
      poll(40, { arrived: [] }),
      poll(300, { inPort: [] }),
    );
    expect(ledgerClocks(ledger)).toMatchObject({
      coverage: [
        { fromAt: minute(0), toAt: minute(20) },
        { fromAt: minute(300), toAt: minute(300) },
      ],
      lastObservedAt: minute(300),
      lastInPortAt: minute(300),
    });
  });
});
