/** Stops of one track: a state machine over its fixes with hysteresis in speed, time and distance. */
import {
  beginDrift,
  beginWithDrift,
  type Drift,
  driftAfter,
  driftingStop,
  driftOn,
  hasSailed,
  isAdrift,
} from './drift.ts';
import {
  borderAt,
  departureTimeOf,
  type EngineParameters,
  type Fix,
  type LastFix,
  midpoint,
  type Reading,
  speedAt,
  UNKNOWN,
} from './fix.ts';
import { KNOT, metresBetween } from './geometry.ts';
import type { OutageSeconds } from './reception.ts';
import { hasMoved, keepRest, restedStop } from './rest.ts';
import { addToSpread, newSpread } from './spread.ts';
import { endAtUnknown, isFirm, kindBySpread, type OpenStop, openStop, type Stop } from './stops.ts';

/**
 * Whether a vessel that seems to wait has kept one spot for as long as a berth stay lasts, soon after it stopped: it
 * swung into a berth.
 */
function hasSwungIn({ restTime, firstTime, spread }: OpenStop, { fix, last, parameters }: Reading): boolean {
  const { minBerthSeconds, stillSeconds } = parameters;
  if (last === undefined || restTime <= firstTime || restTime - firstTime > stillSeconds) return false;
  const hasKept = fix.time - restTime >= minBerthSeconds && last.time - restTime < minBerthSeconds;
  return hasKept && kindBySpread(spread) === 'wait';
}

/** Adds a slow fix; the first still one may move the begin of the stop to where it came to rest. */
function addSlow(stop: OpenStop, reading: Reading): void {
  const { fix, speed, last, parameters } = reading;
  const { stillSpeed, stillSeconds } = parameters;
  stop.spread.slow += 1;
  keepRest(stop, fix);
  if (speed > stillSpeed) {
    if (stop.movedTime === 0 && last !== undefined) stop.movedTime = borderAt(last, fix, parameters);
    return;
  }
  if (stop.lastStillTime === 0 || hasSwungIn(stop, reading)) {
    const { slow, statusUnderWay } = stop.spread;
    stop.spread = newSpread(fix.latitude, fix.longitude, statusUnderWay);
    stop.spread.slow = slow;
  }
  if (stop.lastStillTime === 0) {
    const isFirst = fix.time === stop.firstTime;
    if (!isFirst && last !== undefined && stop.startKnown && fix.time - stop.firstTime <= stillSeconds)
      stop.start = borderAt(last, fix, parameters);
  }
  stop.lastStillTime = fix.time;
  stop.movedTime = 0;
  addToSpread(stop.spread, fix);
}

