/**
 * Vessels adrift. A vessel that makes no more than a drifting speed for hours and makes no way ahead waits: it lies
 * beam to the wind, or steams to and fro. One that makes good a course along its heading is under way, however slow.
 */
import { borderAt, type Fix, KNOT, type LastFix, metresBetween, UNKNOWN } from './fix.ts';
import type { EngineParameters } from './parameters.ts';
import { metresAlong } from './spread.ts';

/** Time at no more than a drifting speed, without a pause in which the vessel may have sailed. */
export interface Drift {
  begin: number;
  beginKnown: boolean;
  latitude: number;
  longitude: number;
  /** Decimetres made good along the heading. */
  ahead: number;
  fixes: number;
  /** Faster fixes in a row, and when the vessel passed the drifting speed before the first of them. */
  fast: number;
  departureTime: number;
}

/** A leg that began at a time and position, with the decimetres made good along the heading since. */
export interface Leg {
  readonly begin: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly ahead: number;
}

/** So many faster fixes in a row end a drift, and so long at such speeds: a speed is garbled now and then. */
const DRIFT_FAST_FIXES = 2;
const DRIFT_FAST_SECONDS = 5 * 60;
/** The share of the way made good that lies along the heading of a vessel under way, whatever the current. */
const AHEAD_SHARE = 0.9;
/** Vessels that state no heading, as on rivers, are taken to steam above it; in 0.1 knots. */
const USUAL_DRIFT_SPEED = 15;
/** Fixes are counted up to here: more make no difference. */
const MAX_COUNTED = 1000;

export type TimedPosition = Pick<Fix, 'time' | 'latitude' | 'longitude'>;

/** Whether the vessel made good more than `knots` since the leg began. */
export function isFaster(leg: Omit<Leg, 'ahead'>, to: TimedPosition, knots: number): boolean {
  const metres = metresBetween(leg.latitude, leg.longitude, to.latitude, to.longitude);
  return metres > knots * KNOT * (to.time - leg.begin);
}

/** Whether it made good a course along its heading on the leg, faster than a stopped vessel may drift. */
export function isMakingWay(leg: Leg, to: TimedPosition, { confirmKnots }: EngineParameters): boolean {
  const metres = metresBetween(leg.latitude, leg.longitude, to.latitude, to.longitude);
  return isFaster(leg, to, confirmKnots) && leg.ahead / 10 >= AHEAD_SHARE * metres;
}

/** Decimetres from the last fix to this one along the heading; where none is stated, all of them above the speed of most drifts. */
export function aheadOf(last: LastFix, fix: Fix): number {
  if (fix.heading !== UNKNOWN) return Math.round(10 * metresAlong(last, fix, fix.heading));
  if (fix.speed <= USUAL_DRIFT_SPEED) return 0;
  return Math.round(10 * metresBetween(last.latitude, last.longitude, fix.latitude, fix.longitude));
}

/** Whether the vessel can have drifted from its last fix to this one. */
function isContinued(last: LastFix, fix: Fix, parameters: EngineParameters): boolean {
  const { pauseSeconds, jumpMetres, moveMetres, confirmKnots, driftSpeed, silenceSeconds } = parameters;
  const seconds = fix.time - last.time;
  if (seconds > silenceSeconds) return false;
  const metres = metresBetween(last.latitude, last.longitude, fix.latitude, fix.longitude);
  if (seconds > pauseSeconds) return metres <= Math.max(moveMetres, confirmKnots * KNOT * seconds);
  return metres <= jumpMetres + 1.5 * (driftSpeed / 10) * KNOT * seconds;
}

/** A drift that begins with `fix`, or when the vessel slowed down before it. */
export function beginDrift(fix: Fix, last: LastFix | undefined, parameters: EngineParameters): Drift {
  const { driftSpeed, silenceSeconds } = parameters;
  const beginKnown = last !== undefined && fix.time - last.time <= silenceSeconds;
  const isSlowing = beginKnown && last.speed > driftSpeed;
  const begin = isSlowing
    ? borderAt(last, fix, { ...parameters, slowSpeed: driftSpeed, stillSpeed: driftSpeed })
    : fix.time;
  const { latitude, longitude } = fix;
  return { begin, beginKnown, latitude, longitude, ahead: 0, fixes: 1, fast: 0, departureTime: 0 };
}

/** The drift with `fix`, which states or has made good `speed`; undefined once the vessel is under way. */
export function driftAfter(
  drift: Drift | undefined,
  fix: Fix,
  speed: number,
  last: LastFix | undefined,
  parameters: EngineParameters,
): Drift | undefined {
  const { driftSpeed, stillSpeed } = parameters;
  if (speed > driftSpeed) {
    if (drift === undefined || last === undefined) return undefined;
    if (drift.fast === 0)
      drift.departureTime = borderAt(last, fix, {
        ...parameters,
        slowSpeed: driftSpeed,
        stillSpeed: driftSpeed,
      });
    drift.fast += 1;
    return drift.fast < DRIFT_FAST_FIXES && isContinued(last, fix, parameters) ? drift : undefined;
  }
  const wasFast =
    drift !== undefined && drift.fast > 0 && fix.time - drift.departureTime > DRIFT_FAST_SECONDS;
  if (drift === undefined || last === undefined || wasFast || !isContinued(last, fix, parameters))
    return beginDrift(fix, last, parameters);
  drift.fast = 0;
  drift.fixes = Math.min(MAX_COUNTED, drift.fixes + 1);
  if (speed > stillSpeed) drift.ahead += aheadOf(last, fix);
  return drift;
}
