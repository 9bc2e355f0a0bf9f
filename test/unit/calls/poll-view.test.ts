/** What a poll shows beside the poll before it, and what a gap between two of them leaves unknown. */
import { describe, expect, it } from '@jest/globals';
import { closedStays } from '../../../core/calls/port-call.ts';
import { applyObservation } from '../../../core/calls/reconstruct.ts';
import { occupancyAt } from '../../../core/metrics/day-figures.ts';
import {
  arrived,
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

describe('a vessel that the in-port list has twice', () => {
  it.each([
    ['the row of its newer ATA', inPort('V', 10, 'A'), inPort('V', 15, 'B'), 'B 15-'],
    [
      'of two rows with one ATA, that of the first place by name',
      inPort('V', 10, 'B'),
      inPort('V', 10, 'A'),
      'A 10-',
    ],
  ])('is where %s says, whatever their order', (_, first, other, expected) => {
    for (const rows of [
      [first, other],
      [other, first],
    ])
      expect(legsText(onlyCall(ledgerAfter(emptyPort, poll(20, { inPort: rows })), 'V'))).toBe(expected);
  });
});

describe('an in-port list', () => {
  const goneAfter = (vessels: number, missing: number, lists: Parameters<typeof poll>[1] = {}): string => {
    const fleet = Array.from({ length: vessels }, (_, index) => inPort(`V${index}`, 10, 'BERTH'));
    const ledger = ledgerAfter(emptyPort, poll(20, { inPort: fleet }));
    const next = poll(40, { inPort: fleet.slice(missing), ...lists });
    return spanText(onlyCall(applyObservation(ledger, next).ledger, 'V0'));
  };

  it('is believed when the list before it is more than four hours older', () => {
    const fleet = Array.from({ length: 20 }, (_, index) => inPort(`V${index}`, 10, 'BERTH'));
    const goneBy = (minutes: number) =>
      spanText(
        onlyCall(ledgerAfter(emptyPort, poll(20, { inPort: fleet }), poll(minutes, { inPort: [] })), 'V0'),
      );
    expect([260, 261].map(goneBy)).toEqual(['10-', '10-~261']);
  });

  it('is believed when half are left, or when fewer than twenty were expected', () => {
    expect(goneAfter(20, 10)).toBe('10-~30');
    expect(goneAfter(19, 19)).toBe('10-~30');
  });

  it('is believed when another list says what became of the vessels', () => {
    expect(goneAfter(20, 11, { departed: [departed('V1', 35, 'BERTH')] })).toBe('10-~30');
    expect(goneAfter(20, 11, { unreadable: ['V1'] })).toBe('10-~30');
    expect(goneAfter(20, 11, { arrived: [arrived('V1', 10, 'BERTH', true)] })).toBe('10-~30');
  });
});

describe('the wait of a vessel first listed at a berth', () => {
  const seen = (ata: number, ...minutes: number[]) => {
    const until = minutes.slice(0, -1).map((at) => poll(at, { inPort: [] }));
    const last = poll(minutes.at(-1) ?? 0, { inPort: [inPort('V', ata, 'BERTH')] });
    return onlyCall(ledgerAfter(...until, last), 'V').waitKnown;
  };

  it('is known when it arrived since the poll before, up to four hours ago', () => {
    expect(seen(10, 0, 20)).toBe(true);
    expect(seen(0, 0, 20)).toBe(true);
    expect(seen(0, 0, 240)).toBe(true);
    expect(seen(1, 0, 241)).toBe(false);
  });

  it('is known when it arrived before that in covered time, up to four hours ago', () => {
    expect(seen(10, 0, 20, 40)).toBe(true);
    expect(seen(-5, 0, 20, 40)).toBe(false);
    expect(seen(10, 0, 120, 250)).toBe(true);
    expect(seen(9, 0, 120, 250)).toBe(false);
  });

  it('is known when it arrived in covered time after an outage, and not when it arrived within the outage', () => {
    expect(seen(305, 0, 300, 310, 320)).toBe(true);
    expect(seen(300, 0, 300, 310, 320)).toBe(true);
    expect(seen(299, 0, 300, 310, 320)).toBe(false);
    expect(seen(200, 0, 120, 370, 380)).toBe(false);
  });
});

describe('a gap of more than four hours between polls', () => {
  const seenAcross = (before: string, behind: string, gap = 600) =>
    onlyCall(
      ledgerAfter(
        emptyPort,
        poll(20, { inPort: [inPort('V', 10, before)] }),
        poll(20 + gap, { inPort: [inPort('V', 10, behind)] }),
        poll(40 + gap, { inPort: [inPort('V', 10, 'BERTH')] }),
      ),
      'V',
    );

  it.each([
    ['ANCH', 'SEA'],
    ['SEA', 'ANCH'],
    ['ANCH', 'BERTH'],
  ])('in which the vessel went from %s to %s leaves the wait unknown', (before, behind) => {
    expect(seenAcross(before, behind).waitKnown).toBe(false);
    expect(seenAcross(before, behind, 240).waitKnown).toBe(true);
  });

  it('in which it stayed where it was, or shifted between anchorages, does not', () => {
    expect(seenAcross('ANCH', 'ANCH').waitKnown).toBe(true);
    expect(seenAcross('SEA', 'PILOT').waitKnown).toBe(true);
    expect(seenAcross('ANCH', 'ANCH2').waitKnown).toBe(true);
  });

  it('does not matter after the first berth', () => {
    const ledger = ledgerAfter(emptyPort, listing(20, 'BERTH'), listing(620, 'ANCH'));
    expect(onlyCall(ledger, 'V').waitKnown).toBe(true);
    const shifted = ledgerAfter(emptyPort, listing(20, 'BERTH'), listing(40, 'ANCH'), listing(640, 'BERTH'));
    expect(onlyCall(shifted, 'V').waitKnown).toBe(true);
  });

  it('gives the places before and after it no known times, so neither is a stay', () => {
    const call = seenAcross('ANCH', 'BERTH');
    expect(legsText(call)).toBe('ANCH 10-?620, BERTH ?620-');
    expect(legsText(seenAcross('ANCH', 'BERTH', 240))).toBe('ANCH 10-140, BERTH 140-');
    const gone = applyObservation(
      ledgerAfter(emptyPort, listing(20, 'ANCH'), listing(620, 'BERTH')),
      poll(640, { inPort: [], departed: [departed('V', 630, 'BERTH')] }),
    ).ledger;
    expect(legsText(onlyCall(gone, 'V'))).toBe('ANCH 10-?620, BERTH ?620-630');
    expect(closedStays(onlyCall(gone, 'V'))).toEqual([]);
  });
});

describe('a vessel that is gone after a gap of more than four hours', () => {
  const gapped = ledgerAfter(emptyPort, listing(20, 'BERTH'), poll(620, { inPort: [] }));

  it('is no longer in port, gives no stay and counts as no departure', () => {
    const call = onlyCall(gapped, 'V');
    expect(spanText(call)).toBe('10-~620');
    expect(legsText(call)).toBe('BERTH 10-?620');
    expect(closedStays(call)).toEqual([]);
    expect(occupancyAt([call], minute(620))).toMatchObject({ inPort: 0, departures24h: 0 });
  });

  it('is back in port when it is listed again', () => {
    const back = applyObservation(gapped, listing(640, 'BERTH')).ledger;
    expect(legsText(onlyCall(back, 'V'))).toBe('BERTH 10-');
  });

  it('marked as departed without an ATD has no known end, unless its ATA lies within the last four hours', () => {
    const untimed = (ata: number) =>
      onlyCall(
        ledgerAfter(emptyPort, poll(620, { inPort: [], arrived: [arrived('V', ata, 'BERTH', true)] })),
        'V',
      );
    expect(legsText(untimed(60))).toBe('~BERTH 60-?620');
    expect(legsText(untimed(600))).toBe('~BERTH 600-610');
  });
});
