/** Closed stays of a port call: the periods at anchorage and at berth that dwell lists and metrics count. */
import type { Instant } from '../reference/time.ts';
import type { PortCall } from './port-call.ts';

/** `wait` at an anchorage, `berth` at a berth. */
export type StayKind = 'wait' | 'berth';

/** A closed stay, `[startAt, endAt)`; stays of one call never overlap. */
export interface Stay {
  readonly callId: string;
  readonly kind: StayKind;
  readonly startAt: Instant;
  readonly endAt: Instant;
}

/** Closed stays of `call`, oldest first; moving makes none, and neither does a leg that has not ended. */
export function closedStays(call: PortCall): Stay[] {
  const { callId } = call;
  return call.legs.flatMap(({ zone, startAt, endAt }) => {
    if (zone === 'moving' || endAt === undefined || endAt <= startAt) return [];
    return [{ callId, kind: zone === 'anchorage' ? 'wait' : 'berth', startAt, endAt }];
  });
}
