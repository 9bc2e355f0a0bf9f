/** How long a call's vessel is in port, and when it is laid up. */
import { DAY_MS, type Instant } from '../reference/time.ts';
import type { PortCall } from './port-call.ts';

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
