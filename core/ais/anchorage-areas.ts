/**
 * Anchorage grounds that a law defines. `anchorage-areas.json` has those of 33 CFR Part 110 (United States federal
 * regulation, public domain) whose corners the text states as coordinates: an area is added as an entry of the file.
 */
import type { Locode } from '../reference/locode.ts';
import areas from './anchorage-areas.json' with { type: 'json' };
import { DEGREE } from './fix.ts';

export interface AnchorageArea {
  readonly name: string;
  /** The paragraph that defines it, and the date of its text. */
  readonly section: string;
  readonly asOf: string;
  /** The ports that it lies before. */
  readonly ports: readonly Locode[];
  /** Corners in order, latitude and longitude in degrees (NAD 83, within two metres of WGS 84); the last joins the first. */
  readonly corners: readonly (readonly number[])[];
}

export const ANCHORAGE_AREAS: readonly AnchorageArea[] = areas;

/** Whether a ray to the east crosses the boundary an odd number of times. */
function isWithin({ corners }: AnchorageArea, latitude: number, longitude: number): boolean {
  let isInside = false;
  let [lastLatitude = 0, lastLongitude = 0] = corners.at(-1) ?? [];
  for (const [cornerLatitude = 0, cornerLongitude = 0] of corners) {
    if (cornerLatitude > latitude !== lastLatitude > latitude) {
      const share = (latitude - cornerLatitude) / (lastLatitude - cornerLatitude);
      if (longitude < cornerLongitude + share * (lastLongitude - cornerLongitude)) isInside = !isInside;
    }
    [lastLatitude, lastLongitude] = [cornerLatitude, cornerLongitude];
  }
  return isInside;
}

/** The first of the areas that has the position, in 1e-5 degrees. */
export const anchorageAt = (
  all: readonly AnchorageArea[],
  latitude: number,
  longitude: number,
): AnchorageArea | undefined => all.find((area) => isWithin(area, latitude / DEGREE, longitude / DEGREE));
