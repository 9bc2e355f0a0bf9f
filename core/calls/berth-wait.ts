/** The wait of a call before its first berth, and whether it is one for a berth. */
import type { Instant } from '../reference/time.ts';
import type { PortCall } from './port-call.ts';

/** Start of the first berth leg; undefined while the vessel has not berthed. */
export const firstBerthAt = (call: PortCall): Instant | undefined =>
  call.legs.find((leg) => leg.zone === 'berth')?.startAt;

/** Time at anchor before `untilAt`, in milliseconds. */
export function anchoredMsBefore(call: PortCall, untilAt: Instant): number {
  let ms = 0;
  for (const leg of call.legs) {
    if (leg.zone !== 'anchorage') continue;
    ms += Math.max(0, Math.min(leg.endAt ?? untilAt, untilAt) - leg.startAt);
  }
  return ms;
}

/**
 * A vessel that has waited longer than this does not wait for a berth: it is laid up, or ordered to wait. The longest cargo wait of
 * six months of Kaohsiung is 202 h, the largest mean of 5,217 published port-months 186 h.
 */
const MAX_BERTH_WAIT_HOURS = 25 * 24;

/** Whether a wait of so many hours, over or open, is one for a berth. */
export const isBerthWait = (waitHours: number): boolean => waitHours <= MAX_BERTH_WAIT_HOURS;
