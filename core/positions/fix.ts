/** One position report in the engine's units: integers, so that sums do not depend on their order. */
import { z } from 'zod';
import { DEGREE, KNOT, metresBetween } from './geometry.ts';
import type { EngineParameters } from './parameters.ts';

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

/** What is remembered of a vessel's last fix. */
export type LastFix = Readonly<Pick<Fix, 'time' | 'latitude' | 'longitude' | 'speed'>>;

/** A fix that is read into a track: the speed that it states or has made good, and the last fix, where there is one. */
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

/** Two positions of a vessel that lies still differ by less. */
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

/** "Not available", as AIS encodes it: 102.3 knots, 511 degrees, status 15. */
const NOT_AVAILABLE = { speed: 1023, heading: 511, status: 15 } as const;

/** Whether a field states what no transmitter sends. */
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

/**
 * Why `fix` cannot be used; undefined when it can. Clears what a good fix states out of range. After `latest` is the
 * future.
 */
export function gateFix(fix: Fix, latest: number): FixFault | undefined {
  const { mmsi, latitude, longitude, time } = fix;
  if (!isWithin(mmsi, FIRST_MMSI, LAST_MMSI)) return 'mmsi';
  if (!(Math.abs(latitude) <= 90 * DEGREE && Math.abs(longitude) <= 180 * DEGREE)) return 'position';
  // A receiver without a position sends zeros.
  if (latitude === 0 && longitude === 0) return 'position';
  if (!(time > 0 && time <= latest)) return 'time';
  if (!isWithin(fix.speed, 0, MAX_SPEED)) fix.speed = UNKNOWN;
  if (!isWithin(fix.heading, 0, 359)) fix.heading = UNKNOWN;
  if (!isWithin(fix.status, 0, 14)) fix.status = UNKNOWN;
  return undefined;
}
