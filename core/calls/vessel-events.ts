/** Arrivals and departures of a vessel in order of time, and how each changes its call. */
import { HOUR_MS, type Instant } from '../reference/time.ts';
import { MAX_POLL_GAP_MS } from './coverage.ts';
import type { VesselDeparted, VesselInPort } from './observation.ts';
import { changeBetween, isArrivalSeen, type PollView } from './poll-view.ts';
import {
  type ChangeTime,
  ended,
  endedBy,
  isSamePosition,
  type Leg,
  legsBefore,
  legsFrom,
  makeCallId,
  named,
  type PortCall,
  startedAt,
} from './port-call.ts';

// The arrivals and departures that a poll states for one vessel, in order of time and without duplicates.

/** A stated time that moves by no more than this is a correction of the same event. */
export const CORRECTION_MS = 6 * HOUR_MS;
/** Another ATA this near, without a departure between, belongs to the same call: the lists reach back this far. */
export const SAME_VISIT_MS = 36 * HOUR_MS;
/** An arrival this much later than one marked as departed begins the next call. */
const NEXT_VISIT_MS = HOUR_MS;

export interface Arrival {
  readonly event: 'arrival';
  readonly at: Instant;
  readonly row: VesselInPort;
  /** From the in-port list, which alone may correct an ATA. */
  readonly listed: boolean;
  readonly departed: boolean;
}

export interface Departure {
  readonly event: 'departure';
  readonly at: Instant;
  readonly row: VesselDeparted;
}

export type VesselEvent = Arrival | Departure;

const rank = (event: VesselEvent): number => {
  if (event.event === 'departure') return 2;
  return event.departed ? 1 : 0;
};

/** By time, arrivals first; ties are resolved by place, never by the order of a list. */
const compareEvents = (a: VesselEvent, b: VesselEvent): number =>
  a.at - b.at || rank(a) - rank(b) || (a.row.place < b.row.place ? -1 : 1);

function isRepeated(before: VesselEvent, next: VesselEvent): boolean {
  if (before.event === 'departure') {
    return next.event === 'departure' && next.at - before.at <= CORRECTION_MS;
  }
  if (next.event === 'departure') return false;
  return next.at - before.at <= (before.departed ? NEXT_VISIT_MS : SAME_VISIT_MS);
}

/** Which of two duplicates counts: the ATA of the in-port list, else the earlier ATA; the later ATD. */
function preferred(before: VesselEvent, next: VesselEvent): VesselEvent {
  if (next.event === 'departure') return next;
  return next.listed ? next : before;
}

/** The vessel's events in the poll. Two arrivals or two departures in a row, close together, are one event. */
export function makeTimeline(view: PollView, vesselId: string): VesselEvent[] {
  const arrived = view.arrived.get(vesselId) ?? [];
  const departed = view.departed.get(vesselId) ?? [];
  const listed = view.inPort?.get(vesselId);
  const events: VesselEvent[] = [
    ...arrived.map(
      (row): Arrival => ({ event: 'arrival', at: row.ataAt, row, listed: false, departed: row.departed }),
    ),
    ...departed.map((row): Departure => ({ event: 'departure', at: row.atdAt, row })),
  ];
  if (listed) events.push({ event: 'arrival', at: listed.ataAt, row: listed, listed: true, departed: false });
  const timeline: VesselEvent[] = [];
  for (const next of events.sort(compareEvents)) {
    const before = timeline.at(-1);
    if (before !== undefined && isRepeated(before, next))
      timeline[timeline.length - 1] = preferred(before, next);
    else timeline.push(next);
  }
  return timeline;
}

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
    callId: makeCallId(port, vesselId, { event: 'ata', at }),
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

// Applies a stated departure to a call: where its last stay ends, and whether the vessel was seen later.

