import { describe, expect, it } from '@jest/globals';
import type { CallRecord, CallsObservation } from '../../../core/calls/observation.ts';
import { NO_CLOCKS, openLedger } from '../../../core/calls/port-call.ts';
import { overlappedSince, portChanges, unknownIds } from '../../../core/ingest/port-state.ts';
import { DAY_MS, HOUR_MS } from '../../../core/reference/time.ts';
import { longIt } from '../../builders/extent.ts';
import { batchAt } from '../../builders/scripted-source.ts';

const T0 = Date.UTC(2026, 0, 1);
const record = (
  callId: string,
  ataAt: number,
  recordedAt: number,
  more: Partial<CallRecord> = {},
): CallRecord => ({
  callId,
  vesselId: callId,
  traffic: 'cargo',
  recordedAt,
  stops: [{ zone: 'berth', place: 'QUAY', ataAt, atdAt: ataAt + 10 * HOUR_MS }],
  ...more,
});
const batch = (day: number, records: readonly CallRecord[]): CallsObservation =>
  batchAt(T0 + day * DAY_MS, records);

describe('the result of a fetch', () => {
  it('has one entry for a call that several observations change', () => {
    const first = batch(1, [record('a', T0 + HOUR_MS, T0 + HOUR_MS)]);
    const second = batch(2, [record('a', T0 + 2 * HOUR_MS, T0 + 30 * HOUR_MS)]);
    const { written, states, changedFromAt } = portChanges(openLedger(), [first, second]);
    expect(written.map(({ ataAt }) => ataAt)).toEqual([T0 + 2 * HOUR_MS]);
    expect(states).toHaveLength(1);
    expect(changedFromAt).toBe(T0);
  });

  longIt('is found of an observation of any size', () => {
    const many = Array.from({ length: 150_000 }, (_, index) =>
      record(String(index), T0 + index * 1000, T0 + index * 1000),
    );
    expect(unknownIds(openLedger(), [batch(1, many)])).toHaveLength(many.length);
    expect(overlappedSince(openLedger(), [batch(1, many)], [])).toBeUndefined();
    const { written, changedFromAt } = portChanges(openLedger(), [batch(1, many)]);
    expect(written).toHaveLength(many.length);
    expect(changedFromAt).toBe(T0);
  });

  it('is empty when an observation repeats what is known', () => {
    const observation = batch(1, [record('a', T0 + HOUR_MS, T0 + HOUR_MS)]);
    const { ledger } = portChanges(openLedger(), [observation]);
    expect(portChanges(ledger, [observation])).toMatchObject({
      written: [],
      removed: [],
      changedFromAt: undefined,
    });
  });

  it('leaves out a call that was reported and withdrawn before anything was written', () => {
    const reported = batch(1, [record('a', T0 + HOUR_MS, T0 + HOUR_MS)]);
    const withdrawn = batch(2, [record('a', T0 + HOUR_MS, T0 + 30 * HOUR_MS, { cancelled: true })]);
    expect(portChanges(openLedger(), [reported, withdrawn])).toMatchObject({ written: [], removed: [] });
  });
});

describe('a record of a call that left the ledger long ago', () => {
  const old = batch(1, [record('old', T0 + HOUR_MS, T0 + HOUR_MS)]);
  const { ledger: first, written } = portChanges(openLedger(), [old]);
  const { ledger } = portChanges(first, [batch(60, [])]);
  const again = (more: Partial<CallRecord> = {}, stamp = T0 + HOUR_MS) =>
    batch(61, [record('old', T0 + HOUR_MS, stamp, more)]);

  it('is no longer in the ledger, so it is found by its id', () => {
    expect(ledger.calls.size).toBe(0);
    expect(unknownIds(ledger, [again()])).toEqual(['old']);
    expect(unknownIds(first, [again()])).toEqual([]);
  });

  it('may overlap with calls of its vessel, where its source has several records of a call', () => {
    const merging = (records: readonly CallRecord[]) => ({ ...batch(61, records), arrivalsElsewhere: [] });
    const late = record('late', T0 + 10 * DAY_MS, T0);
    expect(overlappedSince(ledger, [merging([late])], [])).toBe(T0 - 50 * DAY_MS);
    expect(overlappedSince(ledger, [batch(61, [late])], [])).toBeUndefined();
    expect(overlappedSince(ledger, [merging([record('new', T0 + 60 * DAY_MS, T0)])], [])).toBeUndefined();
    const known = [...first.calls.values()];
    expect(overlappedSince(ledger, [merging([record('old', T0, T0)])], known)).toBeUndefined();
  });

  it('changes nothing when it repeats what is stored', () => {
    expect(portChanges(ledger, [again()], written)).toMatchObject({ written: [], states: [] });
    // Without the stored call it looks like a new one.
    expect(portChanges(ledger, [again()]).written).toHaveLength(1);
  });

  it('corrects the stored row, whose key does not change with the ATA', () => {
    const stops = [{ zone: 'berth' as const, place: 'QUAY', ataAt: T0 + 5 * HOUR_MS }];
    const { written: changed } = portChanges(ledger, [again({ stops }, T0 + 61 * DAY_MS)], written);
    expect(changed).toMatchObject([{ ataAt: T0 + 5 * HOUR_MS, firstAtaAt: T0 + HOUR_MS }]);
  });

  it('removes the stored row when it withdraws the call', () => {
    const { removed } = portChanges(ledger, [again({ cancelled: true }, T0 + 61 * DAY_MS)], written);
    expect(removed.map(({ callId }) => callId)).toEqual(['old']);
  });
});

it('an empty first observation of a port covers its span', () => {
  const { ledger, changedFromAt } = portChanges(openLedger(NO_CLOCKS), [batch(1, [])]);
  expect(ledger.coverage).toEqual([{ fromAt: T0, toAt: T0 + DAY_MS }]);
  expect(changedFromAt).toBe(T0);
});
