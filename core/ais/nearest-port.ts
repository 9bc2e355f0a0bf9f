/** The port that a position belongs to: the nearest one of the reference. */
import type { Locode } from '../reference/locode.ts';
import { DEGREE, fixedDegrees, metresBetween } from './fix.ts';

export const NAUTICAL_MILE = 1852;

/** A position of a port, in degrees; a port may have several. */
export interface PortPoint {
  readonly locode: Locode;
  readonly latitude: number;
  readonly longitude: number;
}

export interface NearestPort {
  /** The port nearest to a position in 1e-5 degrees, undefined when all are more than `metres` away. */
  within(latitude: number, longitude: number, metres: number): Locode | undefined;
}

interface Point {
  readonly locode: Locode;
  readonly latitude: number;
  readonly longitude: number;
}

/** Ports by whole degree of latitude: none further off than one degree is ever asked for. */
export function nearestPort(ports: readonly PortPoint[]): NearestPort {
  const points = ports.map(
    ({ locode, latitude, longitude }): Point => ({
      locode,
      latitude: fixedDegrees(latitude),
      longitude: fixedDegrees(longitude),
    }),
  );
  const rows = new Map<number, Point[]>();
  for (const point of points) {
    const row = Math.floor(point.latitude / DEGREE);
    rows.set(row, [...(rows.get(row) ?? []), point]);
  }
  return {
    within(latitude, longitude, metres) {
      const row = Math.floor(latitude / DEGREE);
      let nearest: Locode | undefined;
      let least = metres;
      for (const point of [row - 1, row, row + 1].flatMap((each) => rows.get(each) ?? [])) {
        const distance = metresBetween(point.latitude, point.longitude, latitude, longitude);
        if (distance > least) continue;
        least = distance;
        nearest = point.locode;
      }
      return nearest;
    },
  };
}
