/** Stops: what is known of one under way, and of one that has ended; and whether it is a berth or a wait. */
import { z } from 'zod';
import type { StayKind } from '../calls/port-call.ts';
import { type Fix, UNKNOWN } from './fix.ts';
import {
  headingResultant,
  isStatusStuck,
  newSpread,
  rmsAcross,
  rmsRadius,
  type Spread,
  spreadShape,
} from './spread.ts';

// What a stop is by its own fixes: a berth, where the vessel keeps its place and heading, or a wait.

/** A vessel alongside lies still and keeps its heading; at anchor it swings, adrift it moves. */
const BERTH_RMS_METRES = 60;
const BERTH_RESULTANT = 0.99;
const MIN_STILL_SHARE = 0.5;
/** Even in the steadiest wind an anchored vessel's antenna moves by more, over this many fixes. */
const MIN_SWING_METRES = 10;
const SPREAD_FIXES = 30;
/** Mooring lines limit the heading to within 2.5 degrees; in a steady wind an anchored vessel sheers by more. */
const FIRM_RESULTANT = 0.999;
/** A receiver's own error spreads the fixes of a berth by less. */
const FIRM_RMS_METRES = 25;
const FIRM_FIXES = 5;
/** Usual spread of a receiver. Between the two the stated status decides. */
const USUAL_RMS_METRES = 15;
/** A vessel is warped along its quay by less. */
const QUAY_RMS_METRES = 200;
/** Share of the fixes with one status from which that status decides. */
const UNANIMOUS_SHARE = 0.95;
/** The swing of a tanker about a mooring buoy; its status says that it is moored. */
const BUOY_RMS_METRES = 150;

/** Whether the fixes are those of a vessel made fast in one place. */
export const isFirm = (spread: Spread): boolean =>
  spread.count >= FIRM_FIXES && rmsRadius(spread) <= FIRM_RMS_METRES;

/** Whether the vessel lies still nearly all the time: adrift, or dragging its anchor, it does not. */
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

/** The status of nearly all fixes, unless the vessel states it under way too. */
function unanimousKind(spread: Spread, rms: number): StayKind | undefined {
  if (isStatusStuck(spread)) return undefined;
  const { count, anchored, moored, statusUnderWay } = spread;
  // A status that was seen to change is kept.
  const isKept = statusUnderWay !== UNKNOWN;
  if (moored >= UNANIMOUS_SHARE * count && rms < (isKept ? BUOY_RMS_METRES : BERTH_RMS_METRES))
    return 'berth';
  return anchored >= UNANIMOUS_SHARE * count ? 'wait' : undefined;
}

/** What most of the stated statuses say. */
function statusKind(spread: Spread): StayKind | undefined {
  const { anchored, moored } = spread;
  if (anchored === moored || isStatusStuck(spread)) return undefined;
  return anchored > moored ? 'wait' : 'berth';
}

/** Where positions are coarse, heading and status say what a spread of 100 m cannot. */
function coarseKind(spread: Spread, rms: number, resultant: number | undefined): StayKind {
  if (rms > QUAY_RMS_METRES) return 'wait';
  const unanimous = unanimousKind(spread, rms);
  if (unanimous !== undefined) return unanimous;
  if (resultant !== undefined) return resultant > FIRM_RESULTANT ? 'berth' : 'wait';
  return statusKind(spread) ?? (rms < BERTH_RMS_METRES ? 'berth' : 'wait');
}

/** Where the fixes spread by little, the heading decides, and between its limits the status. */
function firmKind(spread: Spread, rms: number, resultant: number | undefined): StayKind {
  const isUsual = rms <= USUAL_RMS_METRES;
  if (rms <= MIN_SWING_METRES && spread.count >= SPREAD_FIXES) return 'berth';
  if (resultant === undefined) return isUsual ? 'berth' : (statusKind(spread) ?? 'berth');
  if (resultant <= BERTH_RESULTANT) return 'wait';
  if (resultant > FIRM_RESULTANT) return 'berth';
  return statusKind(spread) ?? (isUsual ? 'berth' : 'wait');
}

export function kindBySpread(spread: Spread): StayKind {
  if (spread.count === 0 || !isMostlyStill(spread)) return 'wait';
  const rms = rmsRadius(spread);
  const resultant = headingResultant(spread);
  if (isCoarse(spread)) return coarseKind(spread, rms, resultant);
  if (isAlongQuay(spread, rms, resultant)) return 'berth';
  return rms > FIRM_RMS_METRES ? (unanimousKind(spread, rms) ?? 'wait') : firmKind(spread, rms, resultant);
}

/** How a stop began; times are Unix seconds. */
const stopBeginShape = z.object({
  start: z.number(),
  /** False where the vessel was there already when it was first received, or received again after a silence. */
  startKnown: z.boolean(),
  /** Time of the first slow fix, which identifies the stop: a later fix may move `start`. */
  firstTime: z.number(),
  /** Nothing that the vessel did in port before can have been missed. */
  receivedArriving: z.boolean(),
});

/** A stop that has ended. */
export const stopShape = stopBeginShape.extend({
  end: z.number(),
  /** False where the vessel fell silent there; `end` then is one of the times at which it may have left. */
  endKnown: z.boolean(),
  spread: spreadShape,
});
export type Stop = Readonly<z.infer<typeof stopShape>>;

/** A stop under way; `confirmed` once it has lasted. */
export const openStopShape = stopBeginShape.extend({
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

/** The stop of a vessel that left at an unknown time; the counts have it in port until `end`. */
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
