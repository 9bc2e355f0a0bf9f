/** A vessel that drifted, or was moved, to a berth without being seen under way: there it keeps one spot. */
import { type Fix, metresBetween } from './fix.ts';
import type { EngineParameters } from './parameters.ts';
import { newSpread } from './spread.ts';
import { isMostlyStill } from './stop-kind.ts';
import type { OpenStop, Stop } from './stops.ts';

/** Positions of a vessel that keeps its spot differ by less. */
const SPOT_METRES = 50;

/** The spot that the vessel keeps begins again with a fix off it. */
export function keepRest(stop: OpenStop, fix: Fix): void {
  const metres = metresBetween(stop.restLatitude, stop.restLongitude, fix.latitude, fix.longitude);
  if (metres <= SPOT_METRES) return;
  stop.restTime = fix.time;
  stop.restLatitude = fix.latitude;
  stop.restLongitude = fix.longitude;
}

/** The stop of a vessel adrift, ended, and the one of the spot that it has kept since for as long as a berth stay lasts. */
export function restedStop(
  stop: OpenStop,
  fix: Fix,
  parameters: EngineParameters,
): { readonly ended: Stop; readonly open: OpenStop } | undefined {
  const { restTime, restLatitude, restLongitude, firstLatitude, firstLongitude } = stop;
  if (fix.time - restTime < parameters.minBerthSeconds || restTime <= stop.start) return undefined;
  const metres = metresBetween(firstLatitude, firstLongitude, restLatitude, restLongitude);
  if (metres <= parameters.leaveMetres || isMostlyStill(stop.spread)) return undefined;
  const { start, startKnown, firstTime, heardArriving } = stop;
  // What was summed of the spot does not show what the vessel did before.
  const spread = { ...newSpread(firstLatitude, firstLongitude, stop.spread.statusUnderWay), slow: 1 };
  return {
    ended: { start, startKnown, firstTime, heardArriving, end: restTime, endKnown: true, spread },
    open: {
      ...stop,
      start: restTime,
      startKnown: true,
      firstTime: restTime,
      firstLatitude: restLatitude,
      firstLongitude: restLongitude,
      spread: newSpread(restLatitude, restLongitude, stop.spread.statusUnderWay),
    },
  };
}
