/**
 * Vessels adrift. A vessel below a drifting speed for hours waits: it lies beam to the wind, or steams to and fro. One
 * that makes good a course along its heading is under way, however slow.
 */
import { z } from 'zod';
import {
  borderAt,
  departureTimeOf,
  type EngineParameters,
  type Fix,
  type LastFix,
  type Reading,
  UNKNOWN,
} from './fix.ts';
import { KNOT, metresBetween } from './geometry.ts';
import { keepRest } from './rest.ts';
import { metresAlong } from './spread.ts';
import { isMostlyStill, kindBySpread, type OpenStop, openStop } from './stops.ts';

/** Time below the drifting speed, without a gap in which the vessel may have sailed. */
export const driftShape = z.object({
  begin: z.number(),
  beginKnown: z.boolean(),
  latitude: z.number(),
  longitude: z.number(),
  /** Decimetres made good along the heading. */
  ahead: z.number(),
  fixes: z.number(),
  /** Faster fixes in a row, and when the vessel passed the drifting speed before the first of them. */
  fast: z.number(),
  departureTime: z.number(),
});
export type Drift = z.infer<typeof driftShape>;

/** A leg: where and when it began, with the decimetres made good along the heading since. */
interface Leg {
  readonly begin: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly ahead: number;
}

/** This many faster fixes in a row, over this long, end a drift: single speeds are garbled. */
const DRIFT_FAST_FIXES = 2;
const DRIFT_FAST_SECONDS = 5 * 60;
/** The share of the way made good that lies along the heading of a vessel under way, whatever the current. */
const AHEAD_SHARE = 0.9;
/**
 * Most drifts are slower; in 0.1 knots. Above it a vessel without a heading steams, and one not received for a while
 * has sailed.
 */
const USUAL_DRIFT_SPEED = 15;
/** Fixes are counted up to here; more make no difference. */
const MAX_COUNTED = 1000;

type TimedPosition = Pick<Fix, 'time' | 'latitude' | 'longitude'>;

/** Whether the vessel made good more than `knots` since the leg began. */
function isFaster(leg: Omit<Leg, 'ahead'>, to: TimedPosition, knots: number): boolean {
  const metres = metresBetween(leg.latitude, leg.longitude, to.latitude, to.longitude);
  return metres > knots * KNOT * (to.time - leg.begin);
}

/** Whether it made good a course along its heading on the leg, faster than a stopped vessel may drift. */
function isMakingWay(leg: Leg, to: TimedPosition, { confirmKnots }: EngineParameters): boolean {
  const metres = metresBetween(leg.latitude, leg.longitude, to.latitude, to.longitude);
  return isFaster(leg, to, confirmKnots) && leg.ahead / 10 >= AHEAD_SHARE * metres;
}

/** Decimetres made good along the heading since the last fix; without a heading, all of them above most drifts' speed. */
function decimetresAhead(last: LastFix, fix: Fix): number {
  if (fix.heading !== UNKNOWN) return Math.round(10 * metresAlong(last, fix, fix.heading));
  if (fix.speed <= USUAL_DRIFT_SPEED) return 0;
  return Math.round(10 * metresBetween(last.latitude, last.longitude, fix.latitude, fix.longitude));
}

function isContinued(last: LastFix, fix: Fix, parameters: EngineParameters): boolean {
  const { pauseSeconds, jumpMetres, moveMetres, driftSpeed, silenceSeconds } = parameters;
  const seconds = fix.time - last.time;
  if (seconds > silenceSeconds) return false;
  const metres = metresBetween(last.latitude, last.longitude, fix.latitude, fix.longitude);
  if (seconds > pauseSeconds)
    return metres <= Math.max(moveMetres, (USUAL_DRIFT_SPEED / 10) * KNOT * seconds);
  return metres <= jumpMetres + 1.5 * (driftSpeed / 10) * KNOT * seconds;
}

/** When the vessel passed the drifting speed between its last fix and this one. */
const driftBorder = (last: LastFix, fix: Fix, parameters: EngineParameters): number =>
  borderAt(last, fix, {
    ...parameters,
    slowSpeed: parameters.driftSpeed,
    stillSpeed: parameters.driftSpeed,
  });

/** A drift that begins with the fix, or when the vessel slowed down before it. */
export function beginDrift({ fix, last, parameters }: Reading): Drift {
  const { driftSpeed, silenceSeconds } = parameters;
  const beginKnown = last !== undefined && fix.time - last.time <= silenceSeconds;
  const isSlowing = beginKnown && last.speed > driftSpeed;
  const begin = isSlowing ? driftBorder(last, fix, parameters) : fix.time;
  const { latitude, longitude } = fix;
  return { begin, beginKnown, latitude, longitude, ahead: 0, fixes: 1, fast: 0, departureTime: 0 };
}

/** The drift with a fix faster than drifting; undefined once the vessel is under way. */
function driftWithFast(drift: Drift, { fix, last, parameters }: Reading<LastFix>): Drift | undefined {
  if (drift.fast === 0) drift.departureTime = driftBorder(last, fix, parameters);
  drift.fast += 1;
  return drift.fast < DRIFT_FAST_FIXES && isContinued(last, fix, parameters) ? drift : undefined;
}

