import { describe, expect, it } from '@jest/globals';
import { closedStays } from '../../../core/calls/port-call.ts';
import { applyReport } from '../../../core/calls/reconstruct.ts';
import { occupancyAt } from '../../../core/metrics/occupancy.ts';
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
    const gone = applyReport(
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

  it('gives its stay and its departure once the source states the ATD', () => {
    const stated = applyReport(gapped, poll(640, { inPort: [], departed: [departed('V', 300, 'BERTH')] }));
    const call = onlyCall(stated.ledger, 'V');
    expect(legsText(call)).toBe('BERTH 10-300');
    expect(closedStays(call)).toHaveLength(1);
    expect(occupancyAt([call], minute(640))).toMatchObject({ departures24h: 1 });
  });

  it('is back in port when it is listed again', () => {
    const back = applyReport(gapped, listing(640, 'BERTH')).ledger;
    expect(legsText(onlyCall(back, 'V'))).toBe('BERTH 10-');
  });

  it('left its anchorage at an unknown time when the ATD is of a berth that no poll saw', () => {
    const ledger = ledgerAfter(
      emptyPort,
      listing(20, 'ANCH'),
      poll(620, { inPort: [], departed: [departed('V', 600, 'BERTH')] }),
    );
    const call = onlyCall(ledger, 'V');
    expect([spanText(call), legsText(call), call.waitKnown]).toEqual(['10-600', 'ANCH 10-?600', false]);
    expect(closedStays(call)).toEqual([]);
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

describe('a laid-up vessel', () => {
  it('that shifts between anchorages or leaves gives no stay', () => {
    const ata = -61 * 24 * 60;
    const ledger = ledgerAfter(
      emptyPort,
      poll(20, { inPort: [inPort('V', ata, 'ANCH')] }),
      poll(40, { inPort: [inPort('V', ata, 'ANCH2')] }),
      poll(60, { inPort: [], departed: [departed('V', 50, 'ANCH2')] }),
    );
    const call = onlyCall(ledger, 'V');
    expect(legsText(call)).toBe(`ANCH ${ata}-30, ANCH2 30-50`);
    expect(closedStays(call)).toEqual([]);
  });

  it('gave stays while it had been in port for less than 60 days', () => {
    const ata = -59 * 24 * 60;
    const ledger = ledgerAfter(
      emptyPort,
      poll(20, { inPort: [inPort('V', ata, 'ANCH')] }),
      poll(40, { inPort: [inPort('V', ata, 'BERTH')] }),
    );
    expect(closedStays(onlyCall(ledger, 'V'))).toMatchObject([{ kind: 'wait', endAt: minute(30) }]);
  });
});
