import { describe, expect, it } from '@jest/globals';
import type { VesselInPort } from '../../../core/calls/observation.ts';
import { identify } from '../../../core/calls/polls.ts';
import { ledgerClocks, openLedger } from '../../../core/calls/port-call.ts';
import { applyObservation } from '../../../core/calls/reconstruct.ts';
import { occupancyAt } from '../../../core/metrics/day-figures.ts';
import { callOf, leg } from '../../builders/calls.ts';
import {
  arrived,
  callsOf,
  departed,
  emptyPort,
  inPort,
  ledgerAfter,
  legsText,
  minute,
  onlyCall,
  poll,
  spanText,
} from '../../builders/port-polls.ts';

const IMO = '9945473';
const listed = (vesselId: string, ata: number, place: string, imo?: string): VesselInPort => ({
  ...inPort(vesselId, ata, place),
  ...(imo !== undefined && { imo }),
});

describe('a vessel that changes its call sign in port', () => {
  const before = [
    emptyPort,
    poll(20, { inPort: [listed('OLD', 10, 'BERTH', IMO)], arrived: [arrived('OLD', 10, 'BERTH')] }),
  ];

  it('keeps its call under one IMO number', () => {
    const ledger = ledgerAfter(
      ...before,
      poll(40, { inPort: [listed('NEW', 10, 'BERTH', IMO)], arrived: [arrived('NEW', 10, 'BERTH')] }),
    );
    expect(onlyCall(ledger, 'OLD')).toMatchObject({ imo: IMO, otherIds: ['NEW'] });
    expect(callsOf(ledger, 'NEW')).toEqual([]);
    expect(legsText(onlyCall(ledger, 'OLD'))).toBe('BERTH 10-');
    expect(occupancyAt(ledger.calls.values(), minute(40))).toMatchObject({ inPort: 1, arrivals24h: 1 });
  });

  it('keeps the places where polls saw it, under the same call sign and another', () => {
    const ledger = ledgerAfter(
      emptyPort,
      poll(20, { inPort: [listed('OLD', 10, 'ANCH', IMO)] }),
      poll(40, { inPort: [listed('OLD', 10, 'SEA', IMO)] }),
      poll(60, { inPort: [listed('NEW', 10, 'BERTH', IMO)] }),
    );
    expect(legsText(onlyCall(ledger, 'OLD'))).toBe('ANCH 10-30, SEA 30-50, BERTH 50-');
  });

  it('takes no visit of another vessel that had the new call sign before', () => {
    const ledger = ledgerAfter(
      emptyPort,
      poll(20, { inPort: [listed('NEW', 10, 'BERTH', '9162071')] }),
      poll(40, { inPort: [], departed: [departed('NEW', 35, 'BERTH')] }),
      poll(120, { inPort: [listed('OLD', 110, 'BERTH', IMO)] }),
      poll(140, { inPort: [listed('NEW', 110, 'BERTH', IMO)] }),
    );
    expect(callsOf(ledger, 'NEW').map(spanText)).toEqual(['10-35']);
    expect(callsOf(ledger, 'OLD').map(spanText)).toEqual(['110-']);
  });

  it('is joined when the list without IMO numbers had made two calls of it', () => {
    const split = ledgerAfter(...before, poll(40, { arrived: [arrived('NEW', 10, 'BERTH')] }));
    expect([...split.calls.values()].map(({ vesselId }) => vesselId)).toEqual(['OLD', 'NEW']);
    const both = poll(60, {
      inPort: [listed('NEW', 10, 'BERTH', IMO)],
      arrived: [arrived('NEW', 10, 'BERTH')],
    });
    const joined = applyObservation(split, both);
    expect(joined.removed.map(({ vesselId }) => vesselId)).toEqual(['NEW']);
    expect(joined.ledger.calls.size).toBe(1);
    expect(onlyCall(joined.ledger, 'OLD').otherIds).toEqual(['NEW']);
    // A pass that died before it deleted the second call's row finds it again.
    const retried = openLedger(ledgerClocks(split), [...split.calls.values(), ...joined.changed]);
    expect(applyObservation(retried, both).removed).toHaveLength(1);
  });

  it('takes an earlier visit under the new call sign with it', () => {
    const ledger = ledgerAfter(
      emptyPort,
      poll(20, {
        inPort: [],
        arrived: [arrived('NEW', 5, 'BERTH')],
        departed: [departed('NEW', 15, 'BERTH')],
      }),
      poll(120, { inPort: [listed('OLD', 110, 'BERTH', IMO)] }),
      poll(140, { inPort: [listed('NEW', 110, 'BERTH', IMO)] }),
    );
    expect(callsOf(ledger, 'OLD').map(spanText)).toEqual(['5-15', '110-']);
  });

  it('stays in port while its row under the new call sign cannot be read', () => {
    const ledger = ledgerAfter(
      ...before,
      poll(40, { inPort: [listed('NEW', 10, 'BERTH', IMO)] }),
      poll(60, { inPort: [], unreadable: ['NEW'] }),
    );
    expect(spanText(onlyCall(ledger, 'OLD'))).toBe('10-');
  });

  it('departs and returns under the new call sign, which then stands alone in the lists', () => {
    const ledger = ledgerAfter(
      ...before,
      poll(40, { inPort: [listed('NEW', 10, 'BERTH', IMO)] }),
      poll(60, { inPort: [], departed: [departed('NEW', 50, 'BERTH')] }),
      poll(160, { inPort: [], arrived: [arrived('NEW', 150, 'ANCH')] }),
    );
    expect(callsOf(ledger, 'OLD').map(spanText)).toEqual(['10-50', '150-']);
    expect(callsOf(ledger, 'NEW')).toEqual([]);
  });
});

