import { describe, expect, it } from '@jest/globals';
import type {
  CallRecord,
  CallsObservation,
  RecordedStop,
  VesselArrival,
} from '../../../core/calls/observation.ts';
import { closedStays, isOpen, type Ledger } from '../../../core/calls/port-call.ts';
import { applyObservation } from '../../../core/calls/reconstruct.ts';
import { occupancyAt } from '../../../core/metrics/day-figures.ts';
import {
  batch as batchOf,
  ledgerAfter,
  legsText,
  minute,
  record as recordOf,
  spanText,
  stop,
} from '../../builders/port-polls.ts';

const record = (callId: string, stops: readonly RecordedStop[], recordedAt = 0): CallRecord =>
  recordOf(stops, { callId, recordedAt: minute(recordedAt) });
const elsewhere = (ata: number): VesselArrival => ({ vesselId: 'V', port: 'FIKTK', ataAt: minute(ata) });
const batch = (
  observed: number,
  records: readonly CallRecord[],
  arrivalsElsewhere: readonly VesselArrival[] = [],
): CallsObservation => ({ ...batchOf(records, observed), arrivalsElsewhere });
const textOf = (ledger: Ledger): string[] =>
  [...ledger.calls.values()]
    .sort((a, b) => a.ataAt - b.ataAt)
    .map((call) => `${call.callId} ${spanText(call)}: ${legsText(call)}`);

