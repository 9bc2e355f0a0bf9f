/** Applies a stated departure to a call: where its last stay ends, and whether the vessel was seen later. */
import type { Instant } from '../reference/time.ts';
import { MAX_POLL_GAP_MS } from './coverage.ts';
import { type ChangeTime, ended, isSamePosition, legsBefore, named } from './legs.ts';
import type { VesselDeparted } from './observation.ts';
import { changeBetween, type PollView } from './poll-view.ts';
import { callIdOf, type Leg, type PortCall } from './port-call.ts';

/**
 * A call whose departure alone is reported: the vessel arrived before the oldest event of the lists. Its earlier
 * places are unknown, so it has no stay.
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
  if (isSamePosition(stay, departure)) {
    return [...known.slice(0, lastStay), ended(named(stay, departure), atdAt)];
  }
  const move = unseenMove(call, departure, seenAt);
  if (move === undefined || (move.at >= atdAt && !move.unknown)) return known;
  if (move.unknown) return [...known.slice(0, lastStay), { ...stay, endUnknown: true }];
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
