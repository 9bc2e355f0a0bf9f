import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CallRecord, CallsObservation, RecordedStop } from '../../../core/calls/observation.ts';
import { closedStays, type Ledger, type PortCall } from '../../../core/calls/port-call.ts';
import { applyObservation } from '../../../core/calls/reconstruct.ts';
import { extent } from '../../builders/extent.ts';
import { batch, ledgerAfter, legsText, minute, record, spanText, stop } from '../../builders/port-polls.ts';

const callFrom = (record: CallRecord): PortCall | undefined => ledgerAfter(batch([record])).calls.get('c1');

describe('a call from its record', () => {
  it('waits at the anchorage before its first berth', () => {
    const call = callFrom(record([stop('QUAY', 300, 600), stop('ANCH', 10, 200)]));
    expect(legsText(call)).toBe('ANCH 10-200, QUAY 300-600');
    expect(spanText(call)).toBe('10-600');
    expect(call?.waitKnown).toBe(true);
  });

  it('has departed once it left its last stop, planned shifts or not', () => {
    expect(spanText(callFrom(record([stop('QUAY', 10, 200), stop('QUAY2')])))).toBe('10-200');
    expect(spanText(callFrom(record([stop('ANCH', 10, 200)])))).toBe('10-200');
  });

  it.each([
    ['an anchorage and a berth: the berth', [stop('ANCH', 100), stop('QUAY', 100, 300)], 'QUAY 100-300'],
    ['a fairway and a berth: the berth', [stop('SEA', 100), stop('QUAY', 100, 300)], 'QUAY 100-300'],
    ['an anchorage and a fairway: the fairway', [stop('ANCH', 100), stop('SEA', 100, 300)], 'SEA 100-300'],
    ['two ATDs: the later', [stop('QUAY2', 100, 200), stop('QUAY', 100, 300)], 'QUAY 100-300'],
    ['one ATD: the open one', [stop('QUAY2', 100, 200), stop('QUAY', 100)], 'QUAY 100-'],
    ['no ATD: the last by name', [stop('QUAY', 100), stop('QUAY2', 100)], 'QUAY2 100-'],
  ])('of two stops with one ATA has one, of %s', (_, stops, expected) => {
    expect(legsText(callFrom(record(stops)))).toBe(expected);
    expect(legsText(callFrom(record(stops.toReversed())))).toBe(expected);
  });

  it('ends a stop without an ATD at the next ATA, past a stop that has none', () => {
    const stops = [stop('ANCH', 0), stop('QUAY', undefined, 300), stop('QUAY2', 350, 400)];
    expect(legsText(callFrom(record(stops)))).toBe('ANCH 0-350, QUAY2 350-400');
  });

  it('without a stop begins at its own ATA', () => {
    const call = callFrom(record([], { ataAt: minute(40) }));
    expect([spanText(call), legsText(call)]).toEqual(['40-', '']);
  });

  it('has no known wait when its ATA or its first berthing is inferred', () => {
    const inferred = callFrom(record([stop('QUAY', 40, 90)], { ataInferred: true }));
    expect([spanText(inferred), inferred?.waitKnown]).toEqual(['~40-90', false]);
    const waitOf = (stops: readonly RecordedStop[]) => callFrom(record(stops))?.waitKnown;
    expect(waitOf([stop('ANCH', 0, 100), stop('QUAY', undefined, 300)])).toBe(false);
    expect(waitOf([stop('QUAY', 0, 100), stop('QUAY2', undefined, 300)])).toBe(true);
  });

  it('that only departed has no arrival, no stay and no wait', () => {
    const call = callFrom(record([stop('QUAY', undefined, 300)]));
    expect(spanText(call)).toBe('~300-300');
    expect(call?.legs).toEqual([]);
    expect(call?.waitKnown).toBe(false);
  });

  it('knows the end of a stop that its next arrival or its own ATD gives', () => {
    const last: RecordedStop = { ...stop('QUAY', 0, 300), endUnknown: true };
    expect(legsText(callFrom(record([last, stop('QUAY2', 200, 400)])))).toBe('QUAY 0-200, QUAY2 200-400');
    expect(legsText(callFrom(record([last], { atdAt: minute(250) })))).toBe('QUAY 0-250');
  });

  it('is none while everything is planned', () => {
    expect(callFrom(record([stop('QUAY')]))).toBeUndefined();
  });
});

