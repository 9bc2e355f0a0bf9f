/** A simulated port call from beginning to end, and its state at an instant. */
import type { Zone } from '../../core/calls/observation.ts';
import type { Locode } from '../../core/reference/codes.ts';
import { hoursBetween, type Instant } from '../../core/reference/time.ts';

/** One place of a call, `[startAt, endAt)`; the legs of a call follow one another without a gap. */
/** The traffic that is simulated. */
export type SimulatedTraffic = 'cargo' | 'ferry';

export interface SimulatedLeg {
  readonly zone: Zone;
  readonly place: string;
  readonly startAt: Instant;
  readonly endAt: Instant;
}

export interface SimulatedCall {
  readonly callId: string;
  readonly port: Locode;
  readonly vesselId: string;
  readonly traffic: SimulatedTraffic;
  /** Arrival at the anchorage, or in the fairway where the vessel goes straight to the berth. */
  readonly ataAt: Instant;
  /** All fast at the first berth. */
  readonly atbAt: Instant;
  readonly atdAt: Instant;
  /** Hours at anchor before the first berth; 0 when the vessel went straight to the berth. */
  readonly waitHours: number;
  /** Oldest first. */
  readonly legs: readonly SimulatedLeg[];
}

/** Where the vessel is at `at`; undefined before it arrived and from its departure on. */
export const legAt = (call: SimulatedCall, at: Instant): SimulatedLeg | undefined =>
  call.legs.find((leg) => leg.startAt <= at && at < leg.endAt);

/** Hours at anchor before the first berth. */
export function anchoredHoursBeforeBerth(legs: readonly SimulatedLeg[]): number {
  const firstBerth = legs.findIndex((leg) => leg.zone === 'berth');
  return legs
    .slice(0, firstBerth === -1 ? undefined : firstBerth)
    .filter((leg) => leg.zone === 'anchorage')
    .reduce((hours, leg) => hours + hoursBetween(leg.startAt, leg.endAt), 0);
}

/** The times of the call's events, ascending: each leg's start, and the departure. */
export const eventTimes = (call: SimulatedCall): readonly Instant[] => [
  ...call.legs.map((leg) => leg.startAt),
  call.atdAt,
];
