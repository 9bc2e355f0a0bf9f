/** Where a place lies on the map of the world: Equal Earth (Šavrič, Patterson and Jenny 2018), cut where ports are. */
import { geoEqualEarthRaw } from 'd3-geo';

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** In the units of the drawing. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export const WORLD = { width: 960, height: 420 };
/** Units of the drawing to a radian at the equator, and where longitude and latitude 0 lie. */
export const PROJECTION = {
  scale: 182,
  translate: [WORLD.width / 2 - 26, WORLD.height / 2 + 38],
} as const;

const RADIANS = Math.PI / 180;

export function project({ latitude, longitude }: Place): Point {
  const [x, y] = geoEqualEarthRaw(longitude * RADIANS, latitude * RADIANS);
  const [left, top] = PROJECTION.translate;
  return { x: left + PROJECTION.scale * x, y: top - PROJECTION.scale * y };
}

/** The land as path data, drawn when the portal is built: degrees, land and borders, from behind to before. */
export interface WorldPaths {
  readonly graticule: string;
  readonly land: string;
  readonly borders: string;
}
