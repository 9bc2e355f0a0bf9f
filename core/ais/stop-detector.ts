/** Stops of one track: a state machine over its fixes with hysteresis in speed, time and distance. */
import {
  borderAt,
  departureTimeOf,
  type Fix,
  isNear,
  KNOT,
  type LastFix,
  metresBetween,
  midpoint,
  UNKNOWN,
} from './fix.ts';
import type { OutageSeconds } from './outages.ts';
import type { EngineParameters } from './parameters.ts';
import { addToSpread, newSpread, rmsRadius, type Spread } from './spread.ts';

/** How a stop began; times are Unix seconds. */
export interface StopBegin {
  start: number;
  /** False where the vessel was there already when it was first received, or received again after a silence. */
  startKnown: boolean;
  /** The first slow fix: a later one may move `start`, and the stop is still the same. */
  firstTime: number;
  /** Nothing that the vessel did in port before can have been missed. */
  heardArriving: boolean;
}

/** A stop that has ended. */
export interface Stop extends Readonly<StopBegin> {
  readonly end: number;
  /** False where the vessel fell silent there; `end` then is one of the times at which it may have left. */
  readonly endKnown: boolean;
  readonly spread: Spread;
}

/** A stop under way; `confirmed` once it has lasted. */
export interface OpenStop extends StopBegin {
  confirmed: boolean;
  /** Where the first slow fix was. */
  firstLatitude: number;
  firstLongitude: number;
  /** The last slow fix. */
  lastSlowTime: number;
  slowLatitude: number;
  slowLongitude: number;
  slowSpeed: number;
  /** The last still fix, 0 before the first, and when the vessel moved after it, 0 while it lies still. */
  lastStillTime: number;
  movedTime: number;
  /** Faster fixes since the last slow one, and when the vessel got under way before the first of them. */
  fast: number;
  departureTime: number;
  spread: Spread;
}

/** An anchored vessel's fixes spread less. */
const DRIFT_RMS_METRES = 400;

/** The fixes of a vessel alongside spread less, once there are enough of them. */
const FIRM_RMS_METRES = 25;
const FIRM_FIXES = 5;

/** Two positions of a vessel that lies still differ by less. */
const MOVED_METRES = 50;

/** Whether the vessel lies as firm as alongside. */
const isFirm = ({ spread }: OpenStop): boolean =>
  spread.count >= FIRM_FIXES && rmsRadius(spread) <= FIRM_RMS_METRES;

/** Adds a slow fix; the first still one may move the begin of the stop to where it came to rest. */
function addSlow(
  stop: OpenStop,
  fix: Fix,
  speed: number,
  last: LastFix | undefined,
  parameters: EngineParameters,
): void {
  const { stillSpeed, stillSeconds } = parameters;
  stop.spread.slow += 1;
  if (speed > stillSpeed) {
    if (stop.movedTime === 0 && last !== undefined) stop.movedTime = borderAt(last, fix, parameters);
    return;
  }
  if (stop.lastStillTime === 0) {
    const { slow } = stop.spread;
    stop.spread = newSpread(fix.latitude, fix.longitude);
    stop.spread.slow = slow;
    const isFirst = fix.time === stop.firstTime;
    if (!isFirst && last !== undefined && stop.startKnown && fix.time - stop.firstTime <= stillSeconds)
      stop.start = borderAt(last, fix, parameters);
  }
  stop.lastStillTime = fix.time;
  stop.movedTime = 0;
  addToSpread(stop.spread, fix);
}

function beginStop(
  fix: Fix,
  speed: number,
  last: LastFix | undefined,
  parameters: EngineParameters,
): OpenStop {
  const startKnown = last !== undefined && fix.time - last.time <= parameters.silenceSeconds;
  const isSeenMoving = last !== undefined && last.speed > parameters.slowSpeed;
  const border = isSeenMoving ? borderAt(last, fix, parameters) : midpoint(last?.time ?? fix.time, fix.time);
  const stop: OpenStop = {
    // Seen moving before and stopped now, the vessel stopped in between.
    start: startKnown ? border : fix.time,
    startKnown,
    firstTime: fix.time,
    heardArriving: false,
    confirmed: false,
    firstLatitude: fix.latitude,
    firstLongitude: fix.longitude,
    lastSlowTime: fix.time,
    slowLatitude: fix.latitude,
    slowLongitude: fix.longitude,
    slowSpeed: speed,
    lastStillTime: 0,
    movedTime: 0,
    fast: 0,
    departureTime: 0,
    spread: newSpread(fix.latitude, fix.longitude),
  };
  addSlow(stop, fix, speed, last, parameters);
  return stop;
}