describe('a departure that was never written', () => {
  const open = record('c1', [stop('ANCH', 10, 50), stop('QUAY', 60)]);

  it('is at the last known event once the vessel has arrived again', () => {
    const ledger = ledgerAfter(batch(200, [open]), batch(900, [record('c2', [stop('QUAY', 800)])]));
    expect(textOf(ledger)).toEqual(['c1 10-~60: ANCH 10-50, QUAY 60-?60', 'c2 800-: QUAY 800-']);
    const first = ledger.calls.get('c1');
    expect(first && isOpen(first)).toBe(false);
    expect(first?.waitKnown).toBe(true);
    expect(first && closedStays(first).map(({ kind }) => kind)).toEqual(['wait']);
    expect(occupancyAt(ledger.calls.values(), minute(900))).toEqual({
      inPort: 1,
      atAnchor: 0,
      arrivals24h: 2,
      departures24h: 0,
    });
  });

  it('is at the last known event when the next call begins at that time', () => {
    const ledger = ledgerAfter(batch(200, [open]), batch(900, [record('c2', [stop('QUAY', 60)])]));
    expect(textOf(ledger)).toEqual(['c1 10-~60: ANCH 10-50, QUAY 60-?60', 'c2 60-: QUAY 60-']);
    expect(occupancyAt(ledger.calls.values(), minute(900))).toMatchObject({ inPort: 1 });
  });

  it('is at the last known event once the vessel has arrived in another port', () => {
    const ledger = ledgerAfter(batch(200, [open]), batch(900, [], [elsewhere(800)]));
    expect(textOf(ledger)).toEqual(['c1 10-~60: ANCH 10-50, QUAY 60-?60']);
    expect(occupancyAt(ledger.calls.values(), minute(900))).toMatchObject({ inPort: 0, departures24h: 0 });
  });

  it('stays so when the record comes again, and is replaced when it states an ATD or a later event', () => {
    const closed = ledgerAfter(batch(200, [open]), batch(900, [], [elsewhere(800)]));
    const again = ledgerAfter(
      batch(200, [open]),
      batch(900, [], [elsewhere(800)]),
      batch(950, [{ ...open, recordedAt: minute(940) }]),
    );
    expect(textOf(again)).toEqual(textOf(closed));
    const stated = record('c1', [stop('ANCH', 10, 50), stop('QUAY', 60, 700)], 950);
    expect(textOf(applyObservation(closed, batch(960, [stated])).ledger)).toEqual([
      'c1 10-700: ANCH 10-50, QUAY 60-700',
    ]);
    const later = record('c1', [stop('ANCH', 10, 50), stop('QUAY', 850)], 950);
    expect(textOf(applyObservation(closed, batch(960, [later])).ledger)).toEqual([
      'c1 10-: ANCH 10-50, QUAY 850-',
    ]);
  });

  it('is not concluded from an arrival before the last known event, in its own port, or of another vessel', () => {
    const others = [
      elsewhere(55),
      { ...elsewhere(800), port: 'FIRAU' },
      { ...elsewhere(800), vesselId: 'W' },
    ];
    expect(textOf(ledgerAfter(batch(200, [open]), batch(900, [], others)))).toEqual([
      'c1 10-: ANCH 10-50, QUAY 60-',
    ]);
  });

  it('is at the last known event on a fairway too', () => {
    const wayOut = record('c1', [stop('QUAY', 10, 50), stop('SEA', 60)]);
    expect(textOf(ledgerAfter(batch(200, [wayOut]), batch(900, [], [elsewhere(800)])))).toEqual([
      'c1 10-~60: QUAY 10-50, SEA 60-?60',
    ]);
  });

  it('is concluded from later visits in whatever order the records come', () => {
    const records = [record('c2', [stop('QUAY', 800)]), record('c1', [stop('QUAY', 60)])];
    const expected = ['c1 60-~60: QUAY 60-?60', 'c2 800-: QUAY 800-'];
    expect(textOf(ledgerAfter(batch(900, records)))).toEqual(expected);
    expect(textOf(ledgerAfter(batch(900, records.toReversed())))).toEqual(expected);
  });

  it.each([[[elsewhere(800), elsewhere(700)]], [[elsewhere(700), elsewhere(800)]]])(
    'is concluded from the first arrival elsewhere alone, whatever the order',
    (arrivals) => {
      const closed = ledgerAfter(batch(200, [open]), batch(900, [], arrivals));
      expect(closed.calls.get('c1')?.elsewhereAt).toBe(minute(700));
      const later = record('c1', [stop('ANCH', 10, 50), stop('QUAY', 750)], 950);
      const corrected = applyObservation(closed, batch(960, [later])).ledger;
      expect(textOf(corrected)).toEqual(['c1 10-: ANCH 10-50, QUAY 750-']);
      expect(corrected.calls.get('c1')?.elsewhereAt).toBeUndefined();
    },
  );

  it('needs no arrival elsewhere when it is stated, nor one that is not after the last known event', () => {
    const stated = record('c1', [stop('QUAY', 60, 700)]);
    const elsewhereOf = (record: CallRecord, ata: number) =>
      ledgerAfter(batch(900, [record], [elsewhere(ata)])).calls.get('c1')?.elsewhereAt;
    expect([elsewhereOf(stated, 800), elsewhereOf(open, 60), elsewhereOf(open, 61)]).toEqual([
      undefined,
      undefined,
      minute(61),
    ]);
  });

  it('drops the arrival elsewhere when a record states it, or an event at or after that arrival', () => {
    const closed = ledgerAfter(batch(200, [open]), batch(900, [], [elsewhere(800)]));
    for (const last of [stop('QUAY', 60, 700), stop('QUAY', 800), stop('QUAY', 850)]) {
      const next = record('c1', [stop('ANCH', 10, 50), last], 950);
      const { calls } = applyObservation(closed, batch(960, [next])).ledger;
      expect(calls.get('c1')?.elsewhereAt).toBeUndefined();
    }
  });
});

it('a vessel that left its anchorage for a planned berth, and then was elsewhere, had no berth', () => {
  const planned = record('c1', [stop('ANCH', 10, 200), stop('QUAY')]);
  const open = ledgerAfter(batch(300, [planned]));
  expect(textOf(open)).toEqual(['c1 10-: ANCH 10-200,  200-']);
  const over = applyObservation(open, batch(900, [], [elsewhere(800)])).ledger;
  expect(textOf(over)).toEqual(['c1 10-~200: ANCH 10-200']);
});

