/** Whether a stopped vessel has moved to another place while it was not seen under way. */
import { type Fix, isNear, KNOT, metresBetween } from './fix.ts';
import type { EngineParameters } from './parameters.ts';
import { rmsRadius } from './spread.ts';
import { isFirm, isMostlyStill } from './stop-kind.ts';
import type { OpenStop } from './stops.ts';

/** An anchored vessel's fixes spread less. */
const DRIFT_RMS_METRES = 400;

/** Metres that a vessel may have moved in so many seconds without leaving: at anchor it swings, and adrift it drifts on. */
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
  // Between two slow fixes a vessel makes good little more than the speeds that it states at both.
  const stated = Math.min(slowSpeed, Math.max(speed, stop.slowSpeed, stillSpeed / 2));
  return metres > jumpMetres + 1.5 * (stated / 10) * KNOT * seconds;
}
