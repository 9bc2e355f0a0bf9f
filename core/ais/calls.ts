/** Groups the stays of a vessel into port calls, and settles what changes no more. */
import type { Traffic } from '../calls/observation.ts';
import { LAID_UP_MS } from '../calls/port-call.ts';
import type { Locode } from '../reference/locode.ts';
import type { Vessel } from './engine.ts';
import { endSilentStop, type StayParts, settledStaysOf, staysOf, type VesselStay } from './stays.ts';
import type { SettledCall, Track } from './tracks.ts';

/** One call of a vessel at a port: its stays, oldest first. */
export interface VesselCall {
  readonly port: Locode;
  readonly traffic: Traffic;
  readonly stays: readonly [VesselStay, ...VesselStay[]];
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
    const isSettled = calls.length === 1 && call?.stays.length === settled?.stays.length;
    const end = isSettled ? settled?.until : call?.stays.at(-1)?.end;
    const isSame = end !== undefined && call?.port === port && stay.start - end <= sameCallSeconds;
    if (isSame) call?.stays.push(stay);
    else calls.push({ port, traffic, stays: [stay] });
  }
  return calls;
}

/**
 * The calls on a track of the vessel as they are known at `time`, in Unix seconds. Of a vessel that counts no more, or
 * as another kind of traffic, the settled stays stay what they were.
 */
export function callsOf(vessel: Vessel, track: Track, time: number, parts: StayParts): VesselCall[] {
  const { sameCallSeconds } = parts.parameters;
  const { settled } = track;
  const isCounted = vessel.class === 'cargo' || vessel.class === 'ferry';
  const stays = isCounted ? staysOf(track, time, parts) : settledStaysOf(track);
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
 * Settles what ended more than `settledSeconds` before `time`: calls that are over are dropped, and of the call that is
 * not only the outcome is kept, so that no later fix changes it and the state stays small. A call at a port for which
 * `isPublished` is false keeps its place until its record can be published.
 */
export function settle(
  vessels: Iterable<Vessel>,
  time: number,
  parts: StayParts,
  isPublished: (port: Locode) => boolean = () => true,
): void {
  const oldest = time - parts.parameters.settledSeconds;
  for (const vessel of vessels)
    for (const track of vessel.tracks) {
      endSilentStop(track, time, parts);
      const [first] = track.stops;
      const isEnding = track.settled !== undefined && first === undefined;
      if (isEnding || (first !== undefined && first.end < oldest))
        settleTrack(vessel, track, time, oldest, parts, isPublished);
    }
}

function settleTrack(
  vessel: Vessel,
  track: Track,
  time: number,
  oldest: number,
  parts: StayParts,
  isPublished: (port: Locode) => boolean,
): void {
  const calls = callsOf(vessel, track, time, parts);
  const isOver = ({ port, stays }: VesselCall): boolean =>
    isPublished(port) && (stays.at(-1)?.end ?? oldest) < oldest;
  const begin = calls.findIndex((call) => !isOver(call));
  const [call, next] = begin < 0 ? [] : calls.slice(begin);
  track.settled = call && settledPart(call, oldest);
  // Stops before this one are settled, or dropped with calls that are over.
  const first = call?.stays.find(({ end }) => end === undefined || end >= oldest) ?? next?.stays[0];
  const keptFrom = Math.min(first?.start ?? Number.POSITIVE_INFINITY, oldest);
  track.stops = track.stops.filter(({ end, start }) => start >= keptFrom || end >= oldest);
}
