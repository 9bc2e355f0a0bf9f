/** Divides the fixes of one MMSI into tracks. A track has positions that one vessel can have sailed between, and their stops. */
import { type EngineParameters, type Fix, UNKNOWN } from './fix.ts';
import { isNear, KNOT, metresBetween } from './geometry.ts';
import { MAX_PORT_METRES } from './port-areas.ts';
import type { ReceptionLimits } from './reception.ts';
import { readFix } from './stop-detector.ts';
import {
  joinSpread,
  kindBySpread,
  meanPosition,
  type OpenStop,
  rmsRadius,
  type Stop,
  type Track,
} from './stops.ts';

/** Largest distance between positions at one berth. */
const BERTH_METRES = 60;
/** Fixes are counted up to here. More make no difference, and after a corrected row states must soon be equal again. */
const MAX_COUNTED = 1000;
/** Above this speed, in 0.1 knots, a vessel is under way. */
const UNDER_WAY_SPEED = 50;

/** Returns how far the vessel of `track` can have sailed until `fix`, in metres. */
function reachMetresUntil(track: Track, fix: Fix, parameters: EngineParameters): number {
  const { reachKnots, reachMetres, steadySeconds } = parameters;
  const seconds = fix.time - track.time;
  const stated = Math.max(track.speed, fix.speed);
  const isSteady = seconds <= steadySeconds && track.speed !== UNKNOWN && fix.speed !== UNKNOWN;
  const knots = isSteady ? Math.min(reachKnots, stated / 10 + 10) : reachKnots;
  return reachMetres + knots * KNOT * seconds;
}

function findNearest(tracks: readonly Track[], fix: Fix, parameters: EngineParameters): Track | undefined {
  let nearest: Track | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const track of tracks) {
    const metres = metresBetween(track.latitude, track.longitude, fix.latitude, fix.longitude);
    if (metres < least && metres <= reachMetresUntil(track, fix, parameters)) {
      least = metres;
      nearest = track;
    }
  }
  return nearest;
}

/** Returns the nearest track that `fix` can continue. A track that began with an outlier does not take over the vessel. */
export function continuedTrack(
  tracks: readonly Track[],
  fix: Fix,
  parameters: EngineParameters,
): Track | undefined {
  const [only] = tracks;
  const isOnly = only !== undefined && tracks.length === 1;
  if (isOnly && isNear(only.latitude, only.longitude, fix, parameters.reachMetres)) return only;
  const nearest = findNearest(tracks, fix, parameters);
  const isRecent = (track: Track): boolean => fix.time - track.time <= parameters.steadySeconds;
  if (nearest === undefined || nearest.fixes >= parameters.minFixes || isRecent(nearest)) return nearest;
  return findNearest(tracks.filter(isRecent), fix, parameters) ?? nearest;
}

/**
 * Opens a track at `fix`. At the limit of tracks it replaces the one with the fewest fixes; returns undefined if all have
 * settled stays.
 */
export function openTrack(
  tracks: Track[],
  fix: Fix,
  { tracksPerVessel }: EngineParameters,
): Track | undefined {
  const { time, latitude, longitude, speed } = fix;
  const track: Track = {
    begin: time,
    fixes: 0,
    time,
    latitude,
    longitude,
    speed,
    statusUnderWay: UNKNOWN,
    drift: undefined,
    open: undefined,
    receivedArriving: false,
    stops: [],
    settled: undefined,
  };
  if (tracks.length < tracksPerVessel) {
    tracks.push(track);
    return track;
  }
  const [weakest] = tracks
    .filter(({ settled }) => settled === undefined)
    .sort((a, b) => a.fixes - b.fixes || a.time - b.time);
  if (weakest === undefined) return undefined;
  tracks[tracks.indexOf(weakest)] = track;
  return track;
}

