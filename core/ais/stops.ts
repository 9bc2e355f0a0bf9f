/** Stops: what is known of one under way, and of one that has ended. */
import type { Fix } from './fix.ts';
import { newSpread, type Spread } from './spread.ts';

/** How a stop began; times are Unix seconds. */
export interface StopBegin {
  start: number;
  /** False where the vessel was there already when it was first received, or received again after a silence. */
  startKnown: boolean;
  /** The first slow fix: a later one may move `start`, and the stop is still the same. */
  firstTime: number;
  /** Nothing that the vessel did in port before can have been missed. */
  heardArriving: boolean;
}

/** A stop that has ended. */
export interface Stop extends Readonly<StopBegin> {
  readonly end: number;
  /** False where the vessel fell silent there; `end` then is one of the times at which it may have left. */
  readonly endKnown: boolean;
  readonly spread: Spread;
}

/** A stop under way; `confirmed` once it has lasted. */
export interface OpenStop extends StopBegin {
  confirmed: boolean;
  /** Where the first slow fix was. */
  firstLatitude: number;
  firstLongitude: number;
  /** The last slow fix. */
  lastSlowTime: number;
  slowLatitude: number;
  slowLongitude: number;
  slowSpeed: number;
  /** The last still fix, 0 before the first, and when the vessel moved after it, 0 while it lies still. */
  lastStillTime: number;
  movedTime: number;
  /** Faster fixes since the last slow one, when the vessel got under way before the first of them, and decimetres made ahead since. */
  fast: number;
  departureTime: number;
  ahead: number;
  /** Since when, and where, the vessel has kept one spot. */
  restTime: number;
  restLatitude: number;
  restLongitude: number;
  spread: Spread;
}

/** Where and when a stop under way begins. */
type Beginning = Pick<
  OpenStop,
  'start' | 'startKnown' | 'confirmed' | 'firstTime' | 'firstLatitude' | 'firstLongitude'
>;

/** A stop under way of which `fix`, at `speed`, is the last slow fix, and no fix is summed yet. */
export const openStop = (
  { start, startKnown, confirmed, firstTime, firstLatitude, firstLongitude }: Beginning,
  { time, latitude, longitude }: Fix,
  speed: number,
  statusUnderWay: number,
): OpenStop => ({
  start,
  startKnown,
  firstTime,
  heardArriving: false,
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
