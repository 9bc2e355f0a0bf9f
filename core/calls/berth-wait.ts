/** The wait of a call before its first berth, and whether it is one for a berth. */
import type { Instant } from '../reference/time.ts';
import type { PortCall } from './port-call.ts';

/** Start of the first berth leg; undefined while the vessel has not berthed. */
export const firstBerthAt = (call: PortCall): Instant | undefined =>
  call.legs.find((leg) => leg.zone === 'berth')?.startAt;

/**
 * When the vessel took its first berth, where that was seen or a record states it. Undefined also where the vessel was first
 * observed at the berth, or berthed in a gap.
 */
export function berthingAt(call: PortCall): Instant | undefined {
  const first = call.legs.find((leg) => leg.zone === 'berth');
  if (first === undefined || call.waitKnown) return first?.startAt;
  const isInSight = !first.inferred && !first.startUnknown;
  return isInSight && !(call.ataInferred && first.startAt === call.ataAt) ? first.startAt : undefined;
}

export function anchoredMsBefore(call: PortCall, untilAt: Instant): number {
  let ms = 0;
  for (const leg of call.legs) {
    if (leg.zone !== 'anchorage') continue;
    ms += Math.max(0, Math.min(leg.endAt ?? untilAt, untilAt) - leg.startAt);
  }
  return ms;
}

/**
 * A vessel that has waited longer is laid up, or ordered to wait. The longest cargo wait of six months of Kaohsiung is
 * 202 h, the largest mean of 5,217 published port-months 186 h.
 */
const MAX_BERTH_WAIT_HOURS = 25 * 24;

/** Whether a wait of this many hours, over or open, is a wait for a berth. */
export const isBerthWait = (waitHours: number): boolean => waitHours <= MAX_BERTH_WAIT_HOURS;
