/** What a poll shows beside the poll before it: one row a vessel, whether the list is whole, and which arrivals were seen. */
import { describe, expect, it } from '@jest/globals';
import { applyReport } from '../../../core/calls/reconstruct.ts';
import {
  arrived,
  departed,
  emptyPort,
  inPort,
  ledgerAfter,
  legsText,
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
  ])('is where %s says, whatever their order', (_, one, other, expected) => {
    for (const rows of [
      [one, other],
      [other, one],
    ])
      expect(legsText(onlyCall(ledgerAfter(emptyPort, poll(20, { inPort: rows })), 'V'))).toBe(expected);
  });
});

describe('an in-port list', () => {
  const goneAfter = (vessels: number, missing: number, lists: Parameters<typeof poll>[1] = {}): string => {
    const fleet = Array.from({ length: vessels }, (_, index) => inPort(`V${index}`, 10, 'BERTH'));
    const ledger = ledgerAfter(emptyPort, poll(20, { inPort: fleet }));
    const next = poll(40, { inPort: fleet.slice(missing), ...lists });
    return spanText(onlyCall(applyReport(ledger, next).ledger, 'V0'));
  };

  it('that lacks more than half of twenty vessels is incomplete: no vessel has left', () => {
    expect(goneAfter(20, 11)).toBe('10-');
    expect(goneAfter(40, 40)).toBe('10-');
  });

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

  it('is not known without a poll before', () => {
    expect(seen(10, 20)).toBe(false);
  });
});
