/** Follows vessels: reads the fixes of many vessels in one pass and finds their stops. Memory grows with vessels, not with fixes. */
import { z } from 'zod';
import { IMO_NUMBER } from '../upstream/fields.ts';
import {
  blankFix,
  DEFAULT_PARAMETERS,
  type EngineParameters,
  type Fix,
  type FixFault,
  fixShape,
  gateFix,
  VESSEL_CLASSES,
  type VesselClass,
  vesselClass,
} from './fix.ts';
import { NO_OUTAGES, type ReceptionLimits } from './reception.ts';
import { type Track, trackShape } from './stops.ts';
import { continuedTrack, extendTrack, openTrack } from './tracks.ts';

/** A time further ahead of its poll is garbled. */
const MAX_AHEAD_SECONDS = 24 * 3600;

/** A class other than the vessel's, stated by its newest fixes. */
const classClaimShape = z.object({
  class: z.enum(VESSEL_CLASSES),
  /** The number of fixes that stated it, and the time of the last one. */
  count: z.number(),
  time: z.number(),
});

/** Fixes in a row that must state another class to change a vessel's: single types may be garbled. */
const MIN_CLAIMS = 3;

const vesselShape = z.object({
  mmsi: z.number(),
  class: z.enum(VESSEL_CLASSES),
  claim: classClaimShape.optional(),
  /** A valid IMO number; 0 until one is received. */
  imo: z.number(),
  /** Seconds by which the vessel's clock is ahead of the polls. */
  clockAhead: z.number(),
  /** Newest time read into a track. */
  readTime: z.number(),
  /** Fixes that wait for older ones, in order of time; they span at most `reorderSeconds`. */
  pending: z.array(fixShape),
  tracks: z.array(trackShape),
});
export type Vessel = z.infer<typeof vesselShape>;

const newVessel = (mmsi: number): Vessel => ({
  mmsi,
  class: 'unknown',
  claim: undefined,
  imo: 0,
  clockAhead: 0,
  readTime: 0,
  pending: [],
  tracks: [],
});

/** Sets the vessel's class: at once while it is unknown, else with the third fix in a row. A repeated fix counts once. */
function classify(vessel: Vessel, stated: VesselClass, time: number): void {
  if (stated === vessel.class || vessel.class === 'unknown') {
    vessel.class = stated;
    vessel.claim = undefined;
    return;
  }
  const { claim } = vessel;
  if (claim?.class !== stated) vessel.claim = { class: stated, count: 1, time };
  else if (time <= claim.time) return;
  else if (claim.count + 1 < MIN_CLAIMS) vessel.claim = { class: stated, count: claim.count + 1, time };
  else {
    vessel.class = stated;
    vessel.claim = undefined;
  }
}

function copyFix(to: Fix, from: Fix): Fix {
  to.mmsi = from.mmsi;
  to.time = from.time;
  to.latitude = from.latitude;
  to.longitude = from.longitude;
  to.speed = from.speed;
  to.heading = from.heading;
  to.status = from.status;
  return to;
}

/** Order of pending fixes; for equal times any fixed order will do. */
const compareFixes = (a: Fix, b: Fix): number =>
  a.time - b.time ||
  a.latitude - b.latitude ||
  a.longitude - b.longitude ||
  a.speed - b.speed ||
  a.heading - b.heading ||
  a.status - b.status;

/** `outages` must reach up to the last fix that will be pushed. */
export interface EngineOptions extends Partial<ReceptionLimits> {
  readonly parameters?: EngineParameters;
  readonly latest?: number;
  /** Unix second at which a poll was received. Times after `latest` are set back by what the vessel's clock is ahead of it. */
  readonly polledAt?: number;
  /** Vessels of a stored state. The engine changes them. */
  readonly vessels?: Map<number, Vessel>;
}

