import { describe, expect, it } from '@jest/globals';
import {
  isKept,
  LEDGER_REACH_MS,
  makeCallId,
  NO_CLOCKS,
  openLedger,
  settle,
} from '../../../core/calls/port-call.ts';
import { DAY_MS } from '../../../core/reference/time.ts';
import { atHour, callOf, leg } from '../../builders/calls.ts';

describe('the ledger', () => {
  const long = callOf([leg('berth', -24 * 400)], { callId: 'long' });
  const gone = callOf([leg('berth', 0, 10)], { callId: 'gone' });
  const lately = callOf([leg('berth', -24 * 50, 24 * 39)], { callId: 'lately' });
  const asOfAt = atHour(24 * 40);

  it('keeps calls in port or left within its reach, and names those that a read by first ATA would miss', () => {
    const ledger = settle(NO_CLOCKS, openLedger(NO_CLOCKS, [long, gone, lately]).calls, asOfAt);
    expect([...ledger.calls.keys()]).toEqual(['long', 'lately']);
    expect(ledger.longStays.map((key) => key.callId)).toEqual(['long', 'lately']);
    expect(isKept(gone, atHour(10) + LEDGER_REACH_MS)).toBe(true);
    expect(isKept(gone, atHour(11) + LEDGER_REACH_MS)).toBe(false);
  });

  it('names no call whose first ATA is within its reach', () => {
    const at = (firstAtaAt: number) =>
      callOf([leg('berth', 24 * 39)], { callId: `${firstAtaAt}`, firstAtaAt });
    const edge = asOfAt - LEDGER_REACH_MS;
    const { longStays } = settle(NO_CLOCKS, openLedger(NO_CLOCKS, [at(edge - 1), at(edge)]).calls, asOfAt);
    expect(longStays.map(({ firstAtaAt }) => firstAtaAt)).toEqual([edge - 1]);
  });

  it('names long stays by first ATA, then by id', () => {
    const ids = ['b', 'c', 'a'].map((callId) => callOf([leg('berth', -24 * 400)], { callId }));
    const older = callOf([leg('berth', -24 * 401)], { callId: 'd' });
    const { longStays } = settle(NO_CLOCKS, openLedger(NO_CLOCKS, [...ids, older]).calls, asOfAt);
    expect(longStays.map(({ callId }) => callId)).toEqual(['d', 'a', 'b', 'c']);
    expect(longStays[0]).toEqual({ callId: 'd', firstAtaAt: older.firstAtaAt });
  });
});

describe('identity', () => {
  it('of a call differs by port, vessel, event and time, and by nothing else', () => {
    const ids = [
      makeCallId('HKHKG', 'V', { event: 'ata', at: 0 }),
      makeCallId('HKHKG', 'V', { event: 'atd', at: 0 }),
      makeCallId('HKHKG', 'V', { event: 'ata', at: DAY_MS }),
      makeCallId('HKHKG', 'W', { event: 'ata', at: 0 }),
      makeCallId('SGSIN', 'V', { event: 'ata', at: 0 }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(makeCallId('HKHKG', 'V', { event: 'ata', at: 0 })).toBe(ids[0]);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
    // Rows are stored under these ids, so they may not change.
    expect(ids.slice(0, 2)).toEqual(['2308c1e78c2ec1e5', '9455eb2b74cd4192']);
  });
});
