/** What is remembered of a vessel's track: the stops, how the fixes of each lie, and whether it is a berth or a wait. */
import { z } from 'zod';
import { TRAFFIC } from '../calls/observation.ts';
import { STAY_KINDS, type StayKind } from '../calls/port-call.ts';
import { isLocode } from '../reference/codes.ts';
import { type Fix, UNKNOWN } from './fix.ts';
import { metresEast, metresNorth, type Position, wrapLongitude } from './geometry.ts';

/** Returns whether a stop is a berth, where the vessel keeps its place and heading, or a wait. */
export function kindBySpread(spread: Spread): StayKind {
  if (spread.count === 0 || !isMostlyStill(spread)) return 'wait';
  const rms = rmsRadius(spread);
  const resultant = headingResultant(spread);
  if (isCoarse(spread)) return coarseKind(spread, rms, resultant);
  if (isAlongQuay(spread, rms, resultant)) return 'berth';
  return rms > FIRM_RMS_METRES ? (unanimousKind(spread, rms) ?? 'wait') : firmKind(spread, rms, resultant);
}

// A vessel alongside lies still and keeps its heading; at anchor it swings, and adrift it moves.

const BERTH_RMS_METRES = 60;
const BERTH_RESULTANT = 0.99;
const MIN_STILL_SHARE = 0.5;
/** Over `SPREAD_FIXES` fixes the antenna of an anchored vessel moves by more, even in the steadiest wind. */
const MIN_SWING_METRES = 10;
const SPREAD_FIXES = 30;
/** Mooring lines limit the heading to within 2.5 degrees; in a steady wind an anchored vessel sheers by more. */
const FIRM_RESULTANT = 0.999;
/** A receiver's own error spreads the fixes of a berth by less. */
const FIRM_RMS_METRES = 25;
const FIRM_FIXES = 5;
/** Usual error of a receiver. Between this and `FIRM_RMS_METRES` the stated status decides. */
const USUAL_RMS_METRES = 15;
/** A vessel that is warped along its quay moves by less. */
const QUAY_RMS_METRES = 200;
/** Smallest share of the fixes with one status at which that status decides. */
const UNANIMOUS_SHARE = 0.95;
/** The swing of a tanker about a mooring buoy; its status says that it is moored. */
const BUOY_RMS_METRES = 150;

/** Whether the vessel is made fast in one place. */
export const isFirm = (spread: Spread): boolean =>
  spread.count >= FIRM_FIXES && rmsRadius(spread) <= FIRM_RMS_METRES;

/** Whether the vessel lies still most of the time: adrift, or dragging its anchor, it does not. */
export const isMostlyStill = ({ count, slow }: Spread): boolean => count >= MIN_STILL_SHARE * slow;

/** Whether positions are too coarse to show a swing. */
const isCoarse = ({ count, coarse }: Spread): boolean => coarse === count;

/** Whether the fixes lie on a line along a heading that hardly changes: a vessel warped along its quay. */
const isAlongQuay = (spread: Spread, rms: number, resultant: number | undefined): boolean =>
  spread.count >= FIRM_FIXES &&
  resultant !== undefined &&
  resultant > FIRM_RESULTANT &&
  rms < QUAY_RMS_METRES &&
  rmsAcross(spread) <= FIRM_RMS_METRES;

/** Returns the kind that nearly all fixes state, unless the vessel states the same status under way. */
function unanimousKind(spread: Spread, rms: number): StayKind | undefined {
  if (isStatusStuck(spread)) return undefined;
  const { count, anchored, moored, statusUnderWay } = spread;
  // A crew that changes the status maintains it.
  const isKept = statusUnderWay !== UNKNOWN;
  if (moored >= UNANIMOUS_SHARE * count && rms < (isKept ? BUOY_RMS_METRES : BERTH_RMS_METRES))
    return 'berth';
  return anchored >= UNANIMOUS_SHARE * count ? 'wait' : undefined;
}

/** Returns the kind that most fixes state. */
function statusKind(spread: Spread): StayKind | undefined {
  const { anchored, moored } = spread;
  if (anchored === moored || isStatusStuck(spread)) return undefined;
  return anchored > moored ? 'wait' : 'berth';
}