export class Engine {
  /**
   * What happened to the fixes; each is counted once. `other` are of vessels that are neither cargo vessel nor ferry,
   * `late` older than the vessel's tracks by more than the reorder span; `mmsi`, `position` and `time` were rejected, `mmsi`
   * also for vessels beyond the number that one MMSI can be followed with.
   */
  readonly counts = { taken: 0, other: 0, mmsi: 0, position: 0, time: 0, late: 0, repeated: 0 };
  readonly vessels: Map<number, Vessel>;
  private readonly parameters: EngineParameters;
  private readonly latest: number;
  private readonly limits: ReceptionLimits;
  private readonly polledAt: number | undefined;

  constructor({
    vessels = new Map(),
    parameters = DEFAULT_PARAMETERS,
    latest = Number.MAX_SAFE_INTEGER,
    polledAt,
    outages = NO_OUTAGES,
    isOutside = () => false,
  }: EngineOptions = {}) {
    this.vessels = vessels;
    this.parameters = parameters;
    this.latest = latest;
    this.polledAt = polledAt;
    this.limits = { outages, isOutside };
  }

  /** Takes one fix, which the caller may reuse. Returns why it is rejected; undefined if it is not. */
  push(fix: Fix): FixFault | undefined {
    const clockAhead = this.polledAt === undefined ? 0 : this.setBack(fix, this.polledAt);
    const fault = gateFix(fix, this.latest);
    if (fault !== undefined) {
      this.counts[fault] += 1;
      return fault;
    }
    let vessel = this.vessels.get(fix.mmsi);
    if (vessel === undefined) {
      vessel = newVessel(fix.mmsi);
      this.vessels.set(fix.mmsi, vessel);
    }
    vessel.clockAhead = clockAhead;
    if (fix.vesselType !== 0) classify(vessel, vesselClass(fix.vesselType), fix.time);
    if (fix.imo !== 0 && fix.imo !== vessel.imo && IMO_NUMBER.read(String(fix.imo)) !== undefined)
      vessel.imo = fix.imo;
    if (vessel.class !== 'other') this.takeIn(vessel, fix);
    else {
      this.counts.other += 1;
      vessel.readTime = Math.max(vessel.readTime, fix.time);
    }
    return undefined;
  }

  /**
   * Sets the time of a fix back by what the vessel's clock is ahead: the largest lead of any of its times over its poll.
   * Returns that lead in seconds. A time without a lead shows that the clock is right again, unless it repeats the last fix.
   */
  private setBack(fix: Fix, polledAt: number): number {
    const { clockAhead = 0, readTime = 0 } = this.vessels.get(fix.mmsi) ?? {};
    const ahead = fix.time - polledAt;
    if (ahead > MAX_AHEAD_SECONDS) return 0;
    const isRight =
      clockAhead === 0 ? fix.time <= this.latest : ahead <= 0 && fix.time - clockAhead !== readTime;
    if (isRight) return 0;
    const setBack = Math.max(clockAhead, ahead);
    fix.time -= setBack;
    return setBack;
  }

  /** Inserts the fix by time, and reads every pending fix that no older fix can precede any more. */
  private takeIn(vessel: Vessel, fix: Fix): void {
    const { reorderSeconds } = this.parameters;
    const { pending } = vessel;
    const last = pending[pending.length - 1];
    if (last !== undefined && fix.time - last.time >= reorderSeconds) {
      for (const waiting of pending) this.read(vessel, waiting);
      if (pending.length > 1) pending.splice(0, pending.length - 1);
      copyFix(last, fix);
      return;
    }
    if (fix.time <= vessel.readTime) this.dropLate(vessel, fix);
    else if (pending.some((waiting) => compareFixes(waiting, fix) === 0)) this.counts.repeated += 1;
    else {
      const at = pending.findLastIndex((waiting) => compareFixes(waiting, fix) < 0);
      pending.splice(at + 1, 0, copyFix(blankFix(), fix));
      const oldest = (pending.at(-1) ?? fix).time - reorderSeconds;
      const ready = pending.findLastIndex(({ time }) => time <= oldest) + 1;
      for (const waiting of pending.splice(0, ready)) this.read(vessel, waiting);
    }
  }