/** The drift with the fix; undefined once the vessel is under way. */
export function driftAfter(drift: Drift | undefined, reading: Reading): Drift | undefined {
  const { fix, speed, last, parameters } = reading;
  const isFast = speed > parameters.driftSpeed;
  if (drift === undefined || last === undefined) return isFast ? undefined : beginDrift(reading);
  if (isFast) return driftWithFast(drift, { ...reading, last });
  const wasFast = drift.fast > 0 && fix.time - drift.departureTime > DRIFT_FAST_SECONDS;
  if (wasFast || !isContinued(last, fix, parameters)) return beginDrift(reading);
  drift.fast = 0;
  drift.fixes = Math.min(MAX_COUNTED, drift.fixes + 1);
  if (speed > parameters.stillSpeed) drift.ahead += decimetresAhead(last, fix);
  return drift;
}

// Stops of a vessel adrift: each begins after a drift as long as a wait, and survives speeds up to the drifting speed.

/** The stop of a vessel that has been adrift for long enough at the fix. */
export function driftingStop(
  drift: Drift | undefined,
  { fix, speed, parameters }: Reading,
  statusUnderWay: number,
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

/** Whether the vessel has been adrift since the stop began and may drift on; alongside it does not. */
export const isAdrift = (stop: OpenStop, drift: Drift | undefined): boolean =>
  stop.confirmed &&
  drift !== undefined &&
  drift.begin <= stop.firstTime &&
  kindBySpread(stop.spread) === 'wait';

const toLeg = ({ departureTime, slowLatitude, slowLongitude, ahead }: OpenStop) => ({
  begin: departureTime,
  latitude: slowLatitude,
  longitude: slowLongitude,
  ahead,
});

/** Adds what was drifted up to a fix to the stop. */
function absorb(stop: OpenStop, at: LastFix): void {
  stop.fast = 0;
  stop.ahead = 0;
  stop.movedTime = 0;
  stop.lastSlowTime = at.time;
  stop.slowLatitude = at.latitude;
  stop.slowLongitude = at.longitude;
  stop.slowSpeed = at.speed;
}

/** Whether the vessel has left the waters of the stop; steaming to and fro, it returns to them. */
function isAway(stop: OpenStop, at: TimedPosition, parameters: EngineParameters): boolean {
  const { firstTime: begin, firstLatitude: latitude, firstLongitude: longitude } = stop;
  return isFaster({ begin, latitude, longitude }, at, parameters.confirmKnots);
}

/** Whether a vessel that may be getting under way drifted before; one that lay still has weighed anchor and turned. */
function hasDrifted(stop: OpenStop, last: LastFix, parameters: EngineParameters): boolean {
  const isStill = isMostlyStill(stop.spread);
  if (isMakingWay(toLeg(stop), last, parameters)) return !isStill && !isAway(stop, last, parameters);
  return !isStill || last.time - stop.departureTime >= parameters.driftSeconds / 2;
}

/** Reads a fix faster than a slow one into the stop of a vessel adrift; returns whether that ends the stop. */
export function driftOn(stop: OpenStop, drift: Drift, { fix, last, parameters }: Reading<LastFix>): boolean {
  if (drift.fast > 0 && stop.fast > 0 && hasDrifted(stop, last, parameters)) {
    // The vessel may be getting under way.
    absorb(stop, last);
    stop.departureTime = drift.departureTime;
  } else if (stop.fast === 0) stop.departureTime = departureTimeOf(last, fix, parameters);
  if (stop.movedTime === 0) stop.movedTime = stop.departureTime;
  stop.fast += 1;
  stop.ahead += decimetresAhead(last, fix);
  keepRest(stop, fix);
  if (drift.fast > 0) return false;
  stop.spread.slow += 1;
  if (fix.time - stop.departureTime < parameters.driftSeconds) return false;
  if (isMakingWay(toLeg(stop), fix, parameters)) return isAway(stop, fix, parameters);
  absorb(stop, { ...fix });
  return false;
}

/** Whether a slow fix of a vessel adrift belongs to another stop: it has sailed there, however slowly. */
export function hasSailed(stop: OpenStop, { fix, last, parameters }: Reading<LastFix>): boolean {
  if (stop.fast === 0) return false;
  const metres = metresBetween(stop.slowLatitude, stop.slowLongitude, fix.latitude, fix.longitude);
  const leg = { ...toLeg(stop), ahead: stop.ahead + decimetresAhead(last, fix) };
  if (metres <= parameters.leaveMetres || !isMakingWay(leg, fix, parameters)) return false;
  if (isMostlyStill(stop.spread)) return true;
  return fix.time - stop.departureTime >= parameters.driftSeconds && isAway(stop, fix, parameters);
}

/** A stop after a drift without way made good began with that drift. */
export function beginWithDrift(stop: OpenStop, drift: Drift | undefined, parameters: EngineParameters): void {
  const { firstTime: time, firstLatitude: latitude, firstLongitude: longitude } = stop;
  if (drift === undefined || drift.begin > time || time - drift.begin < parameters.driftSeconds) return;
  if (isMakingWay(drift, { time, latitude, longitude }, parameters)) return;
  stop.start = drift.begin;
  stop.startKnown = drift.beginKnown;
  stop.firstTime = drift.begin;
}
