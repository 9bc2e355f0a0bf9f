/** Port calls for tests, in hours from a fixed start. */
import type { Zone } from '../../core/calls/observation.ts';
import type { Leg, PortCall } from '../../core/calls/port-call.ts';
import type { Instant } from '../../core/reference/time.ts';

/** A Monday at midnight UTC. */
export const BEGINNING: Instant = Date.UTC(2026, 0, 5);

/** The instant `hours` after the beginning. */
export const atHour = (hours: number): Instant => BEGINNING + Math.round(hours * 3600) * 1000;

/** One leg from and to hours; open without an end. */
export const leg = (zone: Zone, startHour: number, endHour?: number): Leg => ({
  zone,
  place: zone,
  startAt: atHour(startHour),
  ...(endHour !== undefined && { endAt: atHour(endHour) }),
});

let made = 0;

/** A cargo call that is made of these legs; it has ended when the last leg has. */
export function callOf(legs: readonly Leg[], more: Partial<PortCall> = {}): PortCall {
  made += 1;
  const ataAt = legs[0]?.startAt ?? BEGINNING;
  const atdAt = legs.at(-1)?.endAt;
  return {
    callId: `call-${made}`,
    port: 'HKHKG',
    vesselId: `vessel-${made}`,
    traffic: 'cargo',
    ataAt,
    ...(atdAt !== undefined && { atdAt }),
    legs,
    waitKnown: true,
    firstAtaAt: ataAt,
    changedAt: atdAt ?? ataAt,
    ...more,
  };
}

/** A call that waits `waitHours`, then berths `berthHours`; straight in when it does not wait. */
export const waitingCall = (ataHour: number, waitHours: number, berthHours: number): PortCall =>
  callOf([
    ...(waitHours > 0 ? [leg('anchorage', ataHour, ataHour + waitHours)] : []),
    leg('berth', ataHour + waitHours, ataHour + waitHours + berthHours),
  ]);