/** A call whose departure alone is reported: it arrived before the oldest event of the lists, and has no stay. */
export function callDeparted(row: VesselDeparted, view: PollView): PortCall {
  const { port, observedAt } = view.poll;
  const ataAt = Math.min(view.oldestEventAt, row.atdAt);
  return {
    callId: makeCallId(port, row.vesselId, { event: 'atd', at: row.atdAt }),
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

/** When the vessel moved to a place where no poll saw it: after the last place that a poll saw, if any. */
function unseenMove(
  call: PortCall,
  departure: VesselDeparted,
  seenAt: Instant | undefined,
): ChangeTime | undefined {
  const last = call.legs.at(-1);
  if (last === undefined) return undefined;
  if (last.endAt !== undefined) {
    return call.atdInferred ? { at: last.endAt, unknown: last.endUnknown === true } : undefined;
  }
  return seenAt === undefined ? undefined : changeBetween(Math.max(seenAt, last.startAt), departure.atdAt);
}

/**
 * The legs up to the departure. A last place that no poll saw is inferred: from ATA to ATD when no poll saw another
 * stay either, else from the midpoint between the last poll before the ATD and the ATD.
 */
function legsUntil(call: PortCall, departure: VesselDeparted, seenAt: Instant | undefined): readonly Leg[] {
  const { zone, place, atdAt } = departure;
  const whole: Leg[] =
    atdAt > call.ataAt ? [{ zone, place, startAt: call.ataAt, endAt: atdAt, inferred: true }] : [];
  if (call.ataInferred) return whole.map((leg) => ({ ...leg, zone: 'moving' }));
  const known = legsBefore(call.legs, atdAt);
  const lastStay = known.findLastIndex((leg) => leg.zone !== 'moving');
  const stay = known[lastStay];
  if (zone === 'moving') return known.length > 0 ? known : whole;
  if (stay === undefined || (stay.inferred && lastStay === 0)) return whole;
  const before = known.slice(0, lastStay);
  if (isSamePosition(stay, departure)) return [...before, ended(named(stay, departure), atdAt)];
  const move = unseenMove(call, departure, seenAt);
  if (move?.unknown) return [...before, { ...stay, endUnknown: true }];
  if (move === undefined || move.at >= atdAt) return known;
  return [...legsBefore(known, move.at), { zone, place, startAt: move.at, endAt: atdAt, inferred: true }];
}

/** An outbound vessel that is still listed in port after its ATD: reports are late, and fairways are long. */
function wayOut(call: PortCall, atdAt: Instant, seenAt: Instant | undefined): Leg[] {
  const last = call.legs.at(-1);
  if (last === undefined) return [];
  const after = last.startAt > atdAt || (last.startAt === atdAt && last.zone === 'moving');
  const seenAfter = after || (last.endAt === undefined && seenAt !== undefined && seenAt >= atdAt);
  if (!seenAfter) return [];
  const { inferred: _, ...seen } = last;
  return [{ ...seen, zone: 'moving', startAt: atdAt }];
}

/** Whether the first berthing is inferred over a longer time than lies between polls of covered time. */
function berthedOutOfSight(call: PortCall, departure: VesselDeparted, seenAt: Instant | undefined): boolean {
  if (departure.zone !== 'berth' || call.legs.length === 0) return false;
  if (seenAt === undefined || departure.atdAt - seenAt <= MAX_POLL_GAP_MS) return false;
  return call.atdAt === undefined && call.legs.every((leg) => leg.zone !== 'berth');
}

/** `call` with a stated departure; `seenAt` is the time of the last poll before the one that states it. */
export function withDeparture(
  call: PortCall,
  departure: VesselDeparted,
  seenAt: Instant | undefined,
): PortCall {
  const { atdAt } = departure;
  const { atdInferred: _, ...rest } = call;
  return {
    ...rest,
    ataAt: Math.min(call.ataAt, atdAt),
    atdAt,
    legs: [...legsUntil(call, departure, seenAt), ...wayOut(call, atdAt, seenAt)],
    waitKnown: call.waitKnown && !berthedOutOfSight(call, departure, seenAt),
  };
}
