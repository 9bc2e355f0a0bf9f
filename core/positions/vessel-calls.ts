/** Turns the stops of vessels into stays, groups stays into port calls, and finds the calls that changed since the step before. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type CallRecord, type RecordedStop, TRAFFIC, type Traffic } from '../calls/observation.ts';
import { LAID_UP_MS, type StayKind } from '../calls/port-call.ts';
import type { Locode } from '../reference/codes.ts';
import type { Approach } from '../reference/port-boxes.ts';
import type { Vessel } from './engine.ts';
import { type EngineParameters, vesselIdentity } from './fix.ts';
import { DEGREE, metresBetween } from './geometry.ts';
import {
  type AnchorageArea,
  anchorageAt,
  MAX_PORT_METRES,
  NAUTICAL_MILE,
  type NearestPort,
  portsBehind,
} from './port-areas.ts';
import { NO_OUTAGES, type OutageSeconds } from './reception.ts';
import { mayRemain } from './stop-detector.ts';
import {
  endAtUnknown,
  kindBySpread,
  meanPosition,
  type OpenStop,
  type SettledCall,
  type SettledStay,
  type Spread,
  type Stop,
  type Track,
} from './stops.ts';
import { withStop } from './tracks.ts';

// A stop becomes a stay when its kind and its port are known.

/** A stop with its kind and its port. */
export interface VesselStay extends Omit<SettledStay, 'end'> {
  /** Undefined while the vessel is there. */
  readonly end: number | undefined;
  /** Undefined if all ports are more than 20 nautical miles away. */
  readonly port: Locode | undefined;
}

export interface StayParts {
  readonly parameters: EngineParameters;
  /** A stay inside one is a wait; none when absent. */
  readonly anchorageAreas?: readonly AnchorageArea[] | undefined;
  readonly ports: NearestPort;
  /** Outages of the receivers up to the time for which stays are made; none when absent. */
  readonly outages?: OutageSeconds;
  /** Roadsteads from which vessels sail to berths further away. */
  readonly approaches?: readonly Approach[];
}

/** A vessel waits for the berth that it reaches within this time and distance. */
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

/** Ends the open stop of a vessel that is silent for too long, so that outages which become known later do not move its end. */
function endSilentStop(track: Track, time: number, parts: StayParts): void {
  if (track.open?.confirmed !== true) return;
  const { open, ...stop } = openAt(track, track.open, time, parts);
  if (open) return;
  track.open = undefined;
  if (stop.end - stop.start >= parts.parameters.minStopSeconds)
    track.stops = withStop(track.stops, stop, parts.parameters);
}

/** Returns the stops of the track that count at `time`, oldest first, the open one last. */
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

/** The stays of the track that no longer change. */
const settledStays = ({ settled }: Track): VesselStay[] =>
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

// Stays become calls, and calls that no longer change are settled.

/** One call of a vessel at a port: its stays, oldest first. */
export interface VesselCall {
  readonly port: Locode;
  readonly traffic: Traffic;
  readonly stays: readonly [VesselStay, ...VesselStay[]];
}

/** Returns the end of the call's last stay, minus infinity while the vessel is there. */
function endOf(call: Pick<VesselCall, 'stays'> | undefined, settled: SettledCall | undefined): number {
  const isSettled = settled !== undefined && call?.stays.length === settled.stays.length;
  return (isSettled ? settled.until : call?.stays.at(-1)?.end) ?? Number.NEGATIVE_INFINITY;
}

/** Stays without a port are left out; the first ones are of the settled call. */
function grouped(
  stays: readonly VesselStay[],
  settled: SettledCall | undefined,
  sameCallSeconds: number,
  traffic: Traffic,
): VesselCall[] {
  const calls: { port: Locode; traffic: Traffic; stays: [VesselStay, ...VesselStay[]] }[] = [];
  for (const stay of stays) {
    const { port } = stay;
    if (port === undefined) continue;
    const call = calls.at(-1);
    const end = endOf(call, calls.length === 1 ? settled : undefined);
    if (call?.port === port && stay.start - end <= sameCallSeconds) call.stays.push(stay);
    else calls.push({ port, traffic, stays: [stay] });
  }
  return calls;
}