describe('vessels with different IMO numbers', () => {
  it('a call sign with two numbers in one list has the first of them, whatever their order', () => {
    const rows = [listed('A', 10, 'BERTH', IMO), listed('A', 10, 'BERTH', '9162071')];
    for (const lists of [rows, rows.toReversed()])
      expect(onlyCall(ledgerAfter(emptyPort, poll(20, { inPort: lists })), 'A').imo).toBe('9162071');
  });

  it('several call signs with one number in one list are one vessel, whatever their order', () => {
    const rows = ['C', 'B', 'A'].map((vesselId) => listed(vesselId, 10, 'BERTH', IMO));
    for (const lists of [rows, rows.toReversed()]) {
      const ledger = ledgerAfter(emptyPort, poll(20, { inPort: lists }));
      expect([...ledger.calls.values()].map(({ vesselId }) => vesselId)).toEqual(['A']);
      expect(onlyCall(ledger, 'A').otherIds).toEqual(['B', 'C']);
    }
  });

  it('the call signs of a vessel are in order, whichever it had first', () => {
    const ledger = ledgerAfter(
      emptyPort,
      ...['A', 'C', 'B'].map((vesselId, i) =>
        poll(20 * (i + 1), { inPort: [listed(vesselId, 10, 'BERTH', IMO)] }),
      ),
    );
    expect(onlyCall(ledger, 'A').otherIds).toEqual(['B', 'C']);
  });

  it('a call sign that two vessels had is of the one that had it last, in whatever order they are stored', () => {
    const calls = [
      callOf([leg('berth', 0, 10)], { vesselId: 'FIRST', otherIds: ['NEW'] }),
      callOf([leg('berth', 20, 30)], { vesselId: 'SECOND', otherIds: ['NEW'] }),
    ];
    for (const order of [calls, calls.toReversed()]) {
      const identified = identify(
        openLedger(undefined, order),
        poll(60, { inPort: [inPort('NEW', 50, 'A')] }),
      );
      expect(identified.poll.inPort?.map(({ vesselId }) => vesselId)).toEqual(['SECOND']);
    }
  });
});
