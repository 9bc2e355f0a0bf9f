/** A fix: what one AIS message states, in integers, so that sums do not depend on their order. */
import { z } from 'zod';
import { DEGREE, KNOT, metresBetween } from './geometry.ts';

// The engine's parameters. A state can only be used with the parameters that it was made with.

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * For fixes one to five minutes apart. Other sources give other values: 60 knots, 15 minutes to confirm and to end,
 * four hours of silence; the least lengths are those of the methodology.
 */
export const DEFAULT_PARAMETERS = {
  /** Rows of one vessel that are out of order by less than this many seconds are put in order. */
  reorderSeconds: 30,
  /** Largest number of tracks of one MMSI. Positions that one vessel cannot have sailed between are of different tracks. */
  tracksPerVessel: 4,
  /** A track with fewer fixes reports nothing: it is an outlier or a garbled MMSI. */
  minFixes: 4,
  /** Largest speed made good between two fixes, in knots, whatever speed the vessel states. */
  reachKnots: 60,
  /** Up to this many seconds apart, the speed made good is little more than the speeds stated at both ends. */
  steadySeconds: 15 * MINUTE,
  /** Largest error of a position, in metres. */
  reachMetres: 500,
  /** A fix at this speed or below is slow, in 0.1 knots. */
  slowSpeed: 10,
  /** A slow fix at this speed or below is still: such fixes give the place, the kind and the borders of the stop. */
  stillSpeed: 5,
  /** A still fix sets a border that was within this many seconds of it. */
  stillSeconds: 30 * MINUTE,
  /** A vessel below this speed for as long as a wait, without way ahead, waits; in 0.1 knots. */
  driftSpeed: 25,
  /** A vessel adrift that makes way ahead for this long has left. */
  driftSeconds: HOUR,
  /** Faster fixes in a row that do not end a stop before it is confirmed. */
  fastTolerated: 2,
  confirmSeconds: 15 * MINUTE,
  /** Largest speed made good since the stop began, in knots, at which it is confirmed. */
  confirmKnots: 0.7,
  /** A confirmed stop ends when fixes were fast for this many seconds, and at least `endFixes` of them. */
  endSeconds: 15 * MINUTE,
  endFixes: 4,
  /** It ends at once when two fast fixes in a row have left its last slow position by more than this many metres. */
  leaveMetres: 400,
  /** A slow fix this many metres off, after faster ones, belongs to another stop if the vessel had moored firmly. */
  shiftMetres: 150,
  /** A slow fix this many metres off, and more for what it may have drifted, belongs to another stop. */
  jumpMetres: 250,
  /** The same after a pause of more than `pauseSeconds`, in which an anchored vessel swings. */
  moveMetres: 800,
  pauseSeconds: 20 * MINUTE,
  /** A vessel that is silent for longer has left, unless it is received again near its last position. */
  silenceSeconds: 4 * HOUR,
  /** A vessel that is silent for longer has left, wherever it is received again. */
  maxSilenceSeconds: 12 * HOUR,
  /**
   * A receiver outage does not mean that the vessel went silent. One not received for longer than this has left, outage or
   * not: on a weekly service it is back at its berth by then.
   */
  maxAbsenceSeconds: 6 * 24 * HOUR,
  returnMetres: 300,
  /** Stops of one kind in one place are one stay when no more than this many seconds lie between. */
  joinSeconds: 2 * HOUR,
  joinMetres: 400,
  minStopSeconds: 30 * MINUTE,
  minBerthSeconds: HOUR,
  minWaitSeconds: 3 * HOUR,
  /** A stay of the same port that begins within this many seconds of the last belongs to the same call. */
  sameCallSeconds: 12 * HOUR,
  /** A port received for this long shows all vessels in it: one first received there later has arrived since. */
  provenSeconds: 24 * HOUR,
  /** A stay that ended this many seconds ago changes no more. */
  settledSeconds: 3 * 24 * HOUR,
  /** A state forgets a track after this many seconds without a fix. */
  forgetSeconds: 14 * 24 * HOUR,
};

export type EngineParameters = Readonly<typeof DEFAULT_PARAMETERS>;

/** Polls have one position per vessel, in the order of time. */
export const POLL_PARAMETERS: EngineParameters = { ...DEFAULT_PARAMETERS, reorderSeconds: 0 };

