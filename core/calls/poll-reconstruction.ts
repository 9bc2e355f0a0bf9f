/** Port calls from polls: updates the vessels' calls by comparing a poll of a port with the previous one. */
import { withAbsence, withSighting } from './in-port-list.ts';
import type { Ledger, Reading } from './ledger.ts';
import type { PortPoll } from './observation.ts';
import { type PollView, viewPoll } from './poll-view.ts';
import { isOpen, type PortCall } from './port-call.ts';
import { identify, withIdentity } from './vessel-identity.ts';
import { timelineOf } from './vessel-timeline.ts';
import { readEvents, type Visits } from './visits.ts';

/** The vessels whose calls the poll may change: those that it names, and those in port so far. */
function vesselsConcerned(view: PollView, callsOf: ReadonlyMap<string, readonly PortCall[]>): Set<string> {
  const vessels = new Set([...(view.inPort?.keys() ?? []), ...view.arrived.keys(), ...view.departed.keys()]);
  for (const [vesselId, calls] of callsOf) if (calls.some(isOpen)) vessels.add(vesselId);
  return vessels;
}

function callsByVessel(calls: Iterable<PortCall>): Map<string, PortCall[]> {
  const grouped = new Map<string, PortCall[]>();
  for (const call of calls) {
    const known = grouped.get(call.vesselId);
    if (known) known.push(call);
    else grouped.set(call.vesselId, [call]);
  }
  return grouped;
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

/**
 * Applies a poll that is newer than the last report: first the identity of the vessels, then the events that it states,
 * then the list of the vessels in port.
 */
export function readPoll(ledger: Ledger, reported: PortPoll): Reading {
  const { poll, calls: known, duplicates, identities } = identify(ledger, reported);
  const view = viewPoll(ledger, poll);
  const callsOf = callsByVessel(known);
  const calls = [...vesselsConcerned(view, callsOf)].flatMap((vesselId) => {
    const visits = readEvents(callsOf.get(vesselId) ?? [], timelineOf(view, vesselId), view);
    return afterInPortList(visits, vesselId, view).map((call) =>
      call.callId === visits.present ? withIdentity(call, identities.get(vesselId)) : call,
    );
  });
  const { calls: _, ...clocks } = ledger;
  const { observedAt } = poll;
  const read = { ...clocks, coverage: view.coverage, lastObservedAt: observedAt };
  return {
    calls,
    removed: duplicates,
    notices: [],
    clocks: view.inPort === undefined ? read : { ...read, lastInPortAt: observedAt },
  };
}
