/** Stops of one track: a state machine over its fixes with hysteresis in speed, time and distance. */
import { type Fix, isNear, KNOT, metresBetween, UNKNOWN } from './fix.ts';
import type { OutageSeconds } from './outages.ts';
import type { EngineParameters } from './parameters.ts';
import { addToSpread, newSpread, rmsRadius, type Spread } from './spread.ts';
import { borderAt, type LastFix, midpoint, wayTimeOf } from './stop-borders.ts';

/** A stop that has ended; times are Unix seconds. */
export interface Stop {
  readonly start: number;
  readonly end: number;
  /** False where the vessel was there already when it was first heard, or heard again after a silence. */
  readonly startKnown: boolean;
  /** False where the vessel fell silent there; `end` then is one of the times at which it may have left. */
  readonly endKnown: boolean;
  readonly spread: Spread;
}

/** A stop under way; `confirmed` once it has lasted. */
export interface OpenStop {
  start: number;
  startKnown: boolean;
  confirmed: boolean;
  /** The first slow fix. */
  firstTime: number;
  firstLatitude: number;
  firstLongitude: number;
  /** The last slow fix. */
  slowTime: number;
  slowLatitude: number;
  slowLongitude: number;
  slowSpeed: number;
  /** The last still fix, 0 before the first, and when the vessel moved after it, 0 while it lies still. */
  stillTime: number;
  stirTime: number;
  /** Faster fixes since the last slow one, and when the vessel got under way before the first of them. */
  fast: number;
  wayTime: number;
  spread: Spread;
}

/** An anchored vessel's fixes spread less. */
const DRIFT_RMS_METRES = 400;

/** The fixes of a vessel alongside spread less, once there are enough of them. */
const FIRM_RMS_METRES = 25;
const FIRM_FIXES = 5;

/** Two positions of a vessel that lies still differ by less. */
const MOVED_METRES = 50;

/** Metres that a vessel may lie from where it was and still count as back there: an anchored one has swung. */
const returnRadius = (stop: OpenStop, { returnMetres, moveMetres }: EngineParameters): number =>
  Math.min(moveMetres, Math.max(returnMetres, 3 * rmsRadius(stop.spread)));

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
    if (stop.stirTime === 0 && last !== undefined) stop.stirTime = borderAt(last, fix, parameters);
    return;
  }
  if (stop.stillTime === 0) {
    const { slow } = stop.spread;
    stop.spread = newSpread(fix.latitude, fix.longitude);
    stop.spread.slow = slow;
    const isFirst = fix.time === stop.firstTime;
    if (!isFirst && last !== undefined && stop.startKnown && fix.time - stop.firstTime <= stillSeconds)
      stop.start = borderAt(last, fix, parameters);
  }
  stop.stillTime = fix.time;
  stop.stirTime = 0;
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
    confirmed: false,
    firstTime: fix.time,
    firstLatitude: fix.latitude,
    firstLongitude: fix.longitude,
    slowTime: fix.time,
    slowLatitude: fix.latitude,
    slowLongitude: fix.longitude,
    slowSpeed: speed,
    stillTime: 0,
    stirTime: 0,
    fast: 0,
    wayTime: 0,
    spread: newSpread(fix.latitude, fix.longitude),
  };
  addSlow(stop, fix, speed, last, parameters);
  return stop;
}

function endTime({ slowTime, stillTime, stirTime }: OpenStop, wayTime: number, stillSeconds: number): number {
  const isStillLate = stillTime !== 0 && slowTime - stillTime <= stillSeconds;
  return isStillLate && stirTime !== 0 ? stirTime : wayTime;
}

/** The stop of a vessel that left at an unknown time; for the counts it is there until `end`. */
export const endAtUnknown = ({ start, startKnown, spread }: OpenStop, end: number): Stop => ({
  start,
  end,
  startKnown,
  endKnown: false,
  spread,
});

/** The stop of a vessel that got under way at `wayTime`. */
function endStop(stop: OpenStop, wayTime: number, { silenceSeconds, stillSeconds }: EngineParameters): Stop {
  const { start, startKnown, slowTime, spread } = stop;
  if (wayTime - slowTime > silenceSeconds) return endAtUnknown(stop, wayTime);
  return { start, end: endTime(stop, wayTime, stillSeconds), startKnown, endKnown: true, spread };
}

/** Whether a vessel may still be where it was last heard `silence` seconds ago, of which `outage` had no reception. */
export const mayRemain = (
  silence: number,
  outage: number,
  { longestSilenceSeconds, longestAbsenceSeconds }: EngineParameters,
): boolean => silence <= longestAbsenceSeconds && silence - outage <= longestSilenceSeconds;

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
function hasShifted({ confirmed, fast, spread }: OpenStop, metres: number, jumpMetres: number): boolean {
  if (!confirmed) return fast > 0;
  // A shift may take no longer than two polls, so that one fast fix shows it; an anchored vessel swings less far.
  const isShown = fast > 1 || (fast === 1 && metres > jumpMetres);
  return isShown && spread.count >= FIRM_FIXES && rmsRadius(spread) <= FIRM_RMS_METRES;
}

