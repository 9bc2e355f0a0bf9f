/** Applies an arrival: a new call, or a known call with a corrected ATA. */
import type { Instant } from '../reference/time.ts';
import { type ChangeTime, endedBy, legsFrom, startedAt } from './legs.ts';
import { changeBetween, isArrivalSeen, type PollView } from './poll-view.ts';
import { callIdOf, type PortCall } from './port-call.ts';
import type { Arrival } from './vessel-timeline.ts';

/** The ATD of a vessel marked as departed without a time: between the last two polls, before its next arrival. */
function untimedDeparture(ataAt: Instant, view: PollView, nextAtaAt: Instant): ChangeTime {
  const { previousAt, poll, change } = view;
  const isBracketed = previousAt !== undefined && !change.unknown;
  const { at, unknown } = isBracketed
    ? change
    : changeBetween(Math.max(ataAt, previousAt ?? ataAt), poll.observedAt);
  return { at: Math.max(ataAt, Math.min(at, nextAtaAt)), unknown };
}

/** The call that an arrival begins; `nextAtaAt` is the vessel's next arrival, infinite when none is known. */
export function callArrived(arrival: Arrival, view: PollView, nextAtaAt: Instant): PortCall {
  const { at, row, departed } = arrival;
  const { zone, place, vesselId } = row;
  const { port, observedAt } = view.poll;
  const begun: PortCall = {
    callId: callIdOf(port, vesselId, { event: 'ata', at }),
    port,
    vesselId,
    traffic: row.traffic ?? 'cargo',
    vesselClass: row.vesselClass,
    ataAt: at,
    legs: [{ zone, place, startAt: at }],
    waitKnown: isArrivalSeen(view, at) || (zone === 'anchorage' && !departed),
    firstAtaAt: at,
    changedAt: observedAt,
  };
  if (!departed) return begun;
  const departure = untimedDeparture(at, view, nextAtaAt);
  const leg = endedBy({ zone, place, startAt: at, inferred: true }, departure);
  return { ...begun, legs: departure.at > at ? [leg] : [], atdAt: departure.at, atdInferred: true };
}

/** `call` with the ATA that the arrival states, where the in-port list corrects it; its first leg begins there. */
export function withArrival(call: PortCall, { at, listed }: Arrival): PortCall {
  if (!call.ataInferred && (!listed || call.ataAt === at)) return call;
  if (!call.ataInferred && call.atdAt !== undefined && !call.atdInferred && at >= call.atdAt) return call;
  const { ataInferred: _, ...stated } = call;
  const legs = legsFrom(call.legs, at);
  const [first, ...others] = legs;
  const isWayOut = first === undefined || (call.atdAt !== undefined && first.startAt >= call.atdAt);
  return { ...stated, ataAt: at, legs: isWayOut ? legs : [startedAt(first, at), ...others] };
}