/** The calls on a track as known at `time`, in Unix seconds. Settled stays keep the class that the vessel had then. */
function vesselCalls(vessel: Vessel, track: Track, time: number, parts: StayParts): VesselCall[] {
  const { sameCallSeconds } = parts.parameters;
  const { settled } = track;
  const isCounted = vessel.class === 'cargo' || vessel.class === 'ferry';
  const stays = isCounted ? trackStays(track, time, parts) : settledStays(track);
  const calls = grouped(stays, settled, sameCallSeconds, vessel.class === 'ferry' ? 'ferry' : 'cargo');
  return calls.map((call, index) =>
    index === 0 && settled !== undefined ? { ...call, traffic: settled.traffic } : call,
  );
}

/** The stays of a call that ended before `oldest`; those of a vessel that is laid up count nowhere, and are left out. */
function settledPart({ port, traffic, stays }: VesselCall, oldest: number): SettledCall | undefined {
  const laidUpAfter = stays[0].start + LAID_UP_MS / 1000;
  const old = stays.flatMap(({ port: _, end, ...stay }) =>
    end !== undefined && end < oldest ? [{ ...stay, end }] : [],
  );
  const until = old.at(-1)?.end;
  if (until === undefined) return undefined;
  return { port, traffic, until, stays: old.filter(({ end }, index) => index === 0 || end <= laidUpAfter) };
}

/**
 * Settles what ended more than `settledSeconds` before `time`: finished calls are dropped, and of an unfinished call
 * only the outcome is kept, so that no later fix changes it and the state stays small. A call at a port for which `isPublished` is false keeps its place until its record can be
 * published.
 */
export function settleVessels(
  vessels: Iterable<Vessel>,
  time: number,
  parts: StayParts,
  isPublished: (port: Locode) => boolean = () => true,
): void {
  const oldest = time - parts.parameters.settledSeconds;
  const isOver = ({ port, stays }: VesselCall): boolean =>
    isPublished(port) && (stays.at(-1)?.end ?? oldest) < oldest;
  for (const vessel of vessels)
    for (const track of vessel.tracks) {
      endSilentStop(track, time, parts);
      const [oldestStop] = track.stops;
      if (oldestStop === undefined ? track.settled === undefined : oldestStop.end >= oldest) continue;
      const calls = vesselCalls(vessel, track, time, parts);
      const begin = calls.findIndex((call) => !isOver(call));
      const [call, next] = begin < 0 ? [] : calls.slice(begin);
      track.settled = call && settledPart(call, oldest);
      // Stops before this one are settled, or dropped with calls that are over.
      const first = call?.stays.find(({ end }) => end === undefined || end >= oldest) ?? next?.stays[0];
      const keptFrom = Math.min(first?.start ?? Number.POSITIVE_INFINITY, oldest);
      track.stops = track.stops.filter(({ end, start }) => start >= keptFrom || end >= oldest);
    }
}

/** A call as an observation of its port. */
export interface CallOfPort {
  readonly port: Locode;
  readonly record: CallRecord;
  /** Unix second at which the last stop ended, 0 while the vessel is there. */
  readonly ended: number;
}

/** Names the place where the stay began, to about a kilometre, so that it does not change with every fix. */
const place = ({ firstLatitude, firstLongitude }: VesselStay): string =>
  `${(firstLatitude / DEGREE).toFixed(2)},${(firstLongitude / DEGREE).toFixed(2)}`;

/** Whether everything from the arrival to the first berth was observed. */
function isWaitKnown(stays: readonly VesselStay[]): boolean {
  const berth = stays.findIndex(({ kind }) => kind === 'berth');
  const before = berth < 0 ? stays : stays.slice(0, berth + 1);
  return before.every(
    ({ startKnown, receivedArriving, endKnown, end }, index) =>
      startKnown && receivedArriving && (endKnown || end === undefined || index === berth),
  );
}

const toStop = (stay: VesselStay): RecordedStop => ({
  zone: stay.kind === 'wait' ? 'anchorage' : 'berth',
  place: place(stay),
  ataAt: stay.start * 1000,
  ...(stay.startKnown ? {} : { startUnknown: true as const }),
  ...(stay.end === undefined ? {} : { atdAt: stay.end * 1000 }),
  ...(stay.end === undefined || stay.endKnown ? {} : { endUnknown: true as const }),
});