describe('overlapping records of one vessel', () => {
  const ledgerOf = (...records: readonly CallRecord[]) => ledgerAfter(batch(500, records));
  const joined = (...records: readonly CallRecord[]) => textOf(ledgerOf(...records));

  it('are one call, with the stops of one berth joined', () => {
    const ledger = ledgerOf(
      record('c1', [stop('ANCH', 10, 50), stop('QUAY', 60, 200)]),
      record('c2', [stop('QUAY', 70, 250), stop('QUAY2', 260, 400)]),
    );
    expect(textOf(ledger)).toEqual(['c1 10-400: ANCH 10-50, QUAY 60-250, QUAY2 260-400']);
    expect(occupancyAt(ledger.calls.values(), minute(500))).toMatchObject({
      arrivals24h: 1,
      departures24h: 1,
    });
  });

  it('end with the latest ATD, also where no stop states it', () => {
    const stated = { ...record('c1', [stop('QUAY', 60, 200)]), atdAt: minute(230) };
    expect(joined(stated, record('c2', [stop('QUAY', 70, 150)]))).toEqual(['c1 60-230: QUAY 60-200']);
  });

  it('are one call when they state one ATA and nothing else', () => {
    const both = ['c1', 'c2'].map((callId) => record(callId, [stop('QUAY', 60)]));
    expect(joined(...both)).toEqual(['c1 60-: QUAY 60-']);
  });

  it('are found by time, in whatever order they come', () => {
    const chain = [
      record('c1', [stop('QUAY', 60, 120)]),
      record('c2', [stop('QUAY2', 200, 300)]),
      record('c3', [stop('QUAY', 110, 210)]),
    ];
    for (const records of [chain, chain.toReversed()])
      expect(joined(...records)).toEqual(['c1 60-300: QUAY 60-200, QUAY2 200-300']);
  });

  it('take the earliest ATA that is not inferred', () => {
    const arrivedAt = (
      callId: string,
      ata: number,
      stops: RecordedStop[],
      more: Partial<CallRecord> = {},
    ) => ({
      ...record(callId, stops),
      ataAt: minute(ata),
      ...more,
    });
    const ataOf = (...records: CallRecord[]) => ledgerOf(...records).calls.get('c1')?.ataAt;
    const second = arrivedAt('c2', 50, [stop('QUAY', 70, 250)]);
    expect(ataOf(arrivedAt('c1', 40, [stop('QUAY', 60, 200)]), second)).toBe(minute(40));
    expect(ataOf(arrivedAt('c1', 40, [stop('QUAY', 60, 200)], { ataInferred: true }), second)).toBe(
      minute(50),
    );
  });

  it('have the port, the newest stamp and the first class that is stated', () => {
    const ledger = ledgerOf(
      record('c1', [stop('QUAY', 60, 200)], 300),
      { ...record('c2', [stop('QUAY', 70, 250)], 400), vesselClass: 'tanker' },
      { ...record('c3', [stop('QUAY', 80, 250)], 200), vesselClass: 'other' },
    );
    expect(ledger.calls.get('c1')).toMatchObject({
      port: 'FIRAU',
      recordedAt: minute(400),
      vesselClass: 'tanker',
    });
  });

  it('join stops at one berth that touch or overlap, and no others', () => {
    const overlapping = [record('c1', [stop('QUAY', 100, 200)]), record('c2', [stop('QUAY', 60, 110)])];
    expect(joined(...overlapping)).toEqual(['c1 60-200: QUAY 60-200']);
    const touching = { ...record('c1', [stop('QUAY', 60, 100)]), atdAt: minute(130) };
    expect(joined(touching, record('c2', [stop('QUAY', 100, 200)]))).toEqual(['c1 60-200: QUAY 60-200']);
    const shifted = record('c1', [stop('QUAY', 60, 100), stop('QUAY2', 110, 180)]);
    expect(joined(shifted, record('c2', [stop('QUAY', 150, 250)]))).toEqual([
      'c1 60-250: QUAY 60-100, QUAY2 110-150, QUAY 150-250',
    ]);
  });

  it('know the times of a joined stop that one of them knows', () => {
    const unknown = { startUnknown: true, endUnknown: true } as const;
    const silent = record('c1', [{ ...stop('QUAY', 60, 200), ...unknown }]);
    expect(joined(silent, record('c2', [stop('QUAY', 70, 250)]))).toEqual(['c1 60-250: QUAY ?60-250']);
    expect(joined(silent, record('c2', [stop('QUAY', 50, 150)]))).toEqual(['c1 50-~200: QUAY 50-?200']);
    const unended = record('c1', [stop('QUAY', 60)]);
    expect(joined(unended, record('c2', [stop('QUAY', 60, 250), stop('QUAY2', 300)]))).toEqual([
      'c1 60-: QUAY 60-250, QUAY2 300-',
    ]);
  });

  it('keep a place on a fairway, and not the way to a planned berth', () => {
    const second = record('c2', [stop('QUAY', 90, 300)]);
    expect(joined(record('c1', [stop('', 60, 80), stop('QUAY', 100)]), second)).toEqual([
      'c1 60-300:  60-80, QUAY 90-300',
    ]);
    expect(joined(record('c1', [stop('SEA', 10, 50), stop('QUAY', 60, 200)]), second)).toEqual([
      'c1 10-300: SEA 10-50, QUAY 60-300',
    ]);
    expect(joined(record('c1', [stop('ANCH', 10, 100), stop('QUAY')]), second)).toEqual([
      'c1 10-300: ANCH 10-90, QUAY 90-300',
    ]);
  });

  it('are over when the vessel was elsewhere after their last event, by the latest of these arrivals', () => {
    const first = ledgerAfter(batch(100, [record('c1', [stop('QUAY', 60)])], [elsewhere(150)]));
    const second = batch(500, [record('c2', [stop('QUAY', 55), stop('QUAY2', 300)])], [elsewhere(800)]);
    expect(textOf(applyObservation(first, second).ledger)).toEqual([
      'c1 55-~300: QUAY 55-300, QUAY2 300-?300',
    ]);
  });

  it('are not over when the vessel was elsewhere before their last event', () => {
    const records = [record('c1', [stop('QUAY', 60)]), record('c2', [stop('QUAY', 55), stop('QUAY2', 300)])];
    const ledger = ledgerAfter(batch(100, records.slice(0, 1), [elsewhere(150)]), batch(500, records));
    expect(textOf(ledger)).toEqual(['c1 55-: QUAY 55-300, QUAY2 300-']);
  });

  it.each([
    ['cargo', 'ferry', 'cargo'],
    ['ferry', 'cargo', 'cargo'],
    ['ferry', 'ferry', 'ferry'],
  ] as const)('of %s and %s traffic are %s traffic', (first, other, expected) => {
    const ledger = ledgerOf(
      { ...record('c1', [stop('QUAY', 60, 200)]), traffic: first },
      { ...record('c2', [stop('QUAY', 70, 250)]), traffic: other },
    );
    expect(ledger.calls.get('c1')?.traffic).toBe(expected);
  });

  it('have a wait that counts only where that of each counts', () => {
    const waitOf = (doubtful: boolean) =>
      ledgerOf(record('c1', [stop('QUAY', 60, 200)]), {
        ...record('c2', [stop('QUAY', 70, 250)]),
        ...(doubtful && { waitKnown: false }),
      }).calls.get('c1')?.waitKnown;
    expect([waitOf(false), waitOf(true)]).toEqual([true, false]);
  });

  it('come apart when a correction shows that they do not overlap', () => {
    const merged = ledgerOf(record('c1', [stop('QUAY', 60, 200)]), record('c2', [stop('QUAY', 70, 250)]));
    expect(textOf(merged)).toEqual(['c1 60-250: QUAY 60-250']);
    const corrected = applyObservation(merged, batch(600, [record('c2', [stop('QUAY', 210, 250)], 550)]));
    expect(textOf(corrected.ledger)).toEqual(['c1 60-200: QUAY 60-200', 'c2 210-250: QUAY 210-250']);
  });

  it('stay two visits when one ends where the next begins', () => {
    const touching = [record('c1', [stop('QUAY', 60, 200)]), record('c2', [stop('QUAY', 200, 250)])];
    expect(joined(...touching)).toHaveLength(2);
  });

  it('stay apart for a source that does not ask for it', () => {
    const { arrivalsElsewhere: _, ...plain } = batch(500, [
      record('c1', [stop('QUAY', 60, 200)]),
      record('c2', [stop('QUAY', 70, 250)]),
    ]);
    expect(textOf(ledgerAfter(plain))).toHaveLength(2);
  });
});
