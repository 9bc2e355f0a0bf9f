/** Calls as a poll first tells of them: by an arrival, or by nothing but their departure. */
import type { Instant } from '../reference/time.ts';
import { callIdOf } from './call-id.ts';
import type { VesselDeparted } from './observation.ts';
import { isArrivalSeen, type PollView } from './poll-view.ts';
import type { PortCall } from './port-call.ts';
import type { Arrival } from './vessel-timeline.ts';

/** A vessel marked as departed without a time left between the last poll and this one, before it came again. */
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

/**
 * A vessel that only its departure tells of: it arrived before the oldest event of the lists. Where it lay since is
 * not known, so it makes no stay.
 */
export function callDeparted(row: VesselDeparted, view: PollView): PortCall {
  const { port, observedAt } = view.poll;
  const ataAt = Math.min(view.oldestEventAt, row.atdAt);
  return {
    callId: callIdOf(port, row.vesselId, { event: 'atd', at: row.atdAt }),
    port,
    vesselId: row.vesselId,
    traffic: row.traffic ?? 'cargo',
    ataAt,
    ataInferred: true,
    legs: [],
    waitKnown: false,
    firstAtaAt: ataAt,
    changedAt: observedAt,
  };
}