function endTime(
  { lastSlowTime, lastStillTime, movedTime }: OpenStop,
  departureTime: number,
  stillSeconds: number,
): number {
  const isStillLate = lastStillTime !== 0 && lastSlowTime - lastStillTime <= stillSeconds;
  return isStillLate && movedTime !== 0 ? movedTime : departureTime;
}

/** The stop of a vessel that left at an unknown time; for the counts it is there until `end`. */
export const endAtUnknown = (
  { start, startKnown, firstTime, heardArriving, spread }: OpenStop,
  end: number,
): Stop => ({ start, startKnown, firstTime, heardArriving, spread, end, endKnown: false });

/** The stop of a vessel that got under way at `departureTime`. */
function endStop(
  stop: OpenStop,
  departureTime: number,
  { silenceSeconds, stillSeconds }: EngineParameters,
): Stop {
  if (departureTime - stop.lastSlowTime > silenceSeconds) return endAtUnknown(stop, departureTime);
  return { ...endAtUnknown(stop, endTime(stop, departureTime, stillSeconds)), endKnown: true };
}

/** Whether a vessel may still be where it was last received `silence` seconds ago, of which `outage` had no reception. */
export const mayRemain = (
  silence: number,
  outage: number,
  { maxSilenceSeconds, maxAbsenceSeconds }: EngineParameters,
): boolean => silence <= maxAbsenceSeconds && silence - outage <= maxSilenceSeconds;

/**
 * Speed of a fix in 0.1 knots; where it is not stated, that made good since the last one. A vessel that has moved since
 * then does not lie still, however little it made good: it may have cast off a moment ago.
 */
function speedOf(fix: Fix, last: LastFix | undefined, { stillSpeed }: EngineParameters): number {
  if (fix.speed !== UNKNOWN || last === undefined || fix.time <= last.time) return fix.speed;
  const metres = metresBetween(last.latitude, last.longitude, fix.latitude, fix.longitude);
  const speed = Math.round((metres / (fix.time - last.time) / KNOT) * 10);
  return metres > MOVED_METRES ? Math.max(speed, stillSpeed + 1) : speed;
}

/** Whether faster fixes since the last slow one show a shift: from a turning basin to a berth, or between two berths. */
function hasShifted(stop: OpenStop, metres: number, jumpMetres: number): boolean {
  const { confirmed, fast } = stop;
  if (!confirmed) return fast > 0;
  // A shift may take no longer than two polls, so that one fast fix shows it; an anchored vessel swings less far.
  const isShown = fast > 1 || (fast === 1 && metres > jumpMetres);
  return isShown && isFirm(stop);
}

/** Whether a slow fix lies too far from the last one for both to be of one stop. */
function hasMoved(stop: OpenStop, fix: Fix, speed: number, parameters: EngineParameters): boolean {
  const { moveMetres, pauseSeconds, jumpMetres, shiftMetres, slowSpeed, stillSpeed, confirmKnots } =
    parameters;
  if (isNear(stop.slowLatitude, stop.slowLongitude, fix, Math.min(shiftMetres, jumpMetres))) return false;
  const metres = metresBetween(stop.slowLatitude, stop.slowLongitude, fix.latitude, fix.longitude);
  if (metres > shiftMetres && hasShifted(stop, metres, jumpMetres)) return true;
  if (metres <= jumpMetres) return false;
  const seconds = fix.time - stop.lastSlowTime;
  if (seconds > pauseSeconds) {
    // A vessel that has drifted so far is assumed to drift on while it is not received.
    const isAdrift = rmsRadius(stop.spread) > DRIFT_RMS_METRES;
    return metres > Math.max(moveMetres, isAdrift ? confirmKnots * KNOT * seconds : 0);
  }
  // Between two slow fixes a vessel makes good little more than the speeds that it states at both.
  const stated = Math.min(slowSpeed, Math.max(speed, stop.slowSpeed, stillSpeed / 2));
  return metres > jumpMetres + 1.5 * (stated / 10) * KNOT * seconds;
}

