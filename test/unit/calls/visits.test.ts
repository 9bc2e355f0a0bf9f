/** Which arrivals and departures belong to which visit of a vessel. */
import { describe, expect, it } from '@jest/globals';
import type { PollObservation } from '../../../core/calls/observation.ts';
import { ledgerClocks, openLedger } from '../../../core/calls/port-call.ts';
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
  onlyCall,
  poll,
  spanText,
} from '../../builders/port-polls.ts';

const HOUR = 60;
const spans = (...polls: readonly PollObservation[]): string[] =>
  callsOf(ledgerAfter(...polls), 'V').map(spanText);
const legs = (...polls: readonly PollObservation[]): string => legsText(onlyCall(ledgerAfter(...polls), 'V'));
const berthed = listing(20, 'BERTH');

describe('an ATD', () => {
  it('that moves again and again is of one visit, also when it is stated as at first', () => {
    const stated = (minutes: number, atd: number) =>
      poll(minutes, { departed: [departed('V', atd, 'BERTH')] });
    const moves = [stated(0, -700), stated(20, -400), stated(40, -100)];
    expect(spans(...moves)).toEqual(['~-700--100']);
    expect(spans(...moves, stated(60, -700))).toEqual(['~-700--700']);
  });

  it('at the ATA ends the visit', () => {
    const left = poll(40, { inPort: [], departed: [departed('V', 10, 'BERTH')] });
    expect(spans(emptyPort, berthed, left)).toEqual(['10-10']);
  });

  it('replaces an inferred one, however late, when the poll states the arrival of that visit too', () => {
    const gone = poll(40, { inPort: [] });
    const stated = poll(3600, {
      inPort: [],
      arrived: [arrived('V', 10, 'BERTH', true)],
      departed: [departed('V', 3500, 'BERTH')],
    });
    expect(spans(emptyPort, berthed, gone, stated)).toEqual(['10-3500']);
  });

  it('replaces one that was concluded from absence when they are up to 48 hours apart', () => {
    const gone = poll(40, { inPort: [] });
    const stated = (atd: number) => poll(3000, { inPort: [], departed: [departed('V', atd, 'BERTH')] });
    expect(spans(emptyPort, berthed, gone, stated(30 + 48 * HOUR))).toEqual(['10-2910']);
    expect(spans(emptyPort, berthed, gone, stated(31 + 48 * HOUR))).toEqual(['10-~30', '~2911-2911']);
  });

  it('ahead of its poll ends the visit before an arrival after it', () => {
    const ahead = poll(40, { inPort: [], departed: [departed('V', 45, 'BERTH')] });
    expect(spans(emptyPort, berthed, ahead, poll(60, { inPort: [inPort('V', 50, 'BERTH')] }))).toEqual([
      '10-45',
      '50-',
    ]);
  });

  it('before the ATA of the open call is of an earlier visit', () => {
    const earlier = poll(40, { inPort: [inPort('V', 10, 'BERTH')], departed: [departed('V', 5, 'BERTH')] });
    expect(spans(emptyPort, berthed, earlier)).toEqual(['~5-5', '10-']);
  });
});