/** Whether two consecutive stops are one that was interrupted. */
function isOneStop(before: Stop, next: Stop, { joinSeconds, joinMetres }: EngineParameters): boolean {
  // A vessel adrift that came to rest still waits.
  if (next.start === before.end && [before, next].every(({ spread }) => kindBySpread(spread) === 'wait'))
    return true;
  if (next.start - before.end > joinSeconds || !before.endKnown || !next.startKnown) return false;
  const [a, b] = [meanPosition(before.spread), meanPosition(next.spread)];
  // Two berths may be nearer to one another than an anchored vessel swings.
  const near = BERTH_METRES + 2 * (rmsRadius(before.spread) + rmsRadius(next.spread));
  return metresBetween(a.latitude, a.longitude, b.latitude, b.longitude) <= Math.min(joinMetres, near);
}

/** Returns the stops with `next` appended, or joined to the last one if it continues that. */
export function withStop(stops: readonly Stop[], next: Stop, parameters: EngineParameters): Stop[] {
  const before = stops.at(-1);
  if (before === undefined || !isOneStop(before, next, parameters)) return [...stops, next];
  const spread = { ...before.spread };
  joinSpread(spread, next.spread);
  return [...stops.slice(0, -1), { ...before, end: next.end, endKnown: next.endKnown, spread }];
}

/** Positions further apart are not within reach of one port. */
const ELSEWHERE_METRES = 2 * MAX_PORT_METRES;

/** Whether the vessel was received until it left a stop as long as a wait: what came before that stop no longer matters. */
const hasLeft = (ended: Stop | undefined, minWaitSeconds: number): boolean =>
  ended?.endKnown === true && ended.end - ended.start >= minWaitSeconds;

/**
 * Whether `fix` leaves no time without reception since the vessel arrived. A silence shorter than the shortest wait
 * hides none. After a longer one the vessel arrives from outside the reach; or inside, where receivers reach less far,
 * if they have worked for a day, and it was away for as long as a call may pause or was received elsewhere. `open` is
 * the stop that the fix found, and `ended` the one that it ended.
 */
function isReceivedArriving(
  track: Track,
  fix: Fix,
  { open, ended }: { readonly open: OpenStop | undefined; readonly ended: Stop | undefined },
  parameters: EngineParameters,
  { outages, isOutside }: ReceptionLimits,
): boolean {
  const { minWaitSeconds, sameCallSeconds, provenSeconds, slowSpeed } = parameters;
  const silence = track.fixes === 0 ? Number.POSITIVE_INFINITY : fix.time - track.time;
  const hasStayed = open?.confirmed === true && track.open === open;
  if (silence < minWaitSeconds || hasStayed)
    return (
      track.receivedArriving || hasLeft(ended, minWaitSeconds) || (fix.speed > slowSpeed && isOutside(fix))
    );
  if (isOutside(fix)) return true;
  const isAbsent =
    silence >= sameCallSeconds ||
    metresBetween(track.latitude, track.longitude, fix.latitude, fix.longitude) > ELSEWHERE_METRES;
  return isAbsent && outages(fix, fix.time - provenSeconds, fix.time) === 0;
}

/** Reads a fix into the track that it continues, and keeps the stop that it ends. */
export function extendTrack(
  track: Track,
  fix: Fix,
  parameters: EngineParameters,
  limits: ReceptionLimits,
): void {
  const { open } = track;
  const ended = readFix(track, fix, parameters, limits.outages);
  track.receivedArriving = isReceivedArriving(track, fix, { open, ended }, parameters, limits);
  if (track.open !== undefined && track.open !== open) track.open.receivedArriving = track.receivedArriving;
  if (ended !== undefined && ended.end - ended.start >= parameters.minStopSeconds)
    track.stops = withStop(track.stops, ended, parameters);
  track.fixes = Math.min(MAX_COUNTED, track.fixes + 1);
  track.time = fix.time;
  track.latitude = fix.latitude;
  track.longitude = fix.longitude;
  track.speed = fix.speed;
  if (fix.speed > UNDER_WAY_SPEED) track.statusUnderWay = fix.status;
}
