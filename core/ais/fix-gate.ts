/** What a position report must be to count as a fix, and what in it counts as not stated. */
import { DEGREE, type Fix, UNKNOWN } from './fix.ts';

/** Why a report is rejected. */
export type FixFault = 'mmsi' | 'position' | 'time';

/** Vessels' own identities: the first digit 2 to 7 is that of a country. Buoys, aircraft and groups have others. */
const [FIRST_MMSI, LAST_MMSI] = [200_000_000, 799_999_999];
/** 102.3 knots means "not available", 102.2 "that or more". */
const FASTEST = 1021;

/**
 * Why `fix` cannot be used, undefined when it can; clears what an otherwise good fix states out of range. `latest` is
 * the Unix second after which a fix is from the future.
 */
export function gateFix(fix: Fix, latest: number): FixFault | undefined {
  const { mmsi, latitude, longitude, time } = fix;
  if (!(mmsi >= FIRST_MMSI && mmsi <= LAST_MMSI)) return 'mmsi';
  if (!(Math.abs(latitude) <= 90 * DEGREE && Math.abs(longitude) <= 180 * DEGREE)) return 'position';
  // A receiver without a position sends zeros.
  if (latitude === 0 && longitude === 0) return 'position';
  if (!(time > 0 && time <= latest)) return 'time';
  if (!(fix.speed >= 0 && fix.speed <= FASTEST)) fix.speed = UNKNOWN;
  if (!(fix.heading >= 0 && fix.heading < 360)) fix.heading = UNKNOWN;
  if (!(fix.status >= 0 && fix.status <= 14)) fix.status = UNKNOWN;
  return undefined;
}