describe('an ATA', () => {
  it('up to six hours later is a correction, a later one a new visit', () => {
    const next = (ata: number) => poll(400, { inPort: [inPort('V', ata, 'BERTH')] });
    expect(spans(emptyPort, berthed, next(10 + 6 * HOUR))).toEqual(['370-']);
    expect(spans(emptyPort, berthed, next(11 + 6 * HOUR))).toEqual(['10-~371', '371-']);
  });

  it('up to 36 hours earlier, without a departure between, is of the same visit', () => {
    const late = 36 * HOUR + 10;
    const known = poll(late + 10, { inPort: [inPort('V', late, 'BERTH')] });
    const listed = (ata: number) => poll(late + 30, { inPort: [inPort('V', ata, 'BERTH')] });
    expect(spans(emptyPort, known, listed(10))).toEqual(['10-']);
    expect(spans(emptyPort, known, listed(9))).toHaveLength(2);
    const left = poll(late + 30, {
      inPort: [inPort('V', late, 'BERTH')],
      arrived: [arrived('V', late - 7 * HOUR, 'BERTH', true)],
    });
    expect(spans(emptyPort, known, left)).toHaveLength(2);
  });

  it('of the list of arrivals does not correct the one that is known', () => {
    const stated = poll(40, { inPort: [inPort('V', 10, 'BERTH')], arrived: [arrived('V', 4, 'BERTH')] });
    expect(spans(emptyPort, berthed, stated)).toEqual(['10-']);
  });

  it.each([40, 50])('of minute %d is not taken back when the vessel departed at minute 40', (first) => {
    const polls = [
      poll(60, { inPort: [inPort('V', first, 'BERTH')] }),
      listing(80, 'BERTH'),
      poll(100, { inPort: [], departed: [departed('V', 40, 'BERTH')] }),
      poll(120, { inPort: [inPort('V', first, 'BERTH')] }),
    ];
    expect(spans(emptyPort, ...polls)).toEqual(['10-40']);
  });

  it('corrected while the vessel is on its way out moves the start of its first leg', () => {
    const wayOut = poll(40, { inPort: [inPort('V', 10, 'SEA')], departed: [departed('V', 35, 'BERTH')] });
    const corrected = poll(60, { inPort: [inPort('V', 4, 'SEA')], departed: [departed('V', 35, 'BERTH')] });
    expect(legs(emptyPort, berthed, wayOut, corrected)).toBe('BERTH 4-35, SEA 35-');
  });

  it.each([100, 200, 300])('before a departure at minute %d is of another visit than one after it', (atd) => {
    const earlier = poll(340, {
      arrived: [arrived('V', 100, 'BERTH', true)],
      departed: [departed('V', atd, 'BERTH')],
    });
    expect(spans(emptyPort, poll(320, { inPort: [inPort('V', 300, 'BERTH')] }), earlier)).toEqual([
      `100-${atd}`,
      '300-',
    ]);
  });

  it('corrects the visit that is nearest', () => {
    const corrected = spans(
      emptyPort,
      berthed,
      poll(310, { inPort: [], departed: [departed('V', 300, 'BERTH')] }),
      poll(340, { inPort: [inPort('V', 320, 'BERTH')] }),
      poll(360, { inPort: [inPort('V', 250, 'BERTH')] }),
    );
    expect(corrected).toEqual(['10-300', '250-']);
  });

  it('of the in-port list corrects its own call; the ATA that the call had is of another visit', () => {
    const polls = [
      poll(120, { inPort: [inPort('V', 100, 'BERTH')] }),
      listing(140, 'BERTH'),
      poll(160, { inPort: [inPort('V', 100, 'BERTH')], arrived: [arrived('V', 10, 'BERTH', true)] }),
    ];
    expect(spans(emptyPort, ...polls)).toEqual(['10-~100', '100-']);
  });

  it('does not begin a visit that ends after the next ATA', () => {
    const both = poll(20, {
      arrived: [arrived('V', -3000, 'BERTH', true), arrived('V', -90, 'BERTH', true)],
    });
    const spansWith = (atd: number) => spans(poll(0, { departed: [departed('V', atd, 'BERTH')] }), both);
    expect(spansWith(-30)).toEqual(['-3000-~-90', '-90--30']);
    expect(spansWith(-90)[0]).toBe('-3000--90');
  });

  it('begins the visit that is known by its departure alone: the one that ends next', () => {
    const unknown = poll(0, { departed: [departed('V', -3000, 'BERTH'), departed('V', -30, 'BERTH')] });
    const last = poll(20, { arrived: [arrived('V', -90, 'BERTH', true)] });
    expect(spans(unknown, last)).toEqual(['~-3000--3000', '-90--30']);
    const first = poll(20, { arrived: [arrived('V', -3100, 'BERTH', true)] });
    expect(spans(unknown, first)).toEqual(['-3100--3000', '~-3000--30']);
    const both = poll(20, {
      arrived: [arrived('V', -3100, 'BERTH', true), arrived('V', -90, 'BERTH', true)],
      departed: [departed('V', -3000, 'BERTH'), departed('V', -30, 'BERTH')],
    });
    expect(spans(unknown, both)).toEqual(['-3100--3000', '-90--30']);
  });
});

