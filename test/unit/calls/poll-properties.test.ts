import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type {
  PollObservation,
  VesselArrived,
  VesselDeparted,
  VesselInPort,
} from '../../../core/calls/observation.ts';
import {
  closedStays,
  type Ledger,
  ledgerClocks,
  openLedger,
  type PortCall,
  type Position,
} from '../../../core/calls/port-call.ts';
import { applyObservation } from '../../../core/calls/reconstruct.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '../../../core/reference/time.ts';
import { extent } from '../../builders/extent.ts';

const START: Instant = Date.UTC(2026, 0, 5);

const POSITIONS: readonly Position[] = [
  { zone: 'anchorage', place: 'NORTH' },
  { zone: 'anchorage', place: 'SOUTH' },
  { zone: 'berth', place: 'TERMINAL' },
  { zone: 'berth', place: 'TERMINAL > 1' },
  { zone: 'berth', place: 'TERMINAL > 2' },
  { zone: 'moving', place: 'FAIRWAY' },
];

const vesselId = fc.constantFrom('A', 'B', 'C');
const position = fc.constantFrom(...POSITIONS);
/** Times on a coarse grid, so that equal and nearly equal ones are common. */
const eventAt = fc
  .integer({ min: -24, max: 72 })
  .map((step) => START + step * HOUR_MS + (step % 5) * MINUTE_MS);

/** Mostly absent, and sometimes shared by vessels, as after a change of call sign. */
const imo = fc.option(fc.constantFrom('9000001', '9000002'), { nil: undefined, freq: 1 });

const inPortRow: fc.Arbitrary<VesselInPort> = fc
  .tuple(vesselId, eventAt, position, imo)
  .map(([vessel, ataAt, where, number]) => ({
    vesselId: vessel,
    ataAt,
    ...where,
    ...(number !== undefined && { imo: number }),
  }));
const arrivedRow: fc.Arbitrary<VesselArrived> = fc
  .tuple(inPortRow, fc.boolean())
  .map(([row, departed]) => ({ ...row, departed }));
const departedRow: fc.Arbitrary<VesselDeparted> = fc
  .tuple(vesselId, eventAt, position)
  .map(([vessel, atdAt, where]) => ({ vesselId: vessel, atdAt, ...where }));

const list = <Row>(row: fc.Arbitrary<Row>): fc.Arbitrary<readonly Row[] | undefined> =>
  fc.option(fc.array(row, { maxLength: 4 }), { nil: undefined, freq: 4 });

const lists = fc.record({
  minutes: fc.integer({ min: 1, max: 600 }),
  inPort: list(inPortRow),
  arrived: list(arrivedRow),
  departed: list(departedRow),
  unreadable: fc.option(fc.array(vesselId, { minLength: 1, maxLength: 1 }), { nil: undefined, freq: 1 }),
});

/** Up to nine polls of one port in order of time, 1 minute to 10 hours apart: few vessels, few places, every conflict. */
const randomPolls: fc.Arbitrary<PollObservation[]> = fc
  .array(lists, { minLength: 1, maxLength: 9 })
  .map((made) => {
    let at = START;
    return made.map(({ minutes, inPort, arrived, departed, unreadable }): PollObservation => {
      at += minutes * MINUTE_MS;
      return {
        kind: 'poll',
        port: 'HKHKG',
        observedAt: at,
        ...(inPort && { inPort }),
        ...(arrived && { arrived }),
        ...(departed && { departed }),
        ...(unreadable && { unreadable }),
      };
    });
  });

/** A longer search: `RUNS=8000 SEED=21` before the test's command. */
const RUNS = { numRuns: Number(process.env.RUNS ?? extent(60, 300)), seed: Number(process.env.SEED ?? 7) };

const callsOf = (ledger: Ledger): PortCall[] =>
  [...ledger.calls.values()].sort((a, b) => (a.callId < b.callId ? -1 : 1));

