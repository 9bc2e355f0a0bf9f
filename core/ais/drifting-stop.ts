/** Stops of a vessel adrift: one begins after a drift as long as a wait, and outlives speeds up to the drifting speed. */
import { aheadOf, type Drift, isFaster, isMakingWay, type TimedPosition } from './drift.ts';
import { departureTimeOf, type Fix, type LastFix, metresBetween } from './fix.ts';
import type { EngineParameters } from './parameters.ts';
import { keepRest } from './rest.ts';
import { isMostlyStill, kindBySpread } from './stop-kind.ts';
import { type OpenStop, openStop } from './stops.ts';

/** The stop of a vessel that has been adrift for long enough with `fix`. */
export function driftingStop(
  drift: Drift | undefined,
  fix: Fix,
  speed: number,
  statusUnderWay: number,
  parameters: EngineParameters,
): OpenStop | undefined {
  if (drift === undefined || drift.fast > 0 || fix.time - drift.begin < parameters.minWaitSeconds)
    return undefined;
  if (isMakingWay(drift, fix, parameters)) return undefined;
  const begin = {
    start: drift.begin,
    startKnown: drift.beginKnown,
    confirmed: true,
    firstTime: drift.begin,
    firstLatitude: drift.latitude,
    firstLongitude: drift.longitude,
  };
  const stop = openStop(begin, fix, speed, statusUnderWay);
  stop.spread.slow = drift.fixes;
  return stop;
}

/** Whether the vessel has been adrift since the stop began, and may drift on: alongside it does not. */
export const isAdrift = (stop: OpenStop, drift: Drift | undefined): boolean =>
  stop.confirmed &&
  drift !== undefined &&
  drift.begin <= stop.firstTime &&
  kindBySpread(stop.spread) === 'wait';

const legOf = ({ departureTime, slowLatitude, slowLongitude, ahead }: OpenStop) => ({
  begin: departureTime,
  latitude: slowLatitude,
  longitude: slowLongitude,
  ahead,
});

/** Takes what was drifted up to a fix into the stop. */
function absorb(stop: OpenStop, at: LastFix): void {
  stop.fast = 0;
  stop.ahead = 0;
  stop.movedTime = 0;
  stop.lastSlowTime = at.time;
  stop.slowLatitude = at.latitude;
  stop.slowLongitude = at.longitude;
  stop.slowSpeed = at.speed;
}

/** Whether the vessel has left the waters of the stop: to and fro it comes back to them. */
function isAway(stop: OpenStop, at: TimedPosition, parameters: EngineParameters): boolean {
  const { firstTime: begin, firstLatitude: latitude, firstLongitude: longitude } = stop;
  return isFaster({ begin, latitude, longitude }, at, parameters.confirmKnots);
}

/** Whether a vessel that may get under way drifted before; one that lay still has weighed its anchor and turned. */
function hasDrifted(stop: OpenStop, last: LastFix, parameters: EngineParameters): boolean {
  const isStill = isMostlyStill(stop.spread);
  if (isMakingWay(legOf(stop), last, parameters)) return !isStill && !isAway(stop, last, parameters);
  return !isStill || last.time - stop.departureTime >= parameters.driftSeconds / 2;
}

/** Reads a fix faster than a slow one into the stop of a vessel adrift; whether the stop is over with it. */
export function driftOn(
  stop: OpenStop,
  drift: Drift,
  fix: Fix,
  last: LastFix,
  parameters: EngineParameters,
): boolean {
  if (drift.fast > 0 && stop.fast > 0 && hasDrifted(stop, last, parameters)) {
    // The vessel may get under way now.
    absorb(stop, last);
    stop.departureTime = drift.departureTime;
  } else if (stop.fast === 0) stop.departureTime = departureTimeOf(last, fix, parameters);
  if (stop.movedTime === 0) stop.movedTime = stop.departureTime;
  stop.fast += 1;
  stop.ahead += aheadOf(last, fix);
  keepRest(stop, fix);
  if (drift.fast > 0) return false;
  stop.spread.slow += 1;
  if (fix.time - stop.departureTime < parameters.driftSeconds) return false;
  if (isMakingWay(legOf(stop), fix, parameters)) return isAway(stop, fix, parameters);
  absorb(stop, { ...fix });
  return false;
}

/** Whether a slow fix of a vessel adrift is of another stop: it has sailed there, however slowly. */
export function hasSailed(stop: OpenStop, fix: Fix, last: LastFix, parameters: EngineParameters): boolean {
  if (stop.fast === 0) return false;
  const metres = metresBetween(stop.slowLatitude, stop.slowLongitude, fix.latitude, fix.longitude);
  const leg = { ...legOf(stop), ahead: stop.ahead + aheadOf(last, fix) };
  if (metres <= parameters.leaveMetres || !isMakingWay(leg, fix, parameters)) return false;
  if (isMostlyStill(stop.spread)) return true;
  return fix.time - stop.departureTime >= parameters.driftSeconds && isAway(stop, fix, parameters);
}

/** A stop that follows a drift without way made good began with it. */
export function beginWithDrift(stop: OpenStop, drift: Drift | undefined, parameters: EngineParameters): void {
  const { firstTime: time, firstLatitude: latitude, firstLongitude: longitude } = stop;
  if (drift === undefined || drift.begin > time || time - drift.begin < parameters.driftSeconds / 2) return;
  if (isMakingWay(drift, { time, latitude, longitude }, parameters)) return;
  stop.start = drift.begin;
  stop.startKnown = drift.beginKnown;
  stop.firstTime = drift.begin;
}