describe('records of one call', () => {
  const open = record([stop('QUAY', 100)]);
  const closed = record([stop('QUAY', 90, 400)], { recordedAt: minute(500) });

  it('that contradict one another are counted, and the later one wins', () => {
    const first = batch([record([stop('QUAY', 100, 300)])], 400);
    const moved = batch([record([stop('QUAY', 90, 320)], { recordedAt: minute(500) })], 600);
    const applied = applyObservation(ledgerAfter(first), moved);
    expect(spanText(applied.ledger.calls.get('c1'))).toBe('90-320');
    expect(applied.notices).toEqual([
      {
        reason: 'contradicted-call',
        detail:
          'FIRAU c1: ATA 2026-01-05T01:40:00Z, now 2026-01-05T01:30:00Z; ATD 2026-01-05T05:00:00Z, now 2026-01-05T05:20:00Z',
      },
    ]);
    expect(applyObservation(applied.ledger, moved).notices).toEqual([]);
    // A departure that was not known before contradicts nothing.
    expect(
      applyObservation(ledgerAfter(batch([open], 200)), batch([record([stop('QUAY', 100, 300)])])).notices,
    ).toEqual([]);
  });

  it('are not replaced by an older one that comes late, in the same batch or another', () => {
    expect(spanText(ledgerAfter(batch([closed, open])).calls.get('c1'))).toBe('90-400');
    const late = applyObservation(ledgerAfter(batch([closed], 600)), batch([open], 700));
    expect(late.changed).toEqual([]);
    expect(spanText(late.ledger.calls.get('c1'))).toBe('90-400');
  });

  it('are replaced by a newer one in the same batch, and with one stamp by the later in the list', () => {
    expect(spanText(ledgerAfter(batch([open, closed])).calls.get('c1'))).toBe('90-400');
    const again = { ...closed, recordedAt: open.recordedAt };
    expect(spanText(ledgerAfter(batch([open, again])).calls.get('c1'))).toBe('90-400');
    expect(spanText(ledgerAfter(batch([again, open])).calls.get('c1'))).toBe('100-');
  });

  it('with one stamp are replaced by a later batch or the same one, and not by an earlier one', () => {
    const known = ledgerAfter(batch([open], 400));
    const other = record([stop('QUAY', 100, 200)]);
    const spanAfter = (observed: number) =>
      spanText(applyObservation(known, batch([other], observed)).ledger.calls.get('c1'));
    expect([399, 400, 401].map(spanAfter)).toEqual(['100-', '100-200', '100-200']);
  });

  it('that take an ATD back contradict the earlier one', () => {
    const reopened = record(open.stops, { recordedAt: minute(600) });
    const { notices } = applyObservation(
      ledgerAfter(batch([record([stop('QUAY', 100, 300)])])),
      batch([reopened]),
    );
    expect(notices.map(({ detail }) => detail)).toEqual(['FIRAU c1: ATD 2026-01-05T05:00:00Z, now none']);
  });

  it('that say the same change nothing', () => {
    const again = record(open.stops, { recordedAt: minute(50) });
    expect(applyObservation(ledgerAfter(batch([open], 200)), batch([again], 300)).changed).toEqual([]);
  });

  it('remove the call when it is cancelled, and an older record does not bring it back', () => {
    const cancelled = record([], { cancelled: true, recordedAt: minute(600) });
    const applied = applyObservation(ledgerAfter(batch([open], 200)), batch([cancelled], 700));
    expect(applied.removed.map((call) => call.callId)).toEqual(['c1']);
    expect(applyObservation(applied.ledger, batch([closed], 800)).ledger.calls.size).toBe(0);
    const renewed = record(closed.stops, { recordedAt: minute(900) });
    expect(applyObservation(applied.ledger, batch([renewed], 950)).ledger.calls.size).toBe(1);
  });

  it('keep the key of the first when one batch withdraws the call and has it again', () => {
    const cancelled = record([], { cancelled: true, recordedAt: minute(450) });
    const { ledger, removed } = applyObservation(
      ledgerAfter(batch([open], 200)),
      batch([cancelled, closed], 600),
    );
    expect([removed, ledger.calls.get('c1')?.firstAtaAt]).toEqual([[], minute(100)]);
  });

  it('are replaced by a newer one, under the key of the first', () => {
    const call = ledgerAfter(batch([open], 200), batch([closed], 600)).calls.get('c1');
    expect(spanText(call)).toBe('90-400');
    expect(call?.firstAtaAt).toBe(minute(100));
  });
});

