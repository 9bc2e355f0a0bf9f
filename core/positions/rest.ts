/** A vessel that drifted, or was moved, to a berth without being seen under way: it keeps one spot there. */
import type { EngineParameters, Fix } from './fix.ts';
import { isNear, KNOT, metresBetween } from './geometry.ts';
import { newSpread, rmsRadius } from './spread.ts';
import { endAtUnknown, isFirm, isMostlyStill, type OpenStop, type Stop } from './stops.ts';

// Whether a stopped vessel has moved to another place while it was not seen under way.

/** An anchored vessel's fixes spread less. */
const DRIFT_RMS_METRES = 400;

/** Metres that a vessel may move in this many seconds without leaving: at anchor it swings, adrift it drifts on. */
function stayRadius(stop: OpenStop, seconds: number, parameters: EngineParameters): number {
  const { moveMetres, confirmKnots } = parameters;
  const isAdrift = rmsRadius(stop.spread) > DRIFT_RMS_METRES || !isMostlyStill(stop.spread);
  return Math.max(moveMetres, isAdrift ? confirmKnots * KNOT * seconds : 0);
}

/** Whether faster fixes since the last slow one show a shift: from a turning basin to a berth, or between two berths. */
function hasShifted(stop: OpenStop, metres: number, jumpMetres: number): boolean {
  const { confirmed, fast } = stop;
  if (!confirmed) return fast > 0;
  // A shift may take no longer than two polls, so that one fast fix shows it; an anchored vessel swings less far.
  const isShown = fast > 1 || (fast === 1 && metres > jumpMetres);
  return isShown && isFirm(stop.spread);
}

/** Whether a slow fix lies too far from the last one for both to be of one stop. */
export function hasMoved(stop: OpenStop, fix: Fix, speed: number, parameters: EngineParameters): boolean {
  const { pauseSeconds, jumpMetres, shiftMetres, slowSpeed, stillSpeed } = parameters;
  if (isNear(stop.slowLatitude, stop.slowLongitude, fix, Math.min(shiftMetres, jumpMetres))) return false;
  const metres = metresBetween(stop.slowLatitude, stop.slowLongitude, fix.latitude, fix.longitude);
  if (metres > shiftMetres && hasShifted(stop, metres, jumpMetres)) return true;
  if (metres <= jumpMetres) return false;
  const seconds = fix.time - stop.lastSlowTime;
  if (seconds > pauseSeconds) return metres > stayRadius(stop, seconds, parameters);
  // Between two slow fixes a vessel makes good little more than the speeds stated at both.
  const stated = Math.min(slowSpeed, Math.max(speed, stop.slowSpeed, stillSpeed / 2));
  return metres > jumpMetres + 1.5 * (stated / 10) * KNOT * seconds;
}

/** Positions of a vessel that keeps its spot differ by less. */
const SPOT_METRES = 50;

/** A fix off the spot that the vessel keeps starts a new spot. */
export function keepRest(stop: OpenStop, fix: Fix): void {
  const metres = metresBetween(stop.restLatitude, stop.restLongitude, fix.latitude, fix.longitude);
  if (metres <= SPOT_METRES) return;
  stop.restTime = fix.time;
  stop.restLatitude = fix.latitude;
  stop.restLongitude = fix.longitude;
}

/** The stop of a vessel adrift, ended, and the one of the spot that it has kept since for as long as a berth stay lasts. */
export function restedStop(
  stop: OpenStop,
  fix: Fix,
  parameters: EngineParameters,
): { readonly ended: Stop; readonly open: OpenStop } | undefined {
  const { restTime, restLatitude, restLongitude, firstLatitude, firstLongitude } = stop;
  if (fix.time - restTime < parameters.minBerthSeconds || restTime <= stop.start) return undefined;
  const metres = metresBetween(firstLatitude, firstLongitude, restLatitude, restLongitude);
  if (metres <= parameters.leaveMetres || isMostlyStill(stop.spread)) return undefined;
  // The sums of the spot do not show what the vessel did before.
  const spread = { ...newSpread(firstLatitude, firstLongitude, stop.spread.statusUnderWay), slow: 1 };
  return {
    ended: { ...endAtUnknown(stop, restTime), endKnown: true, spread },
    open: {
      ...stop,
      start: restTime,
      startKnown: true,
      firstTime: restTime,
      firstLatitude: restLatitude,
      firstLongitude: restLongitude,
      spread: newSpread(restLatitude, restLongitude, stop.spread.statusUnderWay),
    },
  };
}
