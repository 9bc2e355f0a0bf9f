/** Stops made into stays: what kind each is, and the port that it belongs to. */
import type { StayKind } from '../calls/port-call.ts';
import type { Locode } from '../reference/locode.ts';
import type { Approach } from '../reference/port-boxes.ts';
import { metresBetween } from './geometry.ts';
import type { EngineParameters } from './parameters.ts';
import {
  type AnchorageArea,
  anchorageAt,
  MAX_PORT_METRES,
  NAUTICAL_MILE,
  type NearestPort,
  portsBehind,
} from './port-areas.ts';
import { NO_OUTAGES, type OutageSeconds } from './reception.ts';
import { meanPosition, type Spread } from './spread.ts';
import { mayRemain } from './stop-detector.ts';
import { endAtUnknown, kindBySpread, type OpenStop, type Stop } from './stops.ts';
import { type SettledStay, type Track, withStop } from './tracks.ts';

/** A stop with its kind and its port. */
export interface VesselStay extends Omit<SettledStay, 'end'> {
  /** Undefined while the vessel is there. */
  readonly end: number | undefined;
  /** The port, undefined more than 20 nautical miles from any. */
  readonly port: Locode | undefined;
}

export interface StayParts {
  readonly parameters: EngineParameters;
  /** A stay inside one is a wait; none when absent. */
  readonly anchorageAreas?: readonly AnchorageArea[] | undefined;
  readonly ports: NearestPort;
  /** Outages of the receivers up to the time at which stays are looked at; none when absent. */
  readonly outages?: OutageSeconds;
  /** Roadsteads from which vessels sail to berths further away. */
  readonly approaches?: readonly Approach[];
}

/** A berth within this sailing time and distance is the one that was waited for. */
const NEXT_BERTH_SECONDS = 6 * 3600;
const NEXT_BERTH_METRES = 30 * NAUTICAL_MILE;

const stayKind = (
  spread: Spread,
  latitude: number,
  longitude: number,
  areas: readonly AnchorageArea[],
): StayKind => (anchorageAt(areas, latitude, longitude) === undefined ? kindBySpread(spread) : 'wait');

/**
 * The open stop as it stands at `time`. A vessel silent for too long has left since it was last received, or since the
 * receivers work again.
 */
function openAt(
  track: Track,
  stop: OpenStop,
  time: number,
  { parameters, outages = NO_OUTAGES }: StayParts,
): Stop & { open: boolean } {
  const silence = time - track.time;
  const outage = silence <= parameters.maxSilenceSeconds ? 0 : outages(track, track.time, time);
  const open = mayRemain(silence, outage, parameters);
  const end = open ? Math.max(time, stop.lastSlowTime) : Math.min(time, stop.lastSlowTime + outage);
  return { ...endAtUnknown(stop, end), open };
}

/** Ends the open stop of a vessel silent for too long: outages that become known later do not move the end. */
export function endSilentStop(track: Track, time: number, parts: StayParts): void {
  if (track.open?.confirmed !== true) return;
  const { open, ...stop } = openAt(track, track.open, time, parts);
  if (open) return;
  track.open = undefined;
  if (stop.end - stop.start >= parts.parameters.minStopSeconds)
    track.stops = withStop(track.stops, stop, parts.parameters);
}

/** All stops of the track that count at `time`, oldest first, the open stop last. */
function stopsAt(track: Track, time: number, parts: StayParts) {
  const { parameters } = parts;
  if (track.open?.confirmed !== true) return { stops: track.stops, isOpen: false };
  const { open: isOpen, ...last } = openAt(track, track.open, time, parts);
  if (last.end - last.start < parameters.minStopSeconds) return { stops: track.stops, isOpen: false };
  return { stops: withStop(track.stops, last, parameters), isOpen };
}

/**
 * The stays of a track as known at `time`, the settled ones first; closed ones shorter than their kind's least length
 * are left out.
 */
export function trackStays(track: Track, time: number, parts: StayParts): VesselStay[] {
  const { parameters, anchorageAreas = [], ports } = parts;
  if (track.fixes < parameters.minFixes) return [];
  const { stops, isOpen } = stopsAt(track, time, parts);
  const settled = settledStays(track);
  const unsettled = stops.flatMap((stop, index): VesselStay[] => {
    const { spread, ...times } = stop;
    const { latitude, longitude } = meanPosition(spread);
    const kind = stayKind(spread, latitude, longitude, anchorageAreas);
    const least = kind === 'berth' ? parameters.minBerthSeconds : parameters.minWaitSeconds;
    const stillOpen = isOpen && index === stops.length - 1;
    if (!stillOpen && stop.end - stop.start < least) return [];
    const port = ports.within(latitude, longitude, MAX_PORT_METRES);
    const end = stillOpen ? undefined : stop.end;
    const portKnown = kind === 'berth';
    const first = { firstLatitude: spread.latitude, firstLongitude: spread.longitude };
    return [{ ...times, ...first, kind, end, latitude, longitude, port, portKnown }];
  });
  const stays = [...settled, ...unsettled];
  return stays.map((stay, index) =>
    index >= settled.length && stay.kind === 'wait' ? withWaitPort(stay, index, stays, parts) : stay,
  );
}

/** The stays of the track that change no more. */
export const settledStays = ({ settled }: Track): VesselStay[] =>
  settled === undefined ? [] : settled.stays.map((stay) => ({ ...stay, port: settled.port }));

/** A berth this near, or in the roadstead of the wait, may be the one that was waited for. */
const isNear = (wait: VesselStay, berth: VesselStay): boolean =>
  metresBetween(wait.latitude, wait.longitude, berth.latitude, berth.longitude) <= NEXT_BERTH_METRES;

/**
 * The wait with its port: that of the berth that followed; else that of the berth before; else the first of its roadstead, whose berths may be as far as a call can last under way.
 */
function withWaitPort(
  wait: VesselStay,
  index: number,
  stays: readonly VesselStay[],
  { parameters, approaches = [] }: StayParts,
): VesselStay {
  const behind = portsBehind(approaches, wait.latitude, wait.longitude);
  const next = stays.slice(index + 1).find(({ kind }) => kind === 'berth');
  if (next?.port !== undefined) {
    const isBehind = behind.includes(next.port);
    const pause = isBehind ? parameters.sameCallSeconds : NEXT_BERTH_SECONDS;
    if ((isBehind || isNear(wait, next)) && isFollowedBy(stays, index, next, pause))
      return { ...wait, port: next.port, portKnown: true };
  }
  const before = stays.slice(0, index).findLast(({ kind }) => kind === 'berth');
  return { ...wait, port: portStayedIn(before, wait) ?? behind[0] ?? wait.port };
}

/** The port of the berth before the wait, if the vessel came from it directly. */
const portStayedIn = (before: VesselStay | undefined, wait: VesselStay): Locode | undefined => {
  const isDirect =
    before !== undefined &&
    isNear(wait, before) &&
    wait.start - (before.end ?? wait.start) <= NEXT_BERTH_SECONDS;
  return isDirect ? before.port : undefined;
};

/** Whether each stay from the wait to the berth begins at most `pause` seconds after the one before it ended. */
function isFollowedBy(
  stays: readonly VesselStay[],
  index: number,
  berth: VesselStay,
  pause: number,
): boolean {
  for (let at = index; stays[at] !== berth; at += 1) {
    const [stay, next] = [stays[at], stays[at + 1]];
    if (stay?.end === undefined || next === undefined || next.start - stay.end > pause) return false;
  }
  return true;
}