export const fixShape = z.object({
  /** Maritime Mobile Service Identity, nine digits. */
  mmsi: z.number(),
  /** Unix seconds. */
  time: z.number(),
  /** 1e-5 degrees, north positive. */
  latitude: z.number(),
  /** 1e-5 degrees, east positive. */
  longitude: z.number(),
  /** Speed over ground in 0.1 knots; `UNKNOWN` where it is not stated. */
  speed: z.number(),
  /** True heading in degrees; `UNKNOWN` where it is not stated. */
  heading: z.number(),
  /** AIS navigation status, 0 to 15; `UNKNOWN` where it is not stated. */
  status: z.number(),
  /** AIS vessel type; 0 where it is not stated. */
  vesselType: z.number(),
  /** IMO number; 0 where it is not stated. */
  imo: z.number(),
});
export type Fix = z.infer<typeof fixShape>;

export const UNKNOWN = -1;
/** A fix whose fields a decoder overwrites for each row, so that a row allocates nothing. */
export const blankFix = (): Fix => ({
  mmsi: 0,
  time: 0,
  latitude: 0,
  longitude: 0,
  speed: UNKNOWN,
  heading: UNKNOWN,
  status: UNKNOWN,
  vesselType: 0,
  imo: 0,
});

/** What a track remembers of its last fix. */
export type LastFix = Readonly<Pick<Fix, 'time' | 'latitude' | 'longitude' | 'speed'>>;

/** A fix that is being read into a track, with the speed that it states or has made good since the last fix. */
export interface Reading<Last extends LastFix | undefined = LastFix | undefined> {
  readonly fix: Fix;
  readonly speed: number;
  readonly last: Last;
  readonly parameters: EngineParameters;
}

export const midpoint = (from: number, to: number): number => Math.floor((from + to) / 2);

/**
 * When the vessel came to rest or left between two fixes: when its speed passed `stillSpeed`, or `slowSpeed` where
 * neither fix is still. It kept the speed of the slower fix except next to the faster one, where its speed changed
 * steadily for as long as the distance made good requires.
 */
export function borderAt(last: LastFix, fix: Fix, { slowSpeed, stillSpeed }: EngineParameters): number {
  const [fast, slow] = [Math.max(last.speed, fix.speed), Math.min(last.speed, fix.speed)];
  if (slow === UNKNOWN || slow === fast) return midpoint(last.time, fix.time);
  const border = slow <= stillSpeed ? stillSpeed : slowSpeed;
  const seconds = fix.time - last.time;
  const metres = metresBetween(last.latitude, last.longitude, fix.latitude, fix.longitude);
  // The mean speed of the change is that of the two fixes.
  const changing = (2 * (metres - (slow / 10) * KNOT * seconds)) / (((fast - slow) / 10) * KNOT);
  const share = Math.min(1, Math.max(0, (fast - border) / (fast - slow)));
  const fromFast = Math.round(Math.min(seconds, Math.max(0, changing)) * share);
  return last.speed > fix.speed ? last.time + fromFast : fix.time - fromFast;
}

/** Two positions of a vessel at rest differ by less. */
const MOVED_METRES = 50;

/**
 * Speed in 0.1 knots, stated or made good since the last fix. A vessel that has moved since then does not lie still: it
 * may have cast off a moment ago.
 */
export function speedAt(fix: Fix, last: LastFix | undefined, { stillSpeed }: EngineParameters): number {
  if (fix.speed !== UNKNOWN || last === undefined || fix.time <= last.time) return fix.speed;
  const metres = metresBetween(last.latitude, last.longitude, fix.latitude, fix.longitude);
  const speed = Math.round((metres / (fix.time - last.time) / KNOT) * 10);
  return metres > MOVED_METRES ? Math.max(speed, stillSpeed + 1) : speed;
}

/** When a stopped vessel got under way, by the first fix that shows it; the time of this fix after a silence. */
export function departureTimeOf(last: LastFix, fix: Fix, parameters: EngineParameters): number {
  if (fix.time - last.time > parameters.silenceSeconds) return fix.time;
  // Slow at both fixes, it moved between them.
  return fix.speed > parameters.slowSpeed ? borderAt(last, fix, parameters) : midpoint(last.time, fix.time);
}

