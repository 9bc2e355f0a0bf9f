/** Port calls from polls: updates the vessels' calls by comparing a poll of a port with the previous one. */
import { groupBy } from '../reference/grouping.ts';
import { type Ledger, ledgerClocks, type Reading } from './ledger.ts';
import type { PortPoll, VesselInPort } from './observation.ts';
import { type PollView, viewPoll } from './poll-view.ts';
import {
  type ChangeTime,
  endedBy,
  isOpen,
  isSamePosition,
  named,
  type PortCall,
  reopened,
  withMove,
} from './port-call.ts';
import { makeTimeline } from './vessel-events.ts';
import { identify, withIdentity } from './vessel-identity.ts';
import { EventMatcher, type Visits } from './visits.ts';

// Applies the list of vessels in port to a call: its current place, or its end when the vessel is no longer listed.

/** `call` with its vessel listed at the place of `row`. A change of place is dated by `view.change`. */
function withSighting(call: PortCall, row: VesselInPort, view: PollView): PortCall {
  const last = call.legs.at(-1);
  if (call.atdAt !== undefined && !call.atdInferred) return withWayOut(call, row);
  const { atdAt: _, atdInferred: __, ...open } = call;
  if (last !== undefined && isSamePosition(last, row)) {
    return { ...open, legs: [...call.legs.slice(0, -1), reopened(named(last, row))] };
  }
  const legs = withMove(
    call.legs,
    row,
    last === undefined ? { at: call.ataAt, unknown: false } : view.change,
  );
  return { ...open, legs, waitKnown: call.waitKnown && !waitMovedOutOfSight(call, row, view) };
}

/** Whether a wait may have begun or ended, or the first berth been reached, in a gap that is not covered. */
function waitMovedOutOfSight(call: PortCall, row: VesselInPort, view: PollView): boolean {
  if (!view.change.unknown) return false;
  if (call.legs.some((leg) => leg.zone === 'berth')) return false;
  const last = call.legs.at(-1);
  return last === undefined ? row.zone === 'berth' : last.zone !== row.zone;
}

/** A vessel still listed after its stated ATD is on its way out, wherever the list has it. */
function withWayOut(call: PortCall, row: VesselInPort): PortCall {
  const last = call.legs.at(-1);
  if (last !== undefined && last.endAt === undefined) return call;
  const departedAt = call.atdAt ?? call.ataAt;
  if (last !== undefined && last.zone === 'moving' && last.startAt >= departedAt) {
    return { ...call, legs: [...call.legs.slice(0, -1), reopened(last)] };
  }
  return { ...call, legs: [...call.legs, { zone: 'moving', place: row.place, startAt: departedAt }] };
}

/** `call` with its vessel no longer listed: it left at `departure`. */
function withAbsence(call: PortCall, departure: ChangeTime): PortCall {
  const last = call.legs.at(-1);
  const endAt = Math.max(last?.startAt ?? call.ataAt, departure.at);
  const legs = last === undefined ? [] : [...call.legs.slice(0, -1), endedBy(last, departure)];
  const lasting = legs.filter((leg) => leg.endAt === undefined || leg.endAt > leg.startAt);
  if (call.atdAt !== undefined) return { ...call, legs: lasting };
  return { ...call, legs: lasting, atdAt: endAt, atdInferred: true };
}

/** The vessels whose calls the poll may change: those it names, and those in port so far. */
function vesselsConcerned(view: PollView, callsOf: ReadonlyMap<string, readonly PortCall[]>): Set<string> {
  const vessels = new Set([...(view.inPort?.keys() ?? []), ...view.arrived.keys(), ...view.departed.keys()]);
  for (const [vesselId, calls] of callsOf) if (calls.some(isOpen)) vessels.add(vesselId);
  return vessels;
}

/** The vessel's calls after the in-port list. A vessel that is no longer listed left midway, before its next arrival if any. */
function afterInPortList({ calls, listed, present }: Visits, vesselId: string, view: PollView): PortCall[] {
  const row = view.inPort?.get(vesselId);
  const gone = view.inPort !== undefined && view.previousAt !== undefined && !view.unreadable.has(vesselId);
  return calls.map((call, index) => {
    if (row !== undefined && call.callId === listed) return withSighting(call, row, view);
    if (!gone || !isOpen(call) || call.callId === present) return call;
    const next = calls.slice(index + 1).find((later) => !later.ataInferred);
    const { at, unknown } = view.change;
    return withAbsence(call, { at: Math.min(at, next?.ataAt ?? at), unknown });
  });
}

/** Applies a poll newer than the last report: identities, then the stated events, then the list of vessels in port. */
export function readPoll(ledger: Ledger, reported: PortPoll): Reading {
  const { poll, calls: known, duplicates, identities } = identify(ledger, reported);
  const view = viewPoll(ledger, poll);
  const vesselCalls = groupBy(known, ({ vesselId }) => vesselId);
  const calls = [...vesselsConcerned(view, vesselCalls)].flatMap((vesselId) => {
    const timeline = makeTimeline(view, vesselId);
    const visits = new EventMatcher(vesselCalls.get(vesselId) ?? [], timeline, view).apply();
    return afterInPortList(visits, vesselId, view).map((call) =>
      call.callId === visits.present ? withIdentity(call, identities.get(vesselId)) : call,
    );
  });
  const { observedAt } = poll;
  const read = { ...ledgerClocks(ledger), coverage: view.coverage, lastObservedAt: observedAt };
  return {
    calls,
    removed: duplicates,
    notices: [],
    clocks: view.inPort === undefined ? read : { ...read, lastInPortAt: observedAt },
  };
}
