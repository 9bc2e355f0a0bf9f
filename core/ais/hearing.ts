/** Whether a vessel has been heard since its arrival: otherwise it may have waited unheard. */
import { type Fix, metresBetween } from './fix.ts';
import { NO_OUTAGES, type OutageSeconds } from './outages.ts';
import type { EngineParameters } from './parameters.ts';
import { BORDER_DEGREES, isInside, MAX_PORT_METRES, type NearestPort, type PortBox } from './port-areas.ts';
import type { StopTrack } from './stop-detector.ts';
import type { OpenStop, Stop } from './stops.ts';

/** Where and when vessels can be received. */
export interface Hearing {
  readonly outages: OutageSeconds;
  /** Whether a vessel at a position in 1e-5 degrees comes from outside the reach of all ports. */
  readonly isOutside: (position: { readonly latitude: number; readonly longitude: number }) => boolean;
}

export const UNBROKEN_HEARING: Hearing = { outages: NO_OUTAGES, isOutside: () => false };

/** Degrees inside of a box that a vessel may have sailed before a poll first shows it: six nautical miles to the north. */
const ENTRY_DEGREES = 2 * BORDER_DEGREES;

/** Positions further apart lie in the reach of no one port. */
const ELSEWHERE_METRES = 2 * MAX_PORT_METRES;

/** Outside the reach is what lies at the border of its box or beyond, or too far from every port to be in one. */
export const outsideReach =
  (boxes: readonly PortBox[], ports: NearestPort): Hearing['isOutside'] =>
  (position) =>
    !boxes.some((box) => isInside(box, position, -ENTRY_DEGREES)) ||
    ports.within(position.latitude, position.longitude, MAX_PORT_METRES) === undefined;

/**
 * Whether `fix`, after the last one of `track`, leaves nothing unheard since the vessel arrived. A silence shorter than
 * the shortest wait hides none. After a longer one the vessel is heard arriving from outside the reach; or inside, where
 * receivers reach less far, if they have worked for a day, and it was not there for as long as a call may pause or was
 * heard elsewhere.
 * `open` is the stop that the fix found, and `ended` the one that it ended.
 */
export function isHeardArriving(
  track: StopTrack,
  fix: Fix,
  { open, ended }: { readonly open: OpenStop | undefined; readonly ended: Stop | undefined },
  parameters: EngineParameters,
  { outages, isOutside }: Hearing,
): boolean {
  const { minWaitSeconds, sameCallSeconds, provenSeconds, slowSpeed } = parameters;
  const silence = track.fixes === 0 ? Number.POSITIVE_INFINITY : fix.time - track.time;
  const hasStayed = open?.confirmed === true && track.open === open;
  if (silence < minWaitSeconds || hasStayed) {
    // What follows a stay that was heard to its end is heard, whatever came before that stay.
    const hasLeft = ended?.endKnown === true && ended.end - ended.start >= minWaitSeconds;
    return track.heardArriving || hasLeft || (fix.speed > slowSpeed && isOutside(fix));
  }
  if (isOutside(fix)) return true;
  const isAbsent =
    silence >= sameCallSeconds ||
    metresBetween(track.latitude, track.longitude, fix.latitude, fix.longitude) > ELSEWHERE_METRES;
  return isAbsent && outages(fix, fix.time - provenSeconds, fix.time) === 0;
}
