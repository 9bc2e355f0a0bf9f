/** What a stated departure makes of a call: where its last stay ends, and what was seen of the vessel afterwards. */
import type { Instant } from '../reference/time.ts';
import { LONGEST_POLL_GAP_MS } from './coverage.ts';
import { ended, isSamePosition, legsBefore, named, type Position } from './legs.ts';
import type { Leg, PortCall } from './port-call.ts';

/** A departure as the source states it: when, and from which berth or anchorage. */
export interface StatedDeparture extends Position {
  readonly atdAt: Instant;
}

const midpoint = (a: Instant, b: Instant): Instant => Math.floor((a + b) / 2000) * 1000;

/** Where a place that was not seen must have been reached: after the last that was. Undefined when nothing tells. */
function unseenMoveAt(call: PortCall, departure: StatedDeparture, seenAt: Instant | undefined) {
  const last = call.legs.at(-1);
  if (last === undefined) return undefined;
  if (last.endAt !== undefined) return call.atdInferred ? last.endAt : undefined;
  return seenAt === undefined ? undefined : midpoint(Math.max(seenAt, last.startAt), departure.atdAt);
}

/**
 * The legs up to the departure. A last place that was never seen is concluded: from ATA to ATD when no other stay
 * was seen either, else from the midpoint between the last poll before it and the ATD.
 */
function legsUntil(call: PortCall, departure: StatedDeparture, seenAt: Instant | undefined): readonly Leg[] {
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
  const moveAt = unseenMoveAt(call, departure, seenAt);
  if (moveAt === undefined || moveAt >= atdAt) return known;
  return [...legsBefore(known, moveAt), { zone, place, startAt: moveAt, endAt: atdAt, inferred: true }];
}

/** The vessel on its way out: seen in port waters after its ATD, because reports run late or fairways are long. */
function wayOut(call: PortCall, atdAt: Instant, seenAt: Instant | undefined): Leg[] {
  const last = call.legs.at(-1);
  if (last === undefined) return [];
  const after = last.startAt > atdAt || (last.startAt === atdAt && last.zone === 'moving');
  const seenAfter = after || (last.endAt === undefined && seenAt !== undefined && seenAt >= atdAt);
  if (!seenAfter || (last.endAt !== undefined && last.endAt <= atdAt)) return [];
  const { inferred: _, ...seen } = last;
  return [{ ...seen, zone: 'moving', startAt: atdAt }];
}

/** Whether the first berthing had to be concluded over a longer time than polls may lie apart. */
function berthedOutOfSight(call: PortCall, departure: StatedDeparture, seenAt: Instant | undefined): boolean {
  if (departure.zone !== 'berth' || call.legs.length === 0) return false;
  if (seenAt === undefined || departure.atdAt - seenAt <= LONGEST_POLL_GAP_MS) return false;
  return call.atdAt === undefined && call.legs.every((leg) => leg.zone !== 'berth');
}

/** `call` with a stated departure; `seenAt` is the time of the last poll before the one that states it. */
export function depart(call: PortCall, departure: StatedDeparture, seenAt: Instant | undefined): PortCall {
  const { atdAt } = departure;
  const { atdInferred: _, ...rest } = call;
  return {
    ...rest,
    ataAt: call.ataInferred ? Math.min(call.ataAt, atdAt) : call.ataAt,
    atdAt,
    legs: [...legsUntil(call, departure, seenAt), ...wayOut(call, atdAt, seenAt)],
    waitKnown: call.waitKnown && !berthedOutOfSight(call, departure, seenAt),
  };
}