describe('a withdrawal', () => {
  const cancelled = record([], { cancelled: true, recordedAt: minute(600) });
  const withdrawn = ledgerAfter(batch([record([stop('QUAY', 100)])], 200), batch([cancelled], 700));
  const DAY = 24 * 60;

  it('is remembered for 60 days, so that an older record does not restore the call', () => {
    const late = batch([record([stop('QUAY', 90, 400)], { recordedAt: minute(500) })], 800);
    expect(Object.keys(withdrawn.cancelled)).toEqual(['c1']);
    expect(applyObservation(withdrawn, late).ledger.calls.size).toBe(0);
    const last = applyObservation(withdrawn, batch([], 600 + 60 * DAY)).ledger;
    expect(Object.keys(last.cancelled)).toEqual(['c1']);
  });

  it('counts for a call that was never listed, and for a record with its own stamp', () => {
    const ledger = ledgerAfter(batch([cancelled], 700));
    const spanAfter = (stamp: number) =>
      applyObservation(ledger, batch([record([stop('QUAY', 100)], { recordedAt: minute(stamp) })], 800))
        .ledger.calls.size;
    expect([599, 600, 601].map(spanAfter)).toEqual([0, 0, 1]);
  });

  it('is also a record that takes back every event of its call, but not one of a call that is only planned', () => {
    const planned = record([stop('QUAY')], { recordedAt: minute(600) });
    expect(ledgerAfter(batch([planned])).cancelled).toEqual({});
    const taken = applyObservation(
      ledgerAfter(batch([record([stop('QUAY', 100)])], 200)),
      batch([planned], 700),
    );
    expect([taken.ledger.calls.size, taken.ledger.cancelled]).toEqual([0, { c1: minute(600) }]);
  });

  it('is forgotten after 60 days', () => {
    const after = applyObservation(withdrawn, batch([], 601 + 60 * DAY)).ledger;
    expect(after.cancelled).toEqual({});
  });
});

