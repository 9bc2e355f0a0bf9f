/** How a stopped vessel's fixes lie: running sums of position, heading and status, in constant memory. */
import { type Fix, metresEast, metresNorth, UNKNOWN, wrapLongitude } from './fix.ts';

/** Decimetres in a metre: offsets are summed as integers. */
const DECIMETRES = 10;
const HEADING_SCALE = 1000;
const RADIANS = Math.PI / 180;
/** Unit vectors of the whole degrees, in thousandths. */
const SINES = Int16Array.from({ length: 360 }, (_, degree) =>
  Math.round(Math.sin(degree * RADIANS) * HEADING_SCALE),
);
const COSINES = Int16Array.from({ length: 360 }, (_, degree) =>
  Math.round(Math.cos(degree * RADIANS) * HEADING_SCALE),
);
const [AT_ANCHOR, MOORED] = [1, 5];

/** Sums over fixes; offsets are from the position at `latitude`, `longitude` in 1e-5 degrees. */
export interface Spread {
  latitude: number;
  longitude: number;
  /** Slow fixes, and those of them that hardly move: only these are summed, because a vessel turns as it comes and goes. */
  slow: number;
  count: number;
  /** Sums of offsets and of their squares, in decimetres. */
  east: number;
  north: number;
  squares: number;
  /** Sums of the unit vectors of the headings, in thousandths. */
  headings: number;
  headingEast: number;
  headingNorth: number;
  /** Fixes that state "at anchor" and "moored". */
  anchored: number;
  moored: number;
}

export const newSpread = (latitude: number, longitude: number): Spread => ({
  latitude,
  longitude,
  slow: 0,
  count: 0,
  east: 0,
  north: 0,
  squares: 0,
  headings: 0,
  headingEast: 0,
  headingNorth: 0,
  anchored: 0,
  moored: 0,
});

export function addToSpread(spread: Spread, fix: Fix): void {
  const east = Math.round(metresEast(spread.latitude, spread.longitude, fix.longitude) * DECIMETRES);
  const north = Math.round(metresNorth(spread.latitude, fix.latitude) * DECIMETRES);
  spread.count += 1;
  spread.east += east;
  spread.north += north;
  spread.squares += east * east + north * north;
  if (fix.heading !== UNKNOWN) {
    spread.headings += 1;
    const degree = Math.round(fix.heading) % 360;
    spread.headingEast += SINES[degree] ?? 0;
    spread.headingNorth += COSINES[degree] ?? 0;
  }
  if (fix.status === AT_ANCHOR) spread.anchored += 1;
  else if (fix.status === MOORED) spread.moored += 1;
}

/** Adds the fixes of `other` to those of `spread`. */
export function joinSpread(spread: Spread, other: Spread): void {
  const east = Math.round(metresEast(spread.latitude, spread.longitude, other.longitude) * DECIMETRES);
  const north = Math.round(metresNorth(spread.latitude, other.latitude) * DECIMETRES);
  spread.squares +=
    other.squares +
    2 * (east * other.east + north * other.north) +
    other.count * (east * east + north * north);
  spread.east += other.east + other.count * east;
  spread.north += other.north + other.count * north;
  spread.slow += other.slow;
  spread.count += other.count;
  spread.headings += other.headings;
  spread.headingEast += other.headingEast;
  spread.headingNorth += other.headingNorth;
  spread.anchored += other.anchored;
  spread.moored += other.moored;
}

/** Mean position in 1e-5 degrees; where it began while no fix is summed. */
export function meanPosition(spread: Spread): { readonly latitude: number; readonly longitude: number } {
  const { count, latitude, longitude } = spread;
  if (count === 0) return { latitude, longitude };
  const north = spread.north / count / DECIMETRES / metresNorth(0, 1);
  const east = spread.east / count / DECIMETRES / metresEast(latitude, 0, 1);
  return { latitude: Math.round(latitude + north), longitude: wrapLongitude(Math.round(longitude + east)) };
}

/** Root mean square distance from the mean position, in metres; 0 while no fix is summed. */
export function rmsRadius({ count, east, north, squares }: Spread): number {
  if (count === 0) return 0;
  const variance = squares / count - (east / count) ** 2 - (north / count) ** 2;
  return Math.sqrt(Math.max(0, variance)) / DECIMETRES;
}

/** Mean resultant length of the headings, 0 to 1: 1 when all are the same. Undefined when none was stated. */
export const headingResultant = ({ headings, headingEast, headingNorth }: Spread): number | undefined =>
  headings === 0 ? undefined : Math.hypot(headingEast, headingNorth) / headings / HEADING_SCALE;
