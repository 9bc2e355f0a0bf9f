/** The tracks of one MMSI: positions that one vessel can have sailed between, each with the stops found on it. */
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

/** Positions of one berth differ by no more. */
const BERTH_METRES = 60;
/** Fixes are counted up to here: more make no difference, and a state must not differ for long after a corrected row. */
const MAX_COUNTED = 1000;
/** Surely under way, in 0.1 knots. */
const UNDER_WAY_SPEED = 50;

/** Metres that the vessel of `track` can have sailed until `fix`. */
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

/**
 * The nearest track that `fix` can continue. An outlier left behind on the vessel's way does not take the vessel over.
 */
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
 * Opens a track at `fix`; beyond the limit it replaces the one with the fewest fixes. Undefined where all have settled
 * stays.
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

/** Whether two stops that follow one another are one that was interrupted. */
function isOneStop(before: Stop, next: Stop, { joinSeconds, joinMetres }: EngineParameters): boolean {
  // A wait that continues where the vessel comes to rest.
  if (next.start === before.end && [before, next].every(({ spread }) => kindBySpread(spread) === 'wait'))
    return true;
  if (next.start - before.end > joinSeconds || !before.endKnown || !next.startKnown) return false;
  const [a, b] = [meanPosition(before.spread), meanPosition(next.spread)];
  // Two berths are nearer to one another than an anchored vessel swings.
  const near = BERTH_METRES + 2 * (rmsRadius(before.spread) + rmsRadius(next.spread));
  return metresBetween(a.latitude, a.longitude, b.latitude, b.longitude) <= Math.min(joinMetres, near);
}

/** The stops with `next` appended, or joined to the last one that it continues. */
export function withStop(stops: readonly Stop[], next: Stop, parameters: EngineParameters): Stop[] {
  const before = stops.at(-1);
  if (before === undefined || !isOneStop(before, next, parameters)) return [...stops, next];
  const spread = { ...before.spread };
  joinSpread(spread, next.spread);
  return [...stops.slice(0, -1), { ...before, end: next.end, endKnown: next.endKnown, spread }];
}

/** Positions further apart are out of the reach of any one port. */
const ELSEWHERE_METRES = 2 * MAX_PORT_METRES;

/** What follows a stay that was received to its end is received, whatever came before that stay. */
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

/** Reads a fix into the track that it continues. */
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