describe('a complete list', () => {
  const listed = (callId: string, listedAt: number, recordedAt = 0): CallRecord =>
    record([stop('QUAY', 10)], {
      callId,
      vesselId: callId,
      listedAt: minute(listedAt),
      recordedAt: minute(recordedAt),
    });
  const complete = (
    records: readonly CallRecord[],
    observed: number,
    recordedAt = observed,
  ): CallsObservation => ({
    ...batch(records, observed),
    complete: { fromAt: minute(0), toAt: minute(500), recordedAt: minute(recordedAt) },
  });
  const known = ledgerAfter(complete([listed('a', 100), listed('b', 200), listed('c', 600)], 300));

  it('withdraws the calls of its window that it no longer has, and counts them', () => {
    const applied = applyObservation(known, complete([listed('a', 100, 400)], 400));
    expect([...applied.ledger.calls.keys()]).toEqual(['a', 'c']);
    expect(applied.removed.map(({ callId }) => callId)).toEqual(['b']);
    expect(applied.notices).toEqual([{ reason: 'withdrawn-call', detail: 'FIRAU b' }]);
  });

  it('does not withdraw calls outside of its window, nor calls without a time of listing', () => {
    const unlisted = ledgerAfter(batch([record([stop('QUAY', 10)])], 300));
    expect(applyObservation(unlisted, complete([], 400)).removed).toEqual([]);
    expect(applyObservation(known, batch([], 400)).removed).toEqual([]);
  });

  it('does not withdraw a call of a span that the list has nothing of, and does not cover that span', () => {
    const missing = [{ fromAt: minute(150), toAt: minute(250) }];
    const { ledger, removed } = applyObservation(known, { ...complete([], 400), missing });
    expect(removed.map(({ callId }) => callId)).toEqual(['a']);
    const whole = { ...complete([], 400), coveredFromAt: minute(0) };
    expect(applyObservation(ledgerAfter(), { ...whole, missing }).ledger.coverage).toEqual([
      { fromAt: minute(0), toAt: minute(150) },
      { fromAt: minute(250), toAt: minute(400) },
    ]);
    // What an earlier list had of it stays covered.
    expect(ledger.coverage).toEqual(applyObservation(known, complete([], 400)).ledger.coverage);
  });

  it('withdraws the calls that are listed from the start of its window up to its end', () => {
    const edges = ledgerAfter(batch([-1, 0, 499, 500].map((at) => listed(`at ${at}`, at))));
    const { removed } = applyObservation(edges, complete([], 1100));
    expect(removed.map(({ callId }) => callId)).toEqual(['at 0', 'at 499']);
  });

  it('of one stamp with the record of a call withdraws it when it is not older than that record', () => {
    const stamped = ledgerAfter(complete([listed('a', 100, 400)], 400));
    const removedBy = (observed: number) =>
      applyObservation(stamped, complete([], observed, 400)).removed.map(({ callId }) => callId);
    expect([399, 400, 401].map(removedBy)).toEqual([[], ['a'], ['a']]);
  });

  it('remembers a withdrawal under its own stamp', () => {
    const { ledger } = applyObservation(known, complete([listed('a', 100, 400)], 420, 400));
    expect(ledger.cancelled).toEqual({ b: minute(400) });
    const back = (stamp: number) =>
      applyObservation(ledger, batch([listed('b', 200, stamp)], 450)).ledger.calls.has('b');
    expect([400, 401].map(back)).toEqual([false, true]);
  });

  it('does not withdraw a call that a newer list has', () => {
    const newer = ledgerAfter(complete([listed('a', 100, 400)], 400));
    expect(applyObservation(newer, complete([], 350)).removed).toEqual([]);
  });

  it('does not withdraw a call whose row it could not read', () => {
    const unread = complete([listed('a', 100, 400)], 400);
    const unreadable = {
      ...unread,
      complete: { fromAt: minute(0), toAt: minute(500), recordedAt: minute(400), unreadable: ['b'] },
    };
    expect(applyObservation(known, unreadable).removed).toEqual([]);
  });
});

it('a batch covers its own span', () => {
  expect(ledgerAfter(batch([], 500), batch([], 600)).coverage).toEqual([
    { fromAt: minute(400), toAt: minute(600) },
  ]);
});

const time = fc.option(fc.integer({ min: 0, max: 600 }), { nil: undefined, freq: 3 });
const anyStop = fc
  .tuple(fc.constantFrom('ANCH', 'SEA', 'QUAY', 'QUAY2'), time, time)
  .map(([place, ata, atd]) => stop(place, ata, atd));
