/** Applies the list of vessels in port to a call: its current place, or its end when the vessel is no longer listed. */
import { type ChangeTime, endedBy, isSamePosition, named, reopened, withMove } from './legs.ts';
import type { VesselInPort } from './observation.ts';
import type { PollView } from './poll-view.ts';
import type { PortCall } from './port-call.ts';

/** `call` with its vessel listed at the place of `row`. A change of place is dated by `view.change`. */
export function withSighting(call: PortCall, row: VesselInPort, view: PollView): PortCall {
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
export function withAbsence(call: PortCall, departure: ChangeTime): PortCall {
  const last = call.legs.at(-1);
  const endAt = Math.max(last?.startAt ?? call.ataAt, departure.at);
  const legs = last === undefined ? [] : [...call.legs.slice(0, -1), endedBy(last, departure)];
  const lasting = legs.filter((leg) => leg.endAt === undefined || leg.endAt > leg.startAt);
  if (call.atdAt !== undefined) return { ...call, legs: lasting };
  return { ...call, legs: lasting, atdAt: endAt, atdInferred: true };
}