/** For coarse positions: heading and status decide, because their spread of 100 m cannot. */
function coarseKind(spread: Spread, rms: number, resultant: number | undefined): StayKind {
  if (rms > QUAY_RMS_METRES) return 'wait';
  const unanimous = unanimousKind(spread, rms);
  if (unanimous !== undefined) return unanimous;
  if (resultant !== undefined) return resultant > FIRM_RESULTANT ? 'berth' : 'wait';
  return statusKind(spread) ?? (rms < BERTH_RMS_METRES ? 'berth' : 'wait');
}

/** For fixes with a small spread: the heading decides, and between its limits the status. */
function firmKind(spread: Spread, rms: number, resultant: number | undefined): StayKind {
  const isUsual = rms <= USUAL_RMS_METRES;
  if (rms <= MIN_SWING_METRES && spread.count >= SPREAD_FIXES) return 'berth';
  if (resultant === undefined) return isUsual ? 'berth' : (statusKind(spread) ?? 'berth');
  if (resultant <= BERTH_RESULTANT) return 'wait';
  if (resultant > FIRM_RESULTANT) return 'berth';
  return statusKind(spread) ?? (isUsual ? 'berth' : 'wait');
}

// Where the fixes of a stop lie: running sums of position, heading and status, in constant memory.

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
/** Coordinates with three decimals are multiples of this, in 1e-5 degrees. */
const COARSE = 100;

