/** What an arrival makes of a call: a new one, or a known one with its ATA corrected. */
import type { Instant } from '../reference/time.ts';
import { legsFrom } from './legs.ts';
import { isArrivalSeen, type PollView } from './poll-view.ts';
import { callIdOf, type PortCall } from './port-call.ts';
import type { Arrival } from './vessel-timeline.ts';

/** The ATD of a vessel marked as departed without a time: between the last two polls, before its next arrival. */
function untimedDeparture(ataAt: Instant, view: PollView, nextAtaAt: Instant): Instant {
  const { previousAt, poll, changeAt } = view;
  const midwayAt = previousAt === undefined ? Math.floor((ataAt + poll.observedAt) / 2000) * 1000 : changeAt;
  return Math.max(ataAt, Math.min(midwayAt, nextAtaAt));
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
    ataAt: at,
    legs: [{ zone, place, startAt: at }],
    waitKnown: isArrivalSeen(view, at) || (zone === 'anchorage' && !departed),
    firstAtaAt: at,
    changedAt: observedAt,
  };
  if (!departed) return begun;
  const endAt = untimedDeparture(at, view, nextAtaAt);
  const legs = endAt > at ? [{ zone, place, startAt: at, endAt, inferred: true as const }] : [];
  return { ...begun, legs, atdAt: endAt, atdInferred: true };
}

/** `call` with the ATA that the arrival states, where the in-port list corrects it; its first leg begins there. */
export function withArrival(call: PortCall, { at, listed }: Arrival): PortCall {
  if (!call.ataInferred && (!listed || call.ataAt === at)) return call;
  if (!call.ataInferred && call.atdAt !== undefined && !call.atdInferred && at >= call.atdAt) return call;
  const { ataInferred: _, ...stated } = call;
  const legs = legsFrom(call.legs, at);
  const [first, ...others] = legs;
  const isWayOut = first === undefined || (call.atdAt !== undefined && first.startAt >= call.atdAt);
  return { ...stated, ataAt: at, legs: isWayOut ? legs : [{ ...first, startAt: at }, ...others] };
}
