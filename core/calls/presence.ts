/** Where a call's vessel is at an instant: in port or not, at anchor or not, laid up or not. */
import { DAY_MS, type Instant } from '../reference/time.ts';
import type { Leg, PortCall } from './port-call.ts';

/** In port for longer than this, a vessel is laid up and counts nowhere. */
export const LAID_UP_MS = 60 * DAY_MS;

/** When the vessel left port waters; undefined while it is in port. Not before its ATD, often later. */
export function leftAt(call: PortCall): Instant | undefined {
  const last = call.legs.at(-1);
  if (last === undefined) return call.atdAt;
  if (last.endAt === undefined) return undefined;
  return call.atdAt === undefined ? undefined : Math.max(last.endAt, call.atdAt);
}

/** Whether the vessel is in port, as far as the newest report tells; it may have cast off already. */
export const isOpen = (call: PortCall): boolean => leftAt(call) === undefined;

/** Whether the vessel is in port waters at `at`: at anchor, at berth or moving. */
export function isInPortAt(call: PortCall, at: Instant): boolean {
  const left = leftAt(call);
  return call.ataAt <= at && (left === undefined || at < left);
}

/** The leg that the vessel is on at `at`, if any. */
export const legAt = (call: PortCall, at: Instant): Leg | undefined =>
  call.legs.find((leg) => leg.startAt <= at && (leg.endAt === undefined || at < leg.endAt));

/** Whether the vessel lies at an anchorage at `at`. */
export const isAtAnchorAt = (call: PortCall, at: Instant): boolean => legAt(call, at)?.zone === 'anchorage';

/** Whether the vessel had arrived more than 60 days before `at`. */
export const isLaidUpAt = (call: PortCall, at: Instant): boolean => at - call.ataAt > LAID_UP_MS;