/** The stop with a slow fix; a stop that has drifted too far to be confirmed begins again at it. */
function addSlowFix(
  stop: OpenStop,
  fix: Fix,
  speed: number,
  last: LastFix | undefined,
  parameters: EngineParameters,
): OpenStop {
  stop.fast = 0;
  stop.lastSlowTime = fix.time;
  stop.slowLatitude = fix.latitude;
  stop.slowLongitude = fix.longitude;
  stop.slowSpeed = speed;
  addSlow(stop, fix, speed, last, parameters);
  const seconds = fix.time - stop.firstTime;
  if (stop.confirmed || seconds < parameters.confirmSeconds) return stop;
  const metres = metresBetween(stop.firstLatitude, stop.firstLongitude, fix.latitude, fix.longitude);
  if (metres > parameters.confirmKnots * KNOT * seconds) return beginStop(fix, speed, last, parameters);
  stop.confirmed = true;
  return stop;
}

/** What the detector reads and writes of a track: its last fix, and the stop under way. */
export interface StopTrack extends LastFix {
  readonly fixes: number;
  open: OpenStop | undefined;
  /** Nothing that the vessel did in port until its last fix can have been missed. */
  heardArriving: boolean;
}

/**
 * Whether `fix`, the first after a silence, shows that the vessel has left. Then it left at the returned time for the
 * counts: an outage stops the clock, so the vessel is there until the receivers work again.
 */
function leftUnseenAt(
  stop: OpenStop,
  fix: Fix,
  last: LastFix,
  parameters: EngineParameters,
  outages: OutageSeconds,
): number | undefined {
  const position = { latitude: stop.slowLatitude, longitude: stop.slowLongitude };
  const outage = outages(position, last.time, fix.time);
  const metres = metresBetween(position.latitude, position.longitude, fix.latitude, fix.longitude);
  // A berth further along the quay is another one; at anchor a vessel swings.
  const radius = isFirm(stop) ? parameters.returnMetres : parameters.moveMetres;
  const isBack = mayRemain(fix.time - last.time, outage, parameters) && metres <= radius;
  return isBack ? undefined : Math.min(fix.time, stop.lastSlowTime + outage);
}

/** Counts a fast fix; whether the stop is over with it. */
function isUnderWay(stop: OpenStop, fix: Fix, last: LastFix, parameters: EngineParameters): boolean {
  if (stop.fast === 0) {
    stop.departureTime = departureTimeOf(last, fix, parameters);
    if (stop.movedTime === 0) stop.movedTime = stop.departureTime;
  }
  stop.fast += 1;
  if (!stop.confirmed) return stop.fast > parameters.fastTolerated;
  if (fix.time - stop.lastSlowTime > parameters.endSeconds && stop.fast >= parameters.endFixes) return true;
  const metres = metresBetween(stop.slowLatitude, stop.slowLongitude, fix.latitude, fix.longitude);
  return stop.fast >= 2 && metres > parameters.leaveMetres;
}

/**
 * Reads `fix`, later than the last one of `track`, into its open stop. Returns the confirmed stop that it ends: in a
 * silence, by a slow fix elsewhere, or by fast fixes. A slow fix that continues no stop begins one.
 */
export function readFix(
  track: StopTrack,
  fix: Fix,
  parameters: EngineParameters,
  outages: OutageSeconds,
): Stop | undefined {
  const last = track.fixes === 0 ? undefined : track;
  const speed = speedOf(fix, last, parameters);
  const isSlow = speed <= parameters.slowSpeed;
  const stop = track.open;
  let ended: Stop | undefined;
  if (stop !== undefined && last !== undefined) {
    const isSilent = fix.time - last.time > parameters.silenceSeconds;
    const unseenAt = isSilent ? leftUnseenAt(stop, fix, last, parameters, outages) : undefined;
    if (unseenAt !== undefined) ended = endAtUnknown(stop, unseenAt);
    else if (isSlow && !hasMoved(stop, fix, speed, parameters)) {
      track.open = addSlowFix(stop, fix, speed, last, parameters);
      return undefined;
    } else if (isSlow)
      ended = endStop(
        stop,
        stop.fast > 0 ? stop.departureTime : departureTimeOf(last, fix, parameters),
        parameters,
      );
    else if (isUnderWay(stop, fix, last, parameters)) ended = endStop(stop, stop.departureTime, parameters);
    else return undefined;
  }
  track.open = isSlow ? beginStop(fix, speed, last, parameters) : undefined;
  return stop?.confirmed ? ended : undefined;
}