const anyRecord = (callId: string, recordedAt: number): fc.Arbitrary<CallRecord> =>
  fc
    .tuple(fc.array(anyStop, { maxLength: 5 }), time, time, fc.integer({ min: 0, max: 9 }))
    .map(([stops, ata, atd, dice]) =>
      // A record without past events is not remembered, so one event is always there.
      record([...stops, stop('QUAY', 10 * recordedAt)], {
        callId,
        recordedAt: minute(recordedAt),
        ...(ata !== undefined && dice < 4 && { ataAt: minute(ata) }),
        ...(atd !== undefined && dice < 3 && { atdAt: minute(atd) }),
        ...(dice === 9 && { cancelled: true }),
      }),
    );
const anyRecords = fc.tuple(...[1, 2, 3, 4, 5, 6].map((stamp) => anyRecord(`c${stamp % 3}`, stamp)));
/** Records, and the same in another order. */
const inAnyOrder = anyRecords.chain((records) =>
  fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length })),
);
const RUNS = { numRuns: extent(60, 500), seed: 20260105 };

describe('any records', () => {
  const joining = (records: readonly CallRecord[], observed = 1000): CallsObservation => ({
    ...batch(records, observed),
    arrivalsElsewhere: [{ vesselId: 'V', port: 'FIKTK', ataAt: minute(300) }],
  });

  it('of one vessel give visits that never overlap, whatever the order of the batches', () => {
    const content = (ledger: Ledger): unknown =>
      [...ledger.calls.values()]
        .map(({ callId, legs, ataAt, atdAt, waitKnown }) => ({ callId, legs, ataAt, atdAt, waitKnown }))
        .sort((a, b) => (a.callId < b.callId ? -1 : 1));
    fc.assert(
      fc.property(inAnyOrder, ([records, shuffled]) => {
        const once = ledgerAfter(joining(records));
        const visits = [...once.calls.values()].sort((a, b) => a.ataAt - b.ataAt);
        for (const [index, visit] of visits.entries()) {
          const next = visits[index + 1];
          if (next === undefined || next.ataInferred) continue;
          expect(visit.atdAt ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(next.ataAt);
        }
        const oneByOne = ledgerAfter(...shuffled.map((record, index) => joining([record], 1000 + index)));
        expect(content(oneByOne)).toEqual(content(once));
        expect(applyObservation(once, joining(records)).changed).toEqual([]);
      }),
      RUNS,
    );
  });

  it('make legs that never overlap and stays within ATA and ATD', () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        for (const call of ledgerAfter(batch(records)).calls.values()) {
          let freeFromAt = call.ataAt;
          for (const leg of call.legs) {
            expect(leg.startAt).toBeGreaterThanOrEqual(freeFromAt);
            expect(leg.endAt ?? Number.POSITIVE_INFINITY).toBeGreaterThan(leg.startAt);
            freeFromAt = leg.endAt ?? Number.POSITIVE_INFINITY;
          }
          const total = closedStays(call).reduce((sum, stay) => sum + stay.endAt - stay.startAt, 0);
          if (call.atdAt !== undefined) expect(total).toBeLessThanOrEqual(call.atdAt - call.ataAt);
        }
      }),
      RUNS,
    );
  });

  it('end in the same calls in whatever order batches, records and stops come', () => {
    const content = (ledger: Ledger): unknown =>
      [...ledger.calls.values()]
        .map(({ firstAtaAt: _, changedAt: __, recordedAt: ___, ...call }) => call)
        .sort((a, b) => (a.callId < b.callId ? -1 : 1));
    fc.assert(
      fc.property(inAnyOrder, ([records, shuffled]) => {
        const reversed = shuffled.map((record) => ({ ...record, stops: record.stops.toReversed() }));
        const oneByOne = ledgerAfter(...reversed.map((record, index) => batch([record], 1000 + index)));
        expect(content(oneByOne)).toEqual(content(ledgerAfter(batch(records))));
      }),
      RUNS,
    );
  });

  it('change nothing when they are applied again', () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const ledger = ledgerAfter(batch(records));
        const again = applyObservation(ledger, batch(records));
        expect([again.changed, again.removed]).toEqual([[], []]);
        expect(again.ledger).toEqual(ledger);
      }),
      RUNS,
    );
  });
});

