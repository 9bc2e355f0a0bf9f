/** Port calls from polls: what one look at a port, next to the look before it, makes of the vessels' calls. */
import type { Instant } from '../reference/time.ts';
import { LONGEST_POLL_GAP_MS } from './coverage.ts';
import { type Applied, type Ledger, settle } from './ledger.ts';
import { ended, isSamePosition, named, reopened, withMove } from './legs.ts';
import type { PortPoll, VesselInPort } from './observation.ts';
import { type PollView, viewPoll } from './poll-view.ts';
import type { PortCall } from './port-call.ts';
import { isOpen } from './presence.ts';
import { isSameCall } from './same-call.ts';
import { readVisits } from './visits.ts';

/** The vessel listed in port, where it is now. A change of place happened midway between the two polls. */
function sight(call: PortCall, row: VesselInPort, view: PollView): PortCall {
  const last = call.legs.at(-1);
  if (call.atdAt !== undefined && !call.atdInferred) return sightOnWayOut(call, row);
  const { atdAt: _, atdInferred: __, ...open } = call;
  if (last !== undefined && isSamePosition(last, row)) {
    return { ...open, legs: [...call.legs.slice(0, -1), reopened(named(last, row))] };
  }
  const legs = withMove(call.legs, row, last === undefined ? call.ataAt : view.changeAt);
  return { ...open, legs, waitKnown: call.waitKnown && !waitMovedOutOfSight(call, row, view) };
}

/** Whether a wait may have begun or ended, or the first berth been reached, in a longer gap than polls may leave. */
function waitMovedOutOfSight(call: PortCall, row: VesselInPort, view: PollView): boolean {
  const { previousAt, poll } = view;
  if (previousAt === undefined || poll.observedAt - previousAt <= LONGEST_POLL_GAP_MS) return false;
  if (call.legs.some((leg) => leg.zone === 'berth')) return false;
  const last = call.legs.at(-1);
  return last === undefined ? row.zone === 'berth' : last.zone !== row.zone;
}

/** A vessel still listed after its stated ATD is on its way out, wherever the list has it. */
function sightOnWayOut(call: PortCall, row: VesselInPort): PortCall {
  const last = call.legs.at(-1);
  if (last !== undefined && last.endAt === undefined) return call;
  const departedAt = call.atdAt ?? call.ataAt;
  if (last !== undefined && last.zone === 'moving' && last.startAt >= departedAt) {
    return { ...call, legs: [...call.legs.slice(0, -1), reopened(last)] };
  }
  return { ...call, legs: [...call.legs, { zone: 'moving', place: row.place, startAt: departedAt }] };
}

/** A vessel no longer listed left midway between the polls, before its next arrival if one is known. */
function vanish(call: PortCall, leftAt: Instant): PortCall {
  const last = call.legs.at(-1);
  const endAt = Math.max(last?.startAt ?? call.ataAt, leftAt);
  const legs = last === undefined ? [] : [...call.legs.slice(0, -1), ended(last, endAt)];
  const lasting = legs.filter((leg) => leg.endAt === undefined || leg.endAt > leg.startAt);
  if (call.atdAt !== undefined) return { ...call, legs: lasting };
  return { ...call, legs: lasting, atdAt: endAt, atdInferred: true };
}

/** Applies what the poll says of one vessel to its calls. */
function applyToVessel(calls: readonly PortCall[], vesselId: string, view: PollView): readonly PortCall[] {
  const row = view.inPort?.get(vesselId);
  const visits = readVisits(calls, vesselId, row, view);
  const gone = view.inPort !== undefined && view.previousAt !== undefined && !view.unreadable.has(vesselId);
  return visits.calls.map((call, index) => {
    if (row !== undefined && call.callId === visits.listed) return sight(call, row, view);
    if (!gone || !isOpen(call) || call.callId === visits.present) return call;
    const next = visits.calls.slice(index + 1).find((later) => !later.ataInferred);
    return vanish(call, Math.min(view.changeAt, next?.ataAt ?? view.changeAt));
  });
}

/** The vessels of whom the poll may change a call: all that it names, and all that are in port so far. */
function vesselsConcerned(view: PollView, callsOf: ReadonlyMap<string, readonly PortCall[]>): Set<string> {
  const vessels = new Set([...(view.inPort?.keys() ?? []), ...view.arrived.keys(), ...view.departed.keys()]);
  for (const [vesselId, calls] of callsOf) if (calls.some(isOpen)) vessels.add(vesselId);
  return vessels;
}

/** Applies a poll; one that is not newer than the last report changes nothing. */
export function applyPoll(ledger: Ledger, poll: PortPoll): Applied {
  const { observedAt } = poll;
  if (ledger.lastObservedAt !== undefined && observedAt <= ledger.lastObservedAt) {
    return { ledger, changed: [], removed: [] };
  }
  const view = viewPoll(ledger, poll);
  const callsOf = new Map<string, PortCall[]>();
  for (const call of ledger.calls.values()) {
    const held = callsOf.get(call.vesselId);
    if (held) held.push(call);
    else callsOf.set(call.vesselId, [call]);
  }
  const changed: PortCall[] = [];
  for (const vesselId of vesselsConcerned(view, callsOf)) {
    for (const call of applyToVessel(callsOf.get(vesselId) ?? [], vesselId, view)) {
      const before = ledger.calls.get(call.callId);
      if (before === call || (before !== undefined && isSameCall(before, call))) continue;
      changed.push({ ...call, changedAt: observedAt });
    }
  }
  const calls = new Map(ledger.calls);
  for (const call of changed) calls.set(call.callId, call);
  const { calls: _, ...clocks } = ledger;
  const read = { ...clocks, coverage: view.coverage, lastObservedAt: observedAt };
  const seen = view.inPort === undefined ? read : { ...read, lastInPortAt: observedAt };
  return { ledger: settle(seen, calls, observedAt), changed, removed: [] };
}