  private dropLate(vessel: Vessel, fix: Fix): void {
    const isRepeated =
      fix.time === vessel.readTime &&
      vessel.tracks.some(
        (track) =>
          track.time === fix.time && track.latitude === fix.latitude && track.longitude === fix.longitude,
      );
    if (isRepeated) this.counts.repeated += 1;
    else this.counts.late += 1;
  }

  private read(vessel: Vessel, fix: Fix): void {
    vessel.readTime = fix.time;
    // The end of a step forgets idle tracks. Skip them here too, so that the length of a step does not matter.
    const isIdle = vessel.tracks.some((track) => this.isIdle(track, fix.time));
    const tracks = isIdle ? vessel.tracks.filter((track) => !this.isIdle(track, fix.time)) : vessel.tracks;
    const track =
      continuedTrack(tracks, fix, this.parameters) ?? openTrack(vessel.tracks, fix, this.parameters);
    if (track === undefined) {
      this.counts.mmsi += 1;
      return;
    }
    extendTrack(track, fix, this.parameters, this.limits);
    this.counts.taken += 1;
  }

  /** Reads all pending fixes, when no older fix will follow. */
  flush(): void {
    for (const vessel of this.vessels.values()) {
      for (const waiting of vessel.pending) this.read(vessel, waiting);
      vessel.pending = [];
    }
  }

  /** Whether the track has been without a fix for `forgetSeconds` at `time`; an outage does not count. */
  private isIdle(track: Track, time: number): boolean {
    const oldest = time - this.parameters.forgetSeconds;
    return track.time < oldest && track.time + this.limits.outages(track, track.time, time) < oldest;
  }

  /** Forgets tracks that are idle at `time`, in Unix seconds, and vessels without any. */
  forget(time: number): void {
    const oldest = time - this.parameters.forgetSeconds;
    for (const vessel of this.vessels.values()) {
      vessel.tracks = vessel.tracks.filter((track) => !this.isIdle(track, time));
      const isIdle = vessel.tracks.length === 0 && vessel.pending.length === 0 && vessel.readTime < oldest;
      if (isIdle) this.vessels.delete(vessel.mmsi);
    }
  }
}

// An engine's vessels as text and back: a JSON object a line, vessels by MMSI and fields in the order of the schema,
// so that equal states are equal bytes.

/** Increase it with every change that gives other stays or another state for the same fixes. */
const ENGINE_VERSION = 7;

/** A state that is damaged, or of another engine. The message says what to do. */
export class UnusableState extends Error {
  override readonly name = 'UnusableState';
}

/** Returns a line for each vessel, after one with their number. */
export function writeState(vessels: ReadonlyMap<number, Vessel>): string {
  const lines = [...vessels.values()]
    .sort((a, b) => a.mmsi - b.mmsi)
    .map((vessel) => JSON.stringify(vesselShape.parse(vessel)));
  return `${[JSON.stringify({ engine: ENGINE_VERSION, vessels: lines.length }), ...lines].join('\n')}\n`;
}

function readVessel(line: string): Vessel {
  const { data, error } = vesselShape.safeParse(JSON.parse(line));
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new UnusableState(`a vessel's ${issue?.path.join('.')}: ${issue?.message}`);
}

/** Returns the vessels of a written state. Throws `UnusableState` if it is cut short, damaged, or of another engine. */
export function readState(text: string): Map<number, Vessel> {
  const [head = '', ...lines] = text.split('\n');
  try {
    const { engine, vessels } = JSON.parse(head) as { engine?: unknown; vessels?: unknown };
    if (engine !== ENGINE_VERSION)
      throw new UnusableState(
        `the state is of engine ${String(engine)}, this is engine ${ENGINE_VERSION}: delete it, and positions are read again from the archive`,
      );
    if (lines.length !== Number(vessels) + 1 || lines.at(-1) !== '')
      throw new UnusableState(`${lines.length - 1} of ${String(vessels)} vessels`);
    return new Map(
      lines
        .slice(0, -1)
        .map(readVessel)
        .map((vessel) => [vessel.mmsi, vessel]),
    );
  } catch (error) {
    if (error instanceof UnusableState) throw error;
    throw new UnusableState('the state does not parse', { cause: error });
  }
}