it('a poll whose calls were written, and not its clocks, ends in the same visits when it is read again', () => {
  const before = ledgerAfter(emptyPort, berthed);
  // The list of arrivals corrects the ATA of a vessel that has left meanwhile.
  const gone = poll(40, { inPort: [], arrived: [arrived('V', 35, 'BERTH', true)] });
  const once = applyObservation(before, gone).ledger;
  expect(callsOf(once, 'V').map(spanText)).toEqual(['10-~30']);
  const again = applyObservation(openLedger(ledgerClocks(before), once.calls.values()), gone);
  expect(again.changed).toEqual([]);
  expect(again.ledger).toEqual(once);
});

describe('arrivals in one poll', () => {
  const gone = (ata: number, place = 'BERTH') => arrived('V', ata, place, true);
  const here = (ata: number, place = 'BERTH') => arrived('V', ata, place);

  it('up to 36 hours apart are one visit, with the earlier ATA', () => {
    expect(spans(poll(0, { arrived: [here(-4000 + 36 * HOUR), here(-4000)] }))).toEqual(['-4000-']);
    expect(spans(poll(0, { arrived: [here(-4000 + 36 * HOUR + 1), here(-4000)] }))).toHaveLength(2);
  });

  it.each([
    ['two places', [here(-90, 'A'), here(-90, 'B')], 'A -90-'],
    ['a departed vessel and one in port', [here(-90, 'B'), gone(-90, 'A')], 'B -90-'],
  ])('at one time with %s are one visit, whatever their order', (_, rows, expected) => {
    expect(legs(poll(0, { arrived: rows }))).toBe(expected);
    expect(legs(poll(0, { arrived: rows.toReversed() }))).toBe(expected);
  });

  it('with two equal ATDs have the last of their places by name, whatever their order', () => {
    const rows = [departed('V', 38, 'A'), departed('V', 38, 'B')];
    for (const lists of [rows, rows.toReversed()])
      expect(legs(emptyPort, poll(40, { inPort: [], arrived: [gone(25)], departed: lists }))).toBe(
        '~B 25-38',
      );
  });
});