/** A planned berth, which keeps the call open when the vessel has left the anchorage. */
const PLANNED: RecordedStop = { zone: 'berth', place: '' };

function toRecord({ stays, traffic }: VesselCall, vessel: Vessel, time: number, sameCallSeconds: number) {
  const [first] = stays;
  const last = stays.at(-1) ?? first;
  const isUnderWay =
    last.kind === 'wait' && last.endKnown && last.end !== undefined && time - last.end <= sameCallSeconds;
  return {
    // The first slow fix: the beginning of a stay may be refined later.
    callId: `${vessel.mmsi}-${first.firstTime}`,
    vesselId: vesselIdentity(vessel.mmsi, vessel.imo),
    traffic,
    recordedAt: time * 1000,
    stops: [...stays.map(toStop), ...(isUnderWay ? [PLANNED] : [])],
    ...(first.startKnown ? {} : { ataInferred: true as const }),
    ...(isWaitKnown(stays) ? {} : { waitKnown: false as const }),
  };
}

/** The calls of a vessel as they are known at `time`, in Unix seconds; none while its class is unknown. */
export const toRecords = (vessel: Vessel, time: number, parts: StayParts): CallOfPort[] =>
  vessel.tracks.flatMap((track) =>
    vesselCalls(vessel, track, time, parts).map((call) => ({
      port: call.port,
      record: toRecord(call, vessel, time, parts.parameters.sameCallSeconds),
      ended: call.stays.at(-1)?.end ?? 0,
    })),
  );

/** What is remembered of a published record: enough to know whether it has changed, and to withdraw it. */
export const publishedShape = z.object({
  port: z.string(),
  callId: z.string(),
  vesselId: z.string(),
  traffic: z.enum(TRAFFIC),
  ended: z.number(),
  digest: z.string(),
});
export type PublishedRecord = Readonly<z.infer<typeof publishedShape>>;

/** Published records by port and call. */
export type PublishedRecords = ReadonlyMap<string, PublishedRecord>;

export const recordKey = (port: Locode, callId: string): string => `${port} ${callId}`;

/** Returns a digest of everything but the time at which the call was recorded. */
const contentDigest = ({ recordedAt: _, ...content }: CallRecord): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16);

export interface RecordChanges {
  readonly published: PublishedRecords;
  /** New and changed records, and withdrawals of those that no longer exist; ordered by port and call. */
  readonly changed: readonly CallOfPort[];
}

/**
 * The records that differ from `before`. One that is gone is withdrawn, unless its call ended more than
 * `settledSeconds` ago: it stays where it was published.
 */
export function changedRecords(
  before: PublishedRecords,
  records: Iterable<CallOfPort>,
  time: number,
  { settledSeconds }: EngineParameters,
): RecordChanges {
  const published = new Map<string, PublishedRecord>();
  const changed = new Map<string, CallOfPort>();
  const isSettled = ({ ended }: PublishedRecord): boolean => ended !== 0 && time - ended > settledSeconds;
  const settled = new Map([...before.values()].filter(isSettled).map((record) => [record.callId, record]));
  for (const { port, record, ended } of records) {
    const key = recordKey(port, record.callId);
    const known = settled.get(record.callId);
    if (known !== undefined && known.port !== port) {
      published.set(recordKey(known.port, known.callId), known);
      continue;
    }
    const digest = contentDigest(record);
    const { callId, vesselId, traffic } = record;
    published.set(key, { port, callId, vesselId, traffic, ended, digest });
    if (before.get(key)?.digest !== digest) changed.set(key, { port, record, ended });
  }
  for (const [key, last] of before) {
    if (published.has(key) || isSettled(last)) continue;
    const { port, callId, vesselId, traffic, ended } = last;
    const record = { callId, vesselId, traffic, recordedAt: time * 1000, stops: [], cancelled: true };
    changed.set(key, { port, record, ended });
  }
  const byKey = [...changed].sort(([a], [b]) => (a < b ? -1 : 1));
  return { published, changed: byKey.map(([, record]) => record) };
}