/** Sums over fixes; offsets are from the position at `latitude`, `longitude` in 1e-5 degrees. */
const spreadShape = z.object({
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

/** Returns the metres from one position to another along a heading in degrees. */
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
function rmsAcross(spread: Spread): number {
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
const headingResultant = ({ headings, headingEast, headingNorth }: Spread): number | undefined =>
  headings === 0 ? undefined : Math.hypot(headingEast, headingNorth) / headings / HEADING_SCALE;

/** Mean heading in degrees, 0 to 360. Undefined when none was stated, or they cancel out. */
export function headingOf({ headingEast, headingNorth }: Spread): number | undefined {
  if (headingEast === 0 && headingNorth === 0) return undefined;
  return (Math.atan2(headingEast, headingNorth) / RADIANS + 360) % 360;
}

/** Whether the vessel stated a stop while under way: its crew does not maintain the status. */
const isStatusStuck = ({ statusUnderWay }: Spread): boolean =>
  statusUnderWay === AT_ANCHOR || statusUnderWay === MOORED;

// What is remembered of stops and tracks. A state on disk has these forms.

/** How a stop began; times are Unix seconds. */
const stopBeginShape = z.object({
  start: z.number(),
  /** False if the vessel was there already when first received, or when received again after a silence. */
  startKnown: z.boolean(),
  /** Time of the first slow fix, which identifies the stop: a later fix may move `start`. */
  firstTime: z.number(),
  /** True if reception had no gap since the vessel arrived in which a stop could be hidden. */
  receivedArriving: z.boolean(),
});

/** A stop that has ended. */
const stopShape = stopBeginShape.extend({
  end: z.number(),
  /** False if the vessel fell silent there; `end` is then a time at which it may have left. */
  endKnown: z.boolean(),
  spread: spreadShape,
});
export type Stop = Readonly<z.infer<typeof stopShape>>;

/** A stop under way; `confirmed` once it has lasted. */
const openStopShape = stopBeginShape.extend({
  confirmed: z.boolean(),
  /** Where the first slow fix was. */
  firstLatitude: z.number(),
  firstLongitude: z.number(),
  /** The last slow fix. */
  lastSlowTime: z.number(),
  slowLatitude: z.number(),
  slowLongitude: z.number(),
  slowSpeed: z.number(),
  /** The last still fix, 0 before the first, and when the vessel moved after it, 0 while it lies still. */
  lastStillTime: z.number(),
  movedTime: z.number(),
  /** Faster fixes since the last slow one, when the vessel got under way before the first of them, and decimetres made ahead since. */
  fast: z.number(),
  departureTime: z.number(),
  ahead: z.number(),
  /** Since when, and where, the vessel has kept one spot. */
  restTime: z.number(),
  restLatitude: z.number(),
  restLongitude: z.number(),
  spread: spreadShape,
});
export type OpenStop = z.infer<typeof openStopShape>;

/** Returns the stop of a vessel that left at an unknown time. Counts have it in port until `end`. */
export const endAtUnknown = (
  { start, startKnown, firstTime, receivedArriving, spread }: OpenStop,
  end: number,
): Stop => ({ start, startKnown, firstTime, receivedArriving, spread, end, endKnown: false });

/** Where and when a stop under way begins. */
type Beginning = Pick<
  OpenStop,
  'start' | 'startKnown' | 'confirmed' | 'firstTime' | 'firstLatitude' | 'firstLongitude'
>;

/** Returns a stop under way whose last slow fix is `fix`, at `speed`. Its sums are still empty. */
export const openStop = (
  { start, startKnown, confirmed, firstTime, firstLatitude, firstLongitude }: Beginning,
  { time, latitude, longitude }: Fix,
  speed: number,
  statusUnderWay: number,
): OpenStop => ({
  start,
  startKnown,
  firstTime,
  receivedArriving: false,
  confirmed,
  firstLatitude,
  firstLongitude,
  lastSlowTime: time,
  slowLatitude: latitude,
  slowLongitude: longitude,
  slowSpeed: speed,
  lastStillTime: 0,
  movedTime: 0,
  fast: 0,
  departureTime: 0,
  ahead: 0,
  restTime: time,
  restLatitude: latitude,
  restLongitude: longitude,
  spread: newSpread(firstLatitude, firstLongitude, statusUnderWay),
});

/** Time below the drifting speed, without a gap in which the vessel may have sailed. */
const driftShape = z.object({
  begin: z.number(),
  beginKnown: z.boolean(),
  latitude: z.number(),
  longitude: z.number(),
  /** Decimetres made good along the heading. */
  ahead: z.number(),
  fixes: z.number(),
  /** Faster fixes in a row, and when the vessel passed the drifting speed before the first of them. */
  fast: z.number(),
  departureTime: z.number(),
});
export type Drift = z.infer<typeof driftShape>;

/** A stay that no later fix changes; times are Unix seconds, positions 1e-5 degrees. */
const settledStayShape = stopShape.omit({ spread: true }).extend({
  kind: z.enum(STAY_KINDS),
  /** Mean position, and that of the first still fix. */
  latitude: z.number(),
  longitude: z.number(),
  firstLatitude: z.number(),
  firstLongitude: z.number(),
  /** For a wait: its port is that of the berth that followed. */
  portKnown: z.boolean(),
});
export type SettledStay = Readonly<z.infer<typeof settledStayShape>>;

/** The settled stays of a call that is not over. */
const settledCallShape = z.object({
  port: z.string().refine(isLocode),
  traffic: z.enum(TRAFFIC),
  /** End of the last one. */
  until: z.number(),
  /** One or more, oldest first, without those of a vessel that was laid up by then. */
  stays: z.array(settledStayShape),
});
export type SettledCall = Readonly<z.infer<typeof settledCallShape>>;

export const trackShape = z.object({
  /** Time of its first fix, which distinguishes it from the other tracks of its MMSI. */
  begin: z.number(),
  fixes: z.number(),
  time: z.number(),
  latitude: z.number(),
  longitude: z.number(),
  speed: z.number(),
  /** True if reception had no gap since the vessel arrived in which a stop could be hidden. */
  receivedArriving: z.boolean(),
  /** The last status stated under way; `UNKNOWN` before. */
  statusUnderWay: z.number(),
  drift: driftShape.optional(),
  open: openStopShape.optional(),
  /** Oldest first; those that no later stay can change any more are settled. */
  stops: z.array(stopShape),
  /** The settled stays of the call that the oldest stop may continue. */
  settled: settledCallShape.optional(),
});
export type Track = z.infer<typeof trackShape>;