function beginStop(reading: Reading<StopTrack | undefined>): OpenStop {
  const { fix, speed, last, parameters } = reading;
  const startKnown = last !== undefined && fix.time - last.time <= parameters.silenceSeconds;
  const isSeenMoving = last !== undefined && last.speed > parameters.slowSpeed;
  const border = isSeenMoving ? borderAt(last, fix, parameters) : midpoint(last?.time ?? fix.time, fix.time);
  const begin = {
    // Seen moving before and stopped now, the vessel stopped in between.
    start: startKnown ? border : fix.time,
    startKnown,
    confirmed: false,
    firstTime: fix.time,
    firstLatitude: fix.latitude,
    firstLongitude: fix.longitude,
  };
  const stop = openStop(begin, fix, speed, last?.statusUnderWay ?? UNKNOWN);
  addSlow(stop, reading);
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

/** The stop of a vessel that got under way at `departureTime`. */
function endStop(
  stop: OpenStop,
  departureTime: number,
  { silenceSeconds, stillSeconds }: EngineParameters,
): Stop {
  if (departureTime - stop.lastSlowTime > silenceSeconds) return endAtUnknown(stop, departureTime);
  return { ...endAtUnknown(stop, endTime(stop, departureTime, stillSeconds)), endKnown: true };
}

/** Whether a vessel last received `silence` seconds ago may still be there. The receivers were out for `outage` of these seconds. */
export const mayRemain = (
  silence: number,
  outage: number,
  { maxSilenceSeconds, maxAbsenceSeconds }: EngineParameters,
): boolean => silence <= maxAbsenceSeconds && silence - outage <= maxSilenceSeconds;

/** The stop with a slow fix; a stop that has drifted too far to be confirmed restarts at it. */
function addSlowFix(stop: OpenStop, reading: Reading<StopTrack>): OpenStop {
  const { fix, speed, last, parameters } = reading;
  stop.fast = 0;
  stop.ahead = 0;
  stop.lastSlowTime = fix.time;
  stop.slowLatitude = fix.latitude;
  stop.slowLongitude = fix.longitude;
  stop.slowSpeed = speed;
  addSlow(stop, reading);
  const seconds = fix.time - stop.firstTime;
  if (stop.confirmed || seconds < parameters.confirmSeconds) return stop;
  const metres = metresBetween(stop.firstLatitude, stop.firstLongitude, fix.latitude, fix.longitude);
  if (metres > parameters.confirmKnots * KNOT * seconds) return beginStop(reading);
  stop.confirmed = true;
  beginWithDrift(stop, last.drift, parameters);
  return stop;
}

/** What the detector reads and writes of a track: its last fix, and the drift and the stop under way. */
export interface StopTrack extends LastFix {
  readonly fixes: number;
  /** The last status stated under way; `UNKNOWN` before. */
  statusUnderWay: number;
  drift?: Drift | undefined;
  open?: OpenStop | undefined;
  /** Nothing that the vessel did in port up to its last fix can have been missed. */
  receivedArriving: boolean;
}

/**
 * When the vessel left for the counts, where `fix`, the first after a silence, shows that it has: an outage stops the
 * clock, so it is there until the receivers work again.
 */
function leftUnseenAt(
  stop: OpenStop,
  { fix, last, parameters }: Reading<LastFix>,
  outages: OutageSeconds,
): number | undefined {
  const position = { latitude: stop.slowLatitude, longitude: stop.slowLongitude };
  const outage = outages(position, last.time, fix.time);
  const metres = metresBetween(position.latitude, position.longitude, fix.latitude, fix.longitude);
  // A berth further along the quay is another one; at anchor a vessel swings.
  const radius = isFirm(stop.spread) ? parameters.returnMetres : parameters.moveMetres;
  const isBack = mayRemain(fix.time - last.time, outage, parameters) && metres <= radius;
  return isBack ? undefined : Math.min(fix.time, stop.lastSlowTime + outage);
}

/** Counts a fast fix; whether the stop is over with it. */
function isUnderWay(stop: OpenStop, { fix, last, parameters }: Reading<LastFix>): boolean {
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

/** How `fix` ends the open stop; undefined where it goes on. */
function endBy(stop: OpenStop, drift: Drift | undefined, reading: Reading<LastFix>): Stop | undefined {
  const { fix, speed, last, parameters } = reading;
  const isSlow = speed <= parameters.slowSpeed;
  if (drift !== undefined && isAdrift(stop, drift)) {
    const isOver = isSlow ? hasSailed(stop, reading) : driftOn(stop, drift, reading);
    return isOver ? endStop(stop, stop.departureTime, parameters) : undefined;
  }
  if (!isSlow) return isUnderWay(stop, reading) ? endStop(stop, stop.departureTime, parameters) : undefined;
  if (!hasMoved(stop, fix, speed, parameters)) return undefined;
  const departureTime = stop.fast > 0 ? stop.departureTime : departureTimeOf(last, fix, parameters);
  return endStop(stop, departureTime, parameters);
}

/**
 * Reads `fix`, later than the last one of `track`, into its open stop. Returns the confirmed stop that it ends: in a
 * silence, by a slow fix elsewhere, or by fast fixes.
 */
export function readFix(
  track: StopTrack,
  fix: Fix,
  parameters: EngineParameters,
  outages: OutageSeconds,
): Stop | undefined {
  const last = track.fixes === 0 ? undefined : track;
  const reading: Reading<StopTrack | undefined> = {
    fix,
    speed: speedAt(fix, last, parameters),
    last,
    parameters,
  };
  track.drift = driftAfter(track.drift, reading);
  const stop = track.open;
  if (stop === undefined || !isFollowing(reading)) {
    track.open = stopBegunBy(track, reading);
    return undefined;
  }
  const isSilent = fix.time - reading.last.time > parameters.silenceSeconds;
  const unseenAt = isSilent ? leftUnseenAt(stop, reading, outages) : undefined;
  const ended = unseenAt === undefined ? endBy(stop, track.drift, reading) : endAtUnknown(stop, unseenAt);
  if (ended === undefined) return continueStop(track, stop, reading);
  if (stop.confirmed && track.drift !== undefined) track.drift = beginDrift(reading);
  track.open = stopBegunBy(track, reading);
  return stop.confirmed ? ended : undefined;
}

const isFollowing = (reading: Reading<StopTrack | undefined>): reading is Reading<StopTrack> =>
  reading.last !== undefined;

/** The stop that begins with a fix, slow or of a vessel that has been adrift for long enough. */
function stopBegunBy(track: StopTrack, reading: Reading<StopTrack | undefined>): OpenStop | undefined {
  if (reading.speed <= reading.parameters.slowSpeed) return beginStop(reading);
  return driftingStop(track.drift, reading, track.statusUnderWay);
}

/** Reads a fix that does not end the stop. Returns the stop of a vessel adrift that has come to rest with it. */
function continueStop(track: StopTrack, stop: OpenStop, reading: Reading<StopTrack>): Stop | undefined {
  const { fix, speed, parameters } = reading;
  if (speed <= parameters.slowSpeed) track.open = addSlowFix(stop, reading);
  const { open = stop, drift } = track;
  const rested = isAdrift(open, drift) ? restedStop(open, fix, parameters) : undefined;
  if (rested !== undefined) {
    track.open = rested.open;
    return rested.ended;
  }
  if (!open.confirmed) track.open = driftingStop(drift, reading, track.statusUnderWay) ?? open;
  return undefined;
}