describe('partial records', () => {
  const arrival = record([stop('ANCH', 10), stop('QUAY', 200)], { keepsEarlier: 'fields', ataAt: minute(5) });
  const departure = record([], {
    keepsEarlier: 'fields',
    atdAt: minute(600),
    recordedAt: minute(700),
    vesselId: 'W',
  });
  const call = (...batches: readonly CallsObservation[]) => ledgerAfter(...batches).calls.get('c1');

  it('in the other order too: the arrival does not reopen the call', () => {
    const late = { ...arrival, recordedAt: minute(800) };
    const joined = call(batch([departure], 700), batch([late], 800));
    expect(spanText(joined)).toBe('5-600');
    expect(legsText(joined)).toBe('ANCH 10-200, QUAY 200-600');
  });

  it('correct a departure that was stated before', () => {
    const later = { ...departure, atdAt: minute(650), recordedAt: minute(800) };
    const joined = call(batch([arrival], 300), batch([departure], 700), batch([later], 800));
    expect(spanText(joined)).toBe('5-650');
    expect(legsText(joined)).toBe('ANCH 10-200, QUAY 200-650');
  });

  it('of a departure take the stops that are known, but not the way between them', () => {
    const between = record([stop('ANCH', 10, 200), stop('QUAY')], { keepsEarlier: 'fields' });
    const joined = call(batch([between], 300), batch([departure], 700));
    expect(legsText(joined)).toBe('ANCH 10-200');
    expect(spanText(joined)).toBe('10-600');
  });

  it('of a departure alone begin the call when it ends, without a wait', () => {
    expect(spanText(call(batch([departure], 700)))).toBe('~600-600');
  });

  it('of an arrival have the vessel and the times of that arrival', () => {
    const moved = { keepsEarlier: 'fields' as const, recordedAt: minute(800), vesselId: 'X' };
    const withStops = record([stop('ANCH', 20), stop('QUAY', 200)], moved);
    const renamed = call(batch([arrival], 300), batch([withStops], 800));
    expect([renamed?.vesselId, spanText(renamed), legsText(renamed)]).toEqual([
      'X',
      '5-',
      'ANCH 20-200, QUAY 200-',
    ]);
    const withAta = call(batch([arrival], 300), batch([record([], { ...moved, ataAt: minute(7) })], 800));
    expect([withAta?.vesselId, spanText(withAta), legsText(withAta)]).toEqual([
      'X',
      '7-',
      'ANCH 10-200, QUAY 200-',
    ]);
  });

  it('of a departure have the class and the traffic of the known call, and its fairways', () => {
    const stated = { traffic: 'ferry', vesselClass: 'bulk' } as const;
    const wayIn = record([stop('SEA', 10, 50), stop('QUAY', 60)], { keepsEarlier: 'fields', ...stated });
    const joined = call(batch([wayIn], 300), batch([departure], 700));
    expect(joined).toMatchObject(stated);
    expect(legsText(joined)).toBe('SEA 10-50, QUAY 60-600');
  });

  it('that contradict themselves make the wait unknown, and a later departure does not mend it', () => {
    const doubtful = { ...arrival, waitKnown: false as const };
    expect(call(batch([doubtful], 300), batch([departure], 700))?.waitKnown).toBe(false);
  });

  it('of the arrival and of the departure make one call', () => {
    const joined = call(batch([arrival], 300), batch([departure], 700));
    expect(spanText(joined)).toBe('5-600');
    expect(legsText(joined)).toBe('ANCH 10-200, QUAY 200-600');
    expect([joined?.waitKnown, joined?.vesselId]).toEqual([true, 'V']);
  });
});

