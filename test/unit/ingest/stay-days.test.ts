import { describe, expect, it } from '@jest/globals';
import type { PortCall } from '../../../core/calls/port-call.ts';
import { sameStays, staysByDay } from '../../../core/ingest/port-state.ts';
import { HOUR_MS } from '../../../core/reference/time.ts';

const at = (hour: number): number => Date.UTC(2026, 0, 1) + hour * HOUR_MS;
const berthed = (callId: string, from: number, to: number): PortCall => ({
  callId,
  port: 'HKHKG',
  vesselId: callId,
  traffic: 'cargo',
  ataAt: at(from),
  legs: [{ zone: 'berth', place: 'QUAY', startAt: at(from), endAt: at(to) }],
  waitKnown: true,
  firstAtaAt: at(from),
  changedAt: at(to),
});
const stay = (callId: string, from: number, to: number) => ({
  callId,
  kind: 'berth' as const,
  startAt: at(from),
  endAt: at(to),
});
const NOTHING = { changed: [], removedIds: new Set<string>(), ledger: [], stored: [] };

describe('the stays of days', () => {
  it("are the ledger's within its reach, whatever is stored", () => {
    const found = staysByDay({
      ...NOTHING,
      days: ['2026-01-01', '2026-01-02'],
      ledgerFromDay: '2026-01-01',
      ledger: [berthed('a', 1, 5), berthed('b', 2, 26), berthed('c', 40, 60)],
      stored: [stay('ghost', 1, 3)],
    });
    expect(Object.fromEntries(found)).toEqual({
      '2026-01-01': [stay('a', 1, 5)],
      '2026-01-02': [stay('b', 2, 26)],
    });
  });

  it('are the stored ones before that, updated by the changed calls', () => {
    const found = staysByDay({
      ...NOTHING,
      days: ['2026-01-01'],
      ledgerFromDay: '2026-03-01',
      ledger: [berthed('in-ledger', 1, 4)],
      changed: [berthed('moved', 2, 6)],
      stored: [stay('other', 1, 3), stay('moved', 1, 5), stay('gone', 3, 4)],
      removedIds: new Set(['gone']),
    });
    expect(found.get('2026-01-01')).toEqual([stay('other', 1, 3), stay('moved', 2, 6)]);
  });

  it('are none on a day on which no stay ended', () => {
    const found = staysByDay({ ...NOTHING, days: ['2026-01-09'], ledgerFromDay: '2026-01-01' });
    expect([...found]).toEqual([['2026-01-09', []]]);
  });

  it('compare equal in any order, and differ when one stay differs', () => {
    const [a, b] = [stay('a', 1, 2), stay('b', 1, 3)];
    expect(sameStays([a, b], [b, a])).toBe(true);
    expect(sameStays([a, b], [a])).toBe(false);
    expect(sameStays([a], [stay('a', 1, 3)])).toBe(false);
  });
});
