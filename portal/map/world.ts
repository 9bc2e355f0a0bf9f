/** The world as the map draws it: its extent, where a place lies on it, and the land behind the ports. */
import { geoEqualEarth, geoGraticule10, geoPath } from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { svgElement } from '../view/element.ts';

export type World = Topology<{ land: GeometryCollection; countries: GeometryCollection }>;

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

const projection = geoEqualEarth()
  .scale(182)
  .translate([WORLD.width / 2 - 26, WORLD.height / 2 + 38]);

export function pointOf({ latitude, longitude }: Place): Point {
  const [x = 0, y = 0] = projection([longitude, latitude]) ?? [];
  return { x, y };
}

/** Degrees, land and borders, from behind to before. */
export function landscape(world: World): SVGElement[] {
  const path = geoPath(projection).digits(1);
  const { land, countries } = world.objects;
  return [
    svgElement('path', { class: 'graticule', d: path(geoGraticule10()) ?? '' }),
    svgElement('path', { class: 'land', d: path(feature(world, land)) ?? '' }),
    svgElement('path', { class: 'borders', d: path(mesh(world, countries, (a, b) => a !== b)) ?? '' }),
  ];
}