/** Whether a slow fix lies too far from the last one for both to be of one stop. */
function hasMoved(stop: OpenStop, fix: Fix, speed: number, parameters: EngineParameters): boolean {
  const { moveMetres, pauseSeconds, jumpMetres, shiftMetres, slowSpeed, stillSpeed, confirmKnots } =
    parameters;
  if (isNear(stop.slowLatitude, stop.slowLongitude, fix, Math.min(shiftMetres, jumpMetres))) return false;
  const metres = metresBetween(stop.slowLatitude, stop.slowLongitude, fix.latitude, fix.longitude);
  if (metres > shiftMetres && hasShifted(stop, metres, jumpMetres)) return true;
  if (metres <= jumpMetres) return false;
  const seconds = fix.time - stop.slowTime;
  if (seconds > pauseSeconds) {
    // A vessel that has drifted so far is assumed to drift on while it is not heard.
    const isAdrift = rmsRadius(stop.spread) > DRIFT_RMS_METRES;
    return metres > Math.max(moveMetres, isAdrift ? confirmKnots * KNOT * seconds : 0);
  }
  // Between two slow fixes a vessel makes good little more than the speeds that it states at both.
  const stated = Math.min(slowSpeed, Math.max(speed, stop.slowSpeed, stillSpeed / 2));
  return metres > jumpMetres + 1.5 * (stated / 10) * KNOT * seconds;
}

function takeSlow(
  stop: OpenStop,
  fix: Fix,
  speed: number,
  last: LastFix | undefined,
  parameters: EngineParameters,
): OpenStop {
  stop.fast = 0;
  stop.slowTime = fix.time;
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

/** What a fix does to the stop of its track: the stop that continues, if any, and the one that ended, if any. */
export interface StopStep {
  open: OpenStop | undefined;
  ended: Stop | undefined;
}

function endOpen(step: StopStep, stop: OpenStop, wayTime: number, parameters: EngineParameters): void {
  if (stop.confirmed) step.ended = endStop(stop, wayTime, parameters);
  step.open = undefined;
}

/** Ends the open stop where `fix`, the first after a silence since `lastTime`, shows that the vessel has left. */
function endIfLeft(
  step: StopStep,
  stop: OpenStop,
  fix: Fix,
  lastTime: number,
  parameters: EngineParameters,
  outages: OutageSeconds,
): void {
  const position = { latitude: stop.slowLatitude, longitude: stop.slowLongitude };
  const outage = outages(position, lastTime, fix.time);
  const metres = metresBetween(position.latitude, position.longitude, fix.latitude, fix.longitude);
  if (mayRemain(fix.time - lastTime, outage, parameters) && metres <= returnRadius(stop, parameters)) return;
  // For the counts an outage stops the clock, so the vessel is there until the receivers work again.
  if (stop.confirmed) step.ended = endAtUnknown(stop, Math.min(fix.time, stop.slowTime + outage));
  step.open = undefined;
}

/** Reads `fix`, later than `last`, into `step.open`; `step.ended` is the confirmed stop that it ended. */
export function readFix(
  step: StopStep,
  fix: Fix,
  last: LastFix | undefined,
  parameters: EngineParameters,
  outages: OutageSeconds,
): void {
  step.ended = undefined;
  const speed = speedOf(fix, last, parameters);
  const isSlow = speed <= parameters.slowSpeed;
  let stop = step.open;
  if (stop !== undefined && last !== undefined && fix.time - last.time > parameters.silenceSeconds) {
    endIfLeft(step, stop, fix, last.time, parameters, outages);
    stop = step.open;
  }
  if (stop === undefined) {
    if (isSlow) step.open = beginStop(fix, speed, last, parameters);
    return;
  }
  if (isSlow) {
    if (hasMoved(stop, fix, speed, parameters)) {
      const wayTime = stop.fast > 0 || last === undefined ? stop.wayTime : wayTimeOf(last, fix, parameters);
      endOpen(step, stop, wayTime, parameters);
      step.open = beginStop(fix, speed, last, parameters);
    } else step.open = takeSlow(stop, fix, speed, last, parameters);
    return;
  }
  if (stop.fast === 0) {
    stop.wayTime = last === undefined ? fix.time : wayTimeOf(last, fix, parameters);
    if (stop.stirTime === 0) stop.stirTime = stop.wayTime;
  }
  stop.fast += 1;
  if (!stop.confirmed) {
    if (stop.fast > parameters.fastTolerated) step.open = undefined;
    return;
  }
  const isFast = fix.time - stop.slowTime > parameters.endSeconds && stop.fast >= parameters.endFixes;
  const hasLeft =
    stop.fast >= 2 &&
    metresBetween(stop.slowLatitude, stop.slowLongitude, fix.latitude, fix.longitude) >
      parameters.leaveMetres;
  if (isFast || hasLeft) endOpen(step, stop, stop.wayTime, parameters);
}