/** How AIS encodes "not available": 102.3 knots, 511 degrees, status 15. */
const NOT_AVAILABLE = { speed: 1023, heading: 511, status: 15 } as const;

/** Whether a field has a value that transmitters do not send. */
export const isImpossible = ({ speed, heading, status }: Fix): boolean =>
  (speed !== UNKNOWN && speed !== NOT_AVAILABLE.speed && !isWithin(speed, 0, MAX_SPEED + 1)) ||
  (heading !== UNKNOWN && heading !== NOT_AVAILABLE.heading && !isWithin(heading, 0, 360)) ||
  (status !== UNKNOWN && !isWithin(status, 0, NOT_AVAILABLE.status));

export type FixFault = 'mmsi' | 'position' | 'time';

/** Vessels' own identities: the first digit 2 to 7 is that of a country. Buoys, aircraft and groups have others. */
const [FIRST_MMSI, LAST_MMSI] = [200_000_000, 799_999_999];
/** 102.3 knots means "not available", 102.2 "that or more". */
const MAX_SPEED = 1021;

const isWithin = (value: number, least: number, most: number): boolean => value >= least && value <= most;

/** Returns why `fix` cannot be used; undefined if it can, and then clears fields that are out of range. A time after `latest` is in the future. */
export function gateFix(fix: Fix, latest: number): FixFault | undefined {
  const { mmsi, latitude, longitude, time } = fix;
  if (!isWithin(mmsi, FIRST_MMSI, LAST_MMSI)) return 'mmsi';
  if (!(Math.abs(latitude) <= 90 * DEGREE && Math.abs(longitude) <= 180 * DEGREE)) return 'position';
  // A transmitter without a position sends zeros.
  if (latitude === 0 && longitude === 0) return 'position';
  if (!(time > 0 && time <= latest)) return 'time';
  if (!isWithin(fix.speed, 0, MAX_SPEED)) fix.speed = UNKNOWN;
  if (!isWithin(fix.heading, 0, 359)) fix.heading = UNKNOWN;
  if (!isWithin(fix.status, 0, 14)) fix.status = UNKNOWN;
  return undefined;
}

// Which vessels count: by AIS vessel type, and the identity that a vessel keeps when its MMSI changes.

/**
 * `cargo` counts. `ferry`, every passenger vessel, shows how a port is received, and counts nowhere. `unknown` ones are
 * counted apart. `other` vessels (tugs, fishing boats, high-speed and pleasure craft) are not followed.
 */
export const VESSEL_CLASSES = ['unknown', 'cargo', 'ferry', 'other'] as const;
export type VesselClass = (typeof VESSEL_CLASSES)[number];

/** The US Coast Guard's own codes in NOAA's files: freight, bulk, tank and cargo; then passenger vessels. */
const US_CARGO = new Set([1003, 1004, 1016, 1017, 1024]);
const US_PASSENGER = new Set([1012, 1013, 1014, 1015]);

/** The class of an AIS vessel type (ITU-R M.1371: 60 to 69 passenger, 70 to 79 cargo, 80 to 89 tanker). */
export function vesselClass(type: number): VesselClass {
  return CLASSES[type] ?? 'other';
}

function classOfType(type: number): VesselClass {
  if ((type >= 70 && type <= 89) || US_CARGO.has(type)) return 'cargo';
  if ((type >= 60 && type <= 69) || US_PASSENGER.has(type)) return 'ferry';
  return type === 0 ? 'unknown' : 'other';
}

/** Classes of all types below the last of the US codes. */
const CLASSES = Array.from({ length: 1100 }, (_, type) => classOfType(type));

/** The vessel's identity: its IMO number where one is known, else its MMSI. */
export const vesselIdentity = (mmsi: number, imo: number): string =>
  imo === 0 ? `mmsi:${mmsi}` : `imo:${imo}`;

// What decoders share: where fixes go, and what is counted.

/** Takes one fix; the object is overwritten by the next. */
export type FixSink = (fix: Fix) => void;

export interface Decoded {
  fixes: number;
  /** Rows of something else, a buoy or a message without a position, and rows that were left at their MMSI. */
  others: number;
  broken: number;
}

export const nothingDecoded = (): Decoded => ({ fixes: 0, others: 0, broken: 0 });

/** The input as a whole is not of the published form. */
export class UnreadablePositions extends Error {
  override readonly name = 'UnreadablePositions';
}