const applyAll = (polls: readonly PollObservation[]): Ledger =>
  polls.reduce((ledger, poll) => applyObservation(ledger, poll).ledger, openLedger());

const forAny = (check: (polls: readonly PollObservation[]) => void) =>
  fc.assert(fc.property(randomPolls, check), RUNS);

describe('calls made from any polls', () => {
  it('have legs in order that never overlap, open only at the end, from the ATA on', () => {
    forAny((polls) => {
      for (const call of applyAll(polls).calls.values()) {
        let freeFromAt = call.ataAt;
        for (const [index, leg] of call.legs.entries()) {
          expect(leg.startAt).toBeGreaterThanOrEqual(freeFromAt);
          if (leg.endAt === undefined) expect(index).toBe(call.legs.length - 1);
          else expect(leg.endAt).toBeGreaterThan(leg.startAt);
          freeFromAt = leg.endAt ?? leg.startAt;
        }
      }
    });
  });

  it('have stays that end by the ATD and sum to no more than ATA to ATD', () => {
    forAny((polls) => {
      for (const call of applyAll(polls).calls.values()) {
        if (call.atdAt === undefined) continue;
        expect(call.atdAt).toBeGreaterThanOrEqual(call.ataAt);
        const stays = closedStays(call);
        for (const stay of stays) expect(stay.endAt).toBeLessThanOrEqual(call.atdAt);
        const total = stays.reduce((sum, stay) => sum + stay.endAt - stay.startAt, 0);
        expect(total).toBeLessThanOrEqual(call.atdAt - call.ataAt);
      }
    });
  });

  it('are the same when a poll is applied again', () => {
    forAny((polls) => {
      const last = polls.at(-1);
      if (last === undefined) return;
      const before = applyAll(polls.slice(0, -1));
      const once = applyObservation(before, last).ledger;
      expect(applyObservation(once, last)).toEqual({ ledger: once, changed: [], removed: [], notices: [] });
      const unread = openLedger(ledgerClocks(before), once.calls.values());
      const again = applyObservation(unread, last);
      expect(again.changed).toEqual([]);
      expect(ledgerClocks(again.ledger)).toEqual(ledgerClocks(once));
      expect(callsOf(again.ledger)).toEqual(callsOf(once));
    });
  });

  it('are the same when only some of them were written and the poll is applied again', () => {
    fc.assert(
      fc.property(randomPolls, fc.infiniteStream(fc.boolean()), (polls, coin) => {
        let ledger = openLedger();
        for (const poll of polls) {
          const clean = applyObservation(ledger, poll);
          const written = clean.changed.filter(() => coin.next().value);
          const calls = new Map([...ledger.calls, ...written.map((call) => [call.callId, call] as const)]);
          const repaired = applyObservation(openLedger(ledgerClocks(ledger), calls.values()), poll);
          expect(callsOf(repaired.ledger)).toEqual(callsOf(clean.ledger));
          expect(ledgerClocks(repaired.ledger)).toEqual(ledgerClocks(clean.ledger));
          ledger = clean.ledger;
        }
      }),
      RUNS,
    );
  });

  it('do not depend on the order of the rows in a list', () => {
    forAny((polls) => {
      const reversed = polls.map((poll) => ({
        ...poll,
        ...(poll.inPort && { inPort: poll.inPort.toReversed() }),
        ...(poll.arrived && { arrived: poll.arrived.toReversed() }),
        ...(poll.departed && { departed: poll.departed.toReversed() }),
      }));
      expect(callsOf(applyAll(reversed))).toEqual(callsOf(applyAll(polls)));
    });
  });

  it('survive the store: the ledger is plain data', () => {
    forAny((polls) => {
      const ledger = applyAll(polls);
      expect(JSON.parse(JSON.stringify(ledgerClocks(ledger)))).toEqual(ledgerClocks(ledger));
      for (const call of ledger.calls.values()) {
        expect(JSON.parse(JSON.stringify(call))).toEqual(call);
      }
    });
  });
});