describe('a visit without a place, because its departure was inferred at its ATA', () => {
  const passed = [
    emptyPort,
    poll(20, { inPort: [] }),
    poll(40, { inPort: [], arrived: [arrived('V', 30, 'BERTH', true)] }),
  ];
  const back = (minutes: number, place: string) =>
    onlyCall(ledgerAfter(...passed, poll(minutes, { inPort: [inPort('V', 30, place)] })), 'V');

  it('is at the listed place from its ATA on when the vessel is in port after all', () => {
    expect(legsText(back(60, 'BERTH'))).toBe('BERTH 30-');
    expect(legsText(back(640, 'BERTH'))).toBe('BERTH 30-');
  });

  it('has an unknown wait when a gap of more than four hours ends with the vessel at a berth', () => {
    expect([back(60, 'BERTH'), back(640, 'BERTH'), back(640, 'ANCH')].map((call) => call.waitKnown)).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe('a departure that the list of arrivals marks, without a time', () => {
  it('lies between the polls, at the earliest at the ATA and at the latest at the next ATA', () => {
    const gone = (ata: number) => arrived('V', ata, 'BERTH', true);
    expect(legs(poll(100, { inPort: [], arrived: [gone(40)] }))).toBe('~BERTH 40-70');
    expect(legs(emptyPort, poll(40, { inPort: [], arrived: [gone(10)] }))).toBe('~BERTH 10-20');
    expect(spans(emptyPort, poll(40, { inPort: [], arrived: [gone(30)] }))).toEqual(['30-~30']);
    expect(legs(emptyPort, poll(40, { inPort: [], arrived: [gone(30)] }))).toBe('');
    expect(spans(emptyPort, poll(200, { inPort: [inPort('V', 90, 'ANCH')], arrived: [gone(25)] }))).toEqual([
      '25-~90',
      '90-',
    ]);
    const known = poll(520, { inPort: [inPort('V', 500, 'BERTH')] });
    expect(spans(emptyPort, known, poll(540, { arrived: [gone(25)] }))).toEqual(['25-~500', '500-']);
  });
});

describe('the last place before an ATD', () => {
  it('is from ATA to ATD when polls saw the vessel on its way alone', () => {
    const seen = listing(20, 'SEA');
    expect(legs(emptyPort, seen, poll(40, { inPort: [], departed: [departed('V', 35, 'BERTH')] }))).toBe(
      '~BERTH 10-35',
    );
  });

  it('begins at the concluded end of the place before it', () => {
    const anchored = listing(20, 'ANCH');
    const gone = poll(40, { inPort: [] });
    const stated = poll(60, { inPort: [], departed: [departed('V', 38, 'BERTH')] });
    expect(legs(emptyPort, anchored, gone, stated)).toBe('ANCH 10-30, ~BERTH 30-38');
  });

  it('stays inferred from the midpoint when the ATD is stated again with another place', () => {
    const first = poll(120, { inPort: [], departed: [departed('V', 100, 'BERTH')] });
    const again = poll(140, { inPort: [], departed: [departed('V', 100, 'BERTH2')] });
    expect(legs(emptyPort, listing(20, 'ANCH'), first, again)).toBe('ANCH 10-60, ~BERTH 60-100');
  });

  it('has no known times when the vessel was last seen elsewhere before a gap of more than four hours', () => {
    const missed = poll(620, { inPort: [] });
    const stated = (atd: number) => poll(640, { inPort: [], departed: [departed('V', atd, 'BERTH')] });
    expect(legs(emptyPort, listing(20, 'ANCH'), missed, stated(630))).toBe('ANCH 10-?620');
    expect(legs(emptyPort, listing(20, 'ANCH'), missed, stated(600))).toBe('ANCH 10-?600');
  });

  it('does not change when the ATD is stated again with another place', () => {
    const left = poll(40, { inPort: [], departed: [departed('V', 35, 'BERTH')] });
    const again = poll(60, { inPort: [], departed: [departed('V', 35, 'BERTH2')] });
    expect(legs(emptyPort, berthed, left, again)).toBe('BERTH 10-35');
  });

  it('on a fairway adds nothing to the places that polls saw', () => {
    const left = poll(40, { inPort: [], departed: [departed('V', 35, 'SEA')] });
    expect(legs(emptyPort, berthed, left)).toBe('BERTH 10-35');
    const unseen = poll(40, {
      inPort: [],
      arrived: [arrived('V', 25, 'SEA', true)],
      departed: [departed('V', 38, 'SEA')],
    });
    expect(legs(emptyPort, unseen)).toBe('~SEA 25-38');
  });

  it('is the one that polls saw, under the more exact of its names', () => {
    const seen = listing(20, 'T');
    expect(legs(emptyPort, seen, poll(100, { inPort: [], departed: [departed('V', 93, 'T > 7')] }))).toBe(
      'T > 7 10-93',
    );
  });
});

describe('the wait of a vessel that departs from a berth where no poll saw it', () => {
  const waitKnown = (place: string, atd: number, ...polls: readonly PollObservation[]) =>
    onlyCall(
      ledgerAfter(emptyPort, ...polls, poll(640, { inPort: [], departed: [departed('V', atd, place)] })),
      'V',
    ).waitKnown;

  it('is known when the last poll before the ATD is at most four hours older', () => {
    expect([260, 261].map((atd) => waitKnown('BERTH', atd, listing(20, 'ANCH')))).toEqual([true, false]);
  });

  it('is known when polls saw it at a berth before', () => {
    expect(waitKnown('BERTH2', 600, listing(20, 'BERTH'), listing(40, 'ANCH'))).toBe(true);
  });

  it('does not matter to a vessel that departs from its anchorage', () => {
    expect(waitKnown('ANCH', 600, listing(20, 'ANCH'))).toBe(true);
  });
});

describe('a place that polls saw after the ATD', () => {
  const gone = poll(60, { inPort: [] });
  const stated = (atd: number) => poll(80, { inPort: [], departed: [departed('V', atd, 'BERTH')] });

  it('is the way out, from the ATD on', () => {
    expect(legs(emptyPort, berthed, listing(40, 'SEA'), gone, stated(25))).toBe('BERTH 10-25, SEA 25-50');
    expect(legs(emptyPort, berthed, listing(40, 'SEA'), gone, stated(30))).toBe('BERTH 10-30, SEA 30-50');
    expect(legs(emptyPort, berthed, listing(40, 'BERTH2'), gone, stated(25))).toBe(
      'BERTH 10-25, BERTH2 25-50',
    );
  });

  it('does not count as the way out when the vessel reached that berth at the ATD', () => {
    expect(legs(emptyPort, berthed, listing(40, 'BERTH2'), gone, stated(30))).toBe('BERTH 10-30');
  });

  it('is the last one that a poll saw at the ATD itself', () => {
    const left = poll(40, { inPort: [], departed: [departed('V', 20, 'BERTH')] });
    expect(legs(emptyPort, berthed, left)).toBe('BERTH 10-20, BERTH 20-30');
  });
});

describe('a vessel listed in port after its ATD', () => {
  const late = poll(60, { inPort: [inPort('V', 10, 'BERTH')], departed: [departed('V', 15, 'BERTH')] });

  it('is on its way out, wherever the list has it', () => {
    const call = onlyCall(ledgerAfter(emptyPort, berthed, late), 'V');
    expect(legsText(call)).toBe('BERTH 10-15, BERTH 15-');
    expect(call.legs.at(-1)?.zone).toBe('moving');
  });

  it('is on its way out until the list no longer has it, and again when it lists it once more', () => {
    const gone = poll(80, { inPort: [] });
    expect(legs(emptyPort, berthed, late, gone)).toBe('BERTH 10-15, BERTH 15-70');
    const back = listing(100, 'BERTH');
    expect(legs(emptyPort, berthed, late, gone, back)).toBe('BERTH 10-15, BERTH 15-');
    const left = poll(60, { inPort: [inPort('V', 10, 'BERTH')], departed: [departed('V', 55, 'BERTH')] });
    const shifted = [emptyPort, listing(20, 'ANCH'), listing(40, 'BERTH'), left];
    expect(legs(...shifted, back)).toBe('ANCH 10-30, BERTH 30-55, BERTH 55-');
    expect(legs(...shifted, gone, back)).toBe('ANCH 10-30, BERTH 30-55, BERTH 55-');
  });

  it('is on its way out from the ATD on when it departed from a fairway', () => {
    const left = poll(80, { inPort: [], departed: [departed('V', 45, 'SEA')] });
    const polls = [emptyPort, berthed, listing(40, 'SEA'), poll(60, { inPort: [] }), left];
    expect(legs(...polls)).toBe('BERTH 10-30, SEA 30-45');
    expect(legs(...polls, listing(100, 'SEA'))).toBe('BERTH 10-30, SEA 30-45, SEA 45-');
  });
});
