/** How a stopped vessel's fixes lie: running sums of position, heading and status, in constant memory. */
import { z } from 'zod';
import { type Fix, UNKNOWN } from './fix.ts';
import { metresEast, metresNorth, type Position, wrapLongitude } from './geometry.ts';

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
/** Three decimals, in 1e-5 degrees. */
const COARSE = 100;

/** Sums over fixes; offsets are from the position at `latitude`, `longitude` in 1e-5 degrees. */
export const spreadShape = z.object({
  latitude: z.number(),
  longitude: z.number(),
  /** Slow fixes, and the still ones among them: only these are summed, because a vessel turns as it comes and goes. */
  slow: z.number(),
  count: z.number(),
  /** Fixes whose coordinates have three decimals. */
  coarse: z.number(),
  /** Sums of offsets, of their squares and of their products, in decimetres. */
  east: z.number(),
  north: z.number(),
  eastSquares: z.number(),
  northSquares: z.number(),
  products: z.number(),
  /** Sums of the unit vectors of the headings, in thousandths. */
  headings: z.number(),
  headingEast: z.number(),
  headingNorth: z.number(),
  /** Fixes that state "at anchor" and "moored". */
  anchored: z.number(),
  moored: z.number(),
  /** The last status stated under way before the stop; `UNKNOWN` if none was seen. */
  statusUnderWay: z.number(),
});
export type Spread = z.infer<typeof spreadShape>;

export const newSpread = (latitude: number, longitude: number, statusUnderWay: number): Spread => ({
  latitude,
  longitude,
  slow: 0,
  count: 0,
  coarse: 0,
  east: 0,
  north: 0,
  eastSquares: 0,
  northSquares: 0,
  products: 0,
  headings: 0,
  headingEast: 0,
  headingNorth: 0,
  anchored: 0,
  moored: 0,
  statusUnderWay,
});

export function addToSpread(spread: Spread, fix: Fix): void {
  const east = Math.round(metresEast(spread.latitude, spread.longitude, fix.longitude) * DECIMETRES);
  const north = Math.round(metresNorth(spread.latitude, fix.latitude) * DECIMETRES);
  spread.count += 1;
  spread.east += east;
  spread.north += north;
  spread.eastSquares += east * east;
  spread.northSquares += north * north;
  spread.products += east * north;
  if (fix.latitude % COARSE === 0 && fix.longitude % COARSE === 0) spread.coarse += 1;
  if (fix.heading !== UNKNOWN) {
    spread.headings += 1;
    const degree = Math.round(fix.heading) % 360;
    spread.headingEast += SINES[degree] ?? 0;
    spread.headingNorth += COSINES[degree] ?? 0;
  }
  if (fix.status === AT_ANCHOR) spread.anchored += 1;
  else if (fix.status === MOORED) spread.moored += 1;
}

/** Metres from one position to another along a heading in degrees. */
export function metresAlong(from: Position, to: Position, heading: number): number {
  const degree = Math.round(heading) % 360;
  const east = metresEast(from.latitude, from.longitude, to.longitude) * (SINES[degree] ?? 0);
  return (east + metresNorth(from.latitude, to.latitude) * (COSINES[degree] ?? 0)) / HEADING_SCALE;
}

/** Adds the fixes of `other` to those of `spread`. */
export function joinSpread(spread: Spread, other: Spread): void {
  const east = Math.round(metresEast(spread.latitude, spread.longitude, other.longitude) * DECIMETRES);
  const north = Math.round(metresNorth(spread.latitude, other.latitude) * DECIMETRES);
  const { count } = other;
  spread.eastSquares += other.eastSquares + 2 * east * other.east + count * east * east;
  spread.northSquares += other.northSquares + 2 * north * other.north + count * north * north;
  spread.products += other.products + east * other.north + north * other.east + count * east * north;
  spread.east += other.east + other.count * east;
  spread.north += other.north + other.count * north;
  spread.slow += other.slow;
  spread.coarse += other.coarse;
  spread.count += other.count;
  spread.headings += other.headings;
  spread.headingEast += other.headingEast;
  spread.headingNorth += other.headingNorth;
  spread.anchored += other.anchored;
  spread.moored += other.moored;
}

/** Mean position in 1e-5 degrees; the first position while no fix is summed. */
export function meanPosition(spread: Spread): Position {
  const { count, latitude, longitude } = spread;
  if (count === 0) return { latitude, longitude };
  const north = spread.north / count / DECIMETRES / metresNorth(0, 1);
  const east = spread.east / count / DECIMETRES / metresEast(latitude, 0, 1);
  return { latitude: Math.round(latitude + north), longitude: wrapLongitude(Math.round(longitude + east)) };
}

/** Root mean square distance from the mean position, in metres; 0 while no fix is summed. */
export function rmsRadius({ count, east, north, eastSquares, northSquares }: Spread): number {
  if (count === 0) return 0;
  const variance = (eastSquares + northSquares) / count - (east / count) ** 2 - (north / count) ** 2;
  return Math.sqrt(Math.max(0, variance)) / DECIMETRES;
}

/** Root mean square distance from the line through the mean position along the mean heading, in metres. */
export function rmsAcross(spread: Spread): number {
  const { count, east, north, eastSquares, northSquares, products, headingEast, headingNorth } = spread;
  const length = Math.hypot(headingEast, headingNorth);
  if (count === 0 || length === 0) return rmsRadius(spread);
  const [sine, cosine] = [headingEast / length, headingNorth / length];
  const variance =
    cosine * cosine * (eastSquares / count - (east / count) ** 2) +
    sine * sine * (northSquares / count - (north / count) ** 2) -
    2 * sine * cosine * (products / count - (east / count) * (north / count));
  return Math.sqrt(Math.max(0, variance)) / DECIMETRES;
}

/** Mean resultant length of the headings, 0 to 1: 1 when all are the same. Undefined when none was stated. */
export const headingResultant = ({ headings, headingEast, headingNorth }: Spread): number | undefined =>
  headings === 0 ? undefined : Math.hypot(headingEast, headingNorth) / headings / HEADING_SCALE;

/** Mean heading in degrees, 0 to 360. Undefined when none was stated, or they cancel out. */
export function headingOf({ headingEast, headingNorth }: Spread): number | undefined {
  if (headingEast === 0 && headingNorth === 0) return undefined;
  return (Math.atan2(headingEast, headingNorth) / RADIANS + 360) % 360;
}

/** Whether the vessel never states that it is under way: its status is not maintained. */
export const isStatusStuck = ({ statusUnderWay }: Spread): boolean =>
  statusUnderWay === AT_ANCHOR || statusUnderWay === MOORED;
