/** Finds the stops of one track: a state machine over its fixes with hysteresis in speed, time and distance. */
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
import { isNear, KNOT, metresBetween } from './geometry.ts';
import type { OutageSeconds } from './reception.ts';
import {
  addToSpread,
  type Drift,
  endAtUnknown,
  isFirm,
  isMostlyStill,
  kindBySpread,
  metresAlong,
  newSpread,
  type OpenStop,
  openStop,
  rmsRadius,
  type Stop,
  type Track,
} from './stops.ts';

/**
 * Reads `fix`, later than the last one of `track`, into its open stop. Returns the confirmed stop that it ends: in a
 * silence, by a slow fix elsewhere, or by fast fixes.
 */
export function readFix(
  track: Track,
  fix: Fix,
  parameters: EngineParameters,
  outages: OutageSeconds,
): Stop | undefined {
  const last = track.fixes === 0 ? undefined : track;
  const reading: Reading<Track | undefined> = {
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

const isFollowing = (reading: Reading<Track | undefined>): reading is Reading<Track> =>
  reading.last !== undefined;

/** Returns the stop that begins with a slow fix, or with a fix of a vessel that has been adrift for long enough. */
function stopBegunBy(track: Track, reading: Reading<Track | undefined>): OpenStop | undefined {
  if (reading.speed <= reading.parameters.slowSpeed) return beginStop(reading);
  return driftingStop(track.drift, reading, track.statusUnderWay);
}

/** Reads a fix that does not end the stop. If a vessel adrift has come to rest, returns the stop that this ends. */
function continueStop(track: Track, stop: OpenStop, reading: Reading<Track>): Stop | undefined {
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

// How a stop begins, goes on and ends.

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

function beginStop(reading: Reading<Track | undefined>): OpenStop {
  const { fix, speed, last, parameters } = reading;
  const startKnown = last !== undefined && fix.time - last.time <= parameters.silenceSeconds;
  const isSeenMoving = last !== undefined && last.speed > parameters.slowSpeed;
  const border = isSeenMoving ? borderAt(last, fix, parameters) : midpoint(last?.time ?? fix.time, fix.time);
  const begin = {
    // If the vessel was seen moving before, it stopped between the two fixes.
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

/** Returns the ended stop of a vessel that got under way at `departureTime`. */
function endStop(
  stop: OpenStop,
  departureTime: number,
  { silenceSeconds, stillSeconds }: EngineParameters,
): Stop {
  if (departureTime - stop.lastSlowTime > silenceSeconds) return endAtUnknown(stop, departureTime);
  return { ...endAtUnknown(stop, endTime(stop, departureTime, stillSeconds)), endKnown: true };
}

/** Whether a vessel last received `silence` seconds ago may still be there, if the receivers were out for `outage` of these seconds. */
export const mayRemain = (
  silence: number,
  outage: number,
  { maxSilenceSeconds, maxAbsenceSeconds }: EngineParameters,
): boolean => silence <= maxAbsenceSeconds && silence - outage <= maxSilenceSeconds;

/** Adds a slow fix to the stop. A stop that has moved too far to be confirmed begins again at the fix. */
function addSlowFix(stop: OpenStop, reading: Reading<Track>): OpenStop {
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

/**
 * Returns when the counts let the vessel leave, if `fix`, the first after a silence, shows that it has left. Time in an
 * outage does not count, so the vessel stays until the receivers work again.
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

/** Counts a fast fix, and returns whether it ends the stop. */
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

/** Returns the stop that `fix` ends; undefined if the stop goes on. */
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

// A vessel that keeps below the drifting speed for hours waits: it lies beam to the wind, or steams to and fro. One that
// makes good a course along its heading is under way, however slow.

/** A stretch of a track: where and when it began, and the decimetres made good along the heading since. */
interface Stretch {
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

/** Whether the vessel made good more than `knots` since the stretch began. */
function isFaster(stretch: Omit<Stretch, 'ahead'>, to: TimedPosition, knots: number): boolean {
  const metres = metresBetween(stretch.latitude, stretch.longitude, to.latitude, to.longitude);
  return metres > knots * KNOT * (to.time - stretch.begin);
}

/** Whether the vessel made good a course along its heading on the stretch, faster than a stopped vessel may drift. */
function isMakingWay(stretch: Stretch, to: TimedPosition, { confirmKnots }: EngineParameters): boolean {
  const metres = metresBetween(stretch.latitude, stretch.longitude, to.latitude, to.longitude);
  return isFaster(stretch, to, confirmKnots) && stretch.ahead / 10 >= AHEAD_SHARE * metres;
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
function beginDrift({ fix, last, parameters }: Reading): Drift {
  const { driftSpeed, silenceSeconds } = parameters;
  const beginKnown = last !== undefined && fix.time - last.time <= silenceSeconds;
  const isSlowing = beginKnown && last.speed > driftSpeed;
  const begin = isSlowing ? driftBorder(last, fix, parameters) : fix.time;
  const { latitude, longitude } = fix;
  return { begin, beginKnown, latitude, longitude, ahead: 0, fixes: 1, fast: 0, departureTime: 0 };
}

/** Returns the drift after a fix above the drifting speed; undefined once the vessel is under way. */
function driftWithFast(drift: Drift, { fix, last, parameters }: Reading<LastFix>): Drift | undefined {
  if (drift.fast === 0) drift.departureTime = driftBorder(last, fix, parameters);
  drift.fast += 1;
  return drift.fast < DRIFT_FAST_FIXES && isContinued(last, fix, parameters) ? drift : undefined;
}

/** Returns the drift after the fix; undefined once the vessel is under way. */
function driftAfter(drift: Drift | undefined, reading: Reading): Drift | undefined {
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

/** Returns the stop of a vessel that has been adrift for as long as a wait at the fix. */
function driftingStop(
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

/** Whether the vessel has been adrift since the stop began and may drift on; a vessel alongside does not. */
const isAdrift = (stop: OpenStop, drift: Drift | undefined): boolean =>
  stop.confirmed &&
  drift !== undefined &&
  drift.begin <= stop.firstTime &&
  kindBySpread(stop.spread) === 'wait';

const stretchOf = ({ departureTime, slowLatitude, slowLongitude, ahead }: OpenStop) => ({
  begin: departureTime,
  latitude: slowLatitude,
  longitude: slowLongitude,
  ahead,
});

/** Adds the drift up to a fix to the stop. */
function absorb(stop: OpenStop, at: LastFix): void {
  stop.fast = 0;
  stop.ahead = 0;
  stop.movedTime = 0;
  stop.lastSlowTime = at.time;
  stop.slowLatitude = at.latitude;
  stop.slowLongitude = at.longitude;
  stop.slowSpeed = at.speed;
}

/** Whether the vessel has left the waters of the stop. A vessel that steams to and fro returns to them. */
function isAway(stop: OpenStop, at: TimedPosition, parameters: EngineParameters): boolean {
  const { firstTime: begin, firstLatitude: latitude, firstLongitude: longitude } = stop;
  return isFaster({ begin, latitude, longitude }, at, parameters.confirmKnots);
}

/** Whether a vessel that may be getting under way drifted before. One that lay still has weighed anchor and turned. */
function hasDrifted(stop: OpenStop, last: LastFix, parameters: EngineParameters): boolean {
  const isStill = isMostlyStill(stop.spread);
  if (isMakingWay(stretchOf(stop), last, parameters)) return !isStill && !isAway(stop, last, parameters);
  return !isStill || last.time - stop.departureTime >= parameters.driftSeconds / 2;
}

/** Reads a fix above the slow speed into the stop of a vessel adrift; returns whether it ends the stop. */
function driftOn(stop: OpenStop, drift: Drift, { fix, last, parameters }: Reading<LastFix>): boolean {
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
  if (isMakingWay(stretchOf(stop), fix, parameters)) return isAway(stop, fix, parameters);
  absorb(stop, { ...fix });
  return false;
}

/** Whether a slow fix of a vessel adrift belongs to another stop: it has sailed there, however slowly. */
function hasSailed(stop: OpenStop, { fix, last, parameters }: Reading<LastFix>): boolean {
  if (stop.fast === 0) return false;
  const metres = metresBetween(stop.slowLatitude, stop.slowLongitude, fix.latitude, fix.longitude);
  const stretch = { ...stretchOf(stop), ahead: stop.ahead + decimetresAhead(last, fix) };
  if (metres <= parameters.leaveMetres || !isMakingWay(stretch, fix, parameters)) return false;
  if (isMostlyStill(stop.spread)) return true;
  return fix.time - stop.departureTime >= parameters.driftSeconds && isAway(stop, fix, parameters);
}

/** A stop after a drift without way made good began with that drift. */
function beginWithDrift(stop: OpenStop, drift: Drift | undefined, parameters: EngineParameters): void {
  const { firstTime: time, firstLatitude: latitude, firstLongitude: longitude } = stop;
  if (drift === undefined || drift.begin > time || time - drift.begin < parameters.driftSeconds) return;
  if (isMakingWay(drift, { time, latitude, longitude }, parameters)) return;
  stop.start = drift.begin;
  stop.startKnown = drift.beginKnown;
  stop.firstTime = drift.begin;
}

// A stopped vessel may move to another place without being seen under way, for example drift or be towed to a berth, and keep one
// spot there.

/** The fixes of an anchored vessel spread by less. */
const DRIFT_RMS_METRES = 400;

/** Returns how far a vessel may move in `seconds` without leaving, in metres: at anchor it swings, adrift it drifts on. */
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
function hasMoved(stop: OpenStop, fix: Fix, speed: number, parameters: EngineParameters): boolean {
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

/** Positions of a vessel that keeps one spot differ by less. */
const SPOT_METRES = 50;

/** Starts a new spot if the fix lies off the one that the vessel kept. */
function keepRest(stop: OpenStop, fix: Fix): void {
  const metres = metresBetween(stop.restLatitude, stop.restLongitude, fix.latitude, fix.longitude);
  if (metres <= SPOT_METRES) return;
  stop.restTime = fix.time;
  stop.restLatitude = fix.latitude;
  stop.restLongitude = fix.longitude;
}

/**
 * Splits the stop of a vessel adrift that has kept one spot for as long as the shortest berth stay: into the ended drift and
 * the open stop at the spot. Undefined if it has not.
 */
function restedStop(
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