/** The legs of the call after records of these stops, oldest first. */
const legsAfter = (keepsEarlier: CallRecord['keepsEarlier'], ...records: RecordedStop[][]): string =>
  legsText(
    ledgerAfter(
      ...records.map((stops, i) => batch([record(stops, { keepsEarlier, recordedAt: minute(i) })], 1000 + i)),
    ).calls.get('c1'),
  );

describe('a record that keeps missing times', () => {
  it('takes each time of a listed stop from the newest record that states it', () => {
    expect(legsAfter('times', [stop('QUAY', 100, 400)], [stop('QUAY', 110)])).toBe('QUAY 110-400');
    expect(legsAfter('times', [stop('QUAY', 100)], [stop('QUAY', undefined, 400)])).toBe('QUAY 100-400');
    expect(legsAfter('times', [stop('QUAY', 100, 400)], [stop('QUAY', 110)], [stop('QUAY')])).toBe(
      'QUAY 110-400',
    );
  });

  it('no longer has a stop that it does not list, and has all of them where it lists none', () => {
    const stops = [stop('ANCH', 100, 200), stop('QUAY', 200, 400)];
    expect(legsAfter('times', stops, [stop('QUAY')])).toBe('QUAY 200-400');
    expect(legsAfter('times', stops, [])).toBe('ANCH 100-200, QUAY 200-400');
  });

  it('takes none where its place is listed more than once', () => {
    const twice = [stop('QUAY', 100, 200), stop('QUAY', 300, 400)];
    expect(legsAfter('times', twice, [stop('QUAY', 110)])).toBe('QUAY 110-');
    expect(legsAfter('times', [stop('QUAY', 100, 200)], [stop('QUAY', 100), stop('QUAY', 300)])).toBe(
      'QUAY 100-300, QUAY 300-',
    );
  });

  it('takes no end that precedes its start, nor a start that follows its end', () => {
    expect(legsAfter('times', [stop('QUAY', 100, 200)], [stop('QUAY', 300)])).toBe('QUAY 300-');
    expect(legsAfter('times', [stop('QUAY', 300)], [stop('QUAY', undefined, 200)])).toBe('');
  });
});

describe('a record of a part of a log', () => {
  const [anchored, berthed] = [stop('ANCH', 100, 200), stop('QUAY', 200, 300)];

  it('keeps the stops before and after it', () => {
    expect(legsAfter('log', [anchored], [berthed])).toBe('ANCH 100-200, QUAY 200-300');
    expect(legsAfter('log', [berthed], [anchored])).toBe('ANCH 100-200, QUAY 200-300');
    expect(legsAfter('log', [anchored, berthed], [])).toBe('ANCH 100-200, QUAY 200-300');
  });

  it('replaces the stops within it', () => {
    const part = [anchored, stop('QUAY2', 300, 400)];
    expect(legsAfter('log', [anchored, berthed, stop('QUAY2', 300, 400)], part)).toBe(
      'ANCH 100-200, QUAY2 300-400',
    );
  });

  it('restates the nearest stop at its first and at its last place, with another time', () => {
    expect(legsAfter('log', [anchored, berthed], [stop('QUAY', 210, 300)])).toBe(
      'ANCH 100-200, QUAY 210-300',
    );
    expect(legsAfter('log', [anchored, berthed], [stop('ANCH', 90, 200)])).toBe('ANCH 90-200, QUAY 200-300');
    expect(legsAfter('log', [anchored, stop('QUAY', 220, 300)], [anchored, stop('QUAY', 210)])).toBe(
      'ANCH 100-200, QUAY 210-300',
    );
  });

  it('has a place to which the vessel came back, after the stay there that an earlier record states', () => {
    expect(legsAfter('log', [anchored, berthed], [stop('ANCH', 300)])).toBe(
      'ANCH 100-200, QUAY 200-300, ANCH 300-',
    );
  });
});
