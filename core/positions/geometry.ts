/** Positions in 1e-5 degrees, and metres between them. */

/** In 1e-5 degrees, north and east positive. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

export const DEGREE = 100_000;
const HALF_TURN = 180 * DEGREE;

/** Degrees as the engine's integer; `NaN` stays `NaN`. */
export const fixedDegrees = (degrees: number): number => Math.round(degrees * DEGREE);

/** Metres of 1e-5 degrees of latitude on a sphere of the mean radius of the earth, 6,371 km. */
const METRES = 1.11195;

/** A longitude at most one turn off, in 1e-5 degrees, normalized to above -180 and up to 180 degrees. */
export function wrapLongitude(longitude: number): number {
  if (longitude > HALF_TURN) return longitude - 2 * HALF_TURN;
  return longitude <= -HALF_TURN ? longitude + 2 * HALF_TURN : longitude;
}

const longitudeDifference = (from: number, to: number): number => wrapLongitude(to - from);

const cosine = (latitude: number): number => Math.cos((latitude / DEGREE) * (Math.PI / 180));

export const metresEast = (latitude: number, fromLongitude: number, longitude: number): number =>
  longitudeDifference(fromLongitude, longitude) * METRES * cosine(latitude);

export const metresNorth = (fromLatitude: number, latitude: number): number =>
  (latitude - fromLatitude) * METRES;

/**
 * Metres on the plane that touches the sphere at the mean latitude: within 0.6 % of the ellipsoid (WGS 84) below 100 km
 * and 80 degrees of latitude.
 */
export function metresBetween(
  fromLatitude: number,
  fromLongitude: number,
  latitude: number,
  longitude: number,
): number {
  const north = metresNorth(fromLatitude, latitude);
  const east = metresEast((fromLatitude + latitude) / 2, fromLongitude, longitude);
  return Math.sqrt(north * north + east * east);
}

/** Whether `to` is certainly within `metres`. Skips the cosine of `metresBetween`, so it may say no for a position that is. */
export function isNear(latitude: number, longitude: number, to: Position, metres: number): boolean {
  const north = (to.latitude - latitude) * METRES;
  const east = (to.longitude - longitude) * METRES;
  return north * north + east * east <= metres * metres;
}

/** Metres a second in one knot. */
export const KNOT = 1852 / 3600;
