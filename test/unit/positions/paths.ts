/** Paths of one vessel leg by leg, and the stays that the engine finds on them. */
import type { Fix } from '../../../core/positions/fix.ts';
import { fixedDegrees, KNOT } from '../../../core/positions/geometry.ts';
import { type StayParts, trackStays, type VesselStay } from '../../../core/positions/vessel-calls.ts';
import { stayParts } from '../../worlds/traffic/engine-run.ts';
import { engineAfter, fixAt, START } from './world.ts';

export interface Leg {
  readonly hours: number;
  readonly knots: number;
  /** Degrees; the vessel heads along its course where no heading is given. */
  readonly course: number;
  readonly heading?: number;
}

const METRES_A_UNIT = 1.11195;
const [SOUTH, WEST] = [fixedDegrees(33), fixedDegrees(-118.2)];

/** Returns fixes every `everyMinutes` along the legs, south of Los Angeles. */
export function sailing(legs: readonly Leg[], everyMinutes: number, changes: Partial<Fix> = {}): Fix[] {
  const fixes: Fix[] = [];
  let [north, east, begin] = [0, 0, 0];
  for (const { hours, knots, course, heading = course } of legs) {
    const radians = (course * Math.PI) / 180;
    for (let minute = 0; minute < hours * 60; minute += everyMinutes) {
      const metres = knots * KNOT * minute * 60;
      const latitude = SOUTH + (north + metres * Math.cos(radians)) / METRES_A_UNIT;
      const width = METRES_A_UNIT * Math.cos((latitude / 100_000) * (Math.PI / 180));
      fixes.push(
        fixAt(begin + minute, {
          latitude: Math.round(latitude),
          longitude: Math.round(WEST + (east + metres * Math.sin(radians)) / width),
          speed: Math.round(knots * 10),
          heading,
          ...changes,
        }),
      );
    }
    begin += hours * 60;
    north += knots * KNOT * hours * 3600 * Math.cos(radians);
    east += knots * KNOT * hours * 3600 * Math.sin(radians);
  }
  return fixes;
}

/** The stays of the vessel of `fixes` as they are known at the last one, without ports. */
export function staysAfter(fixes: readonly Fix[], more: Partial<StayParts> = {}): VesselStay[] {
  const time = fixes.at(-1)?.time ?? 0;
  const parts = { ...stayParts([]), ...more };
  return [...engineAfter(fixes).vessels.values()].flatMap(({ tracks }) =>
    tracks.flatMap((track) => trackStays(track, time, parts)),
  );
}

/** `wait 1-9`: kind, and hours since the start to the nearest. */
export const textOf = (stays: readonly VesselStay[]): string[] =>
  stays.map(({ kind, start, end }) => {
    const hours = (time: number): number => Math.round((time - START / 1000) / 3600);
    return `${kind} ${hours(start)}-${end === undefined ? '' : hours(end)}`;
  });
