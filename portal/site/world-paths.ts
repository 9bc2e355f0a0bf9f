/** The world behind the ports, projected when the portal is built: a browser would need seconds of a telephone for it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { geoEqualEarth, geoGraticule10, geoPath } from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { PROJECTION, type WorldPaths } from '../map/projection.ts';

type Countries = Topology<{ land: GeometryCollection; countries: GeometryCollection }>;

const FILE = fileURLToPath(new URL('../../node_modules/world-atlas/countries-110m.json', import.meta.url));

/** Returns the coastlines in units of the drawing, rounded to `decimals`. */
export function worldPaths(decimals: number): WorldPaths {
  const world = JSON.parse(readFileSync(FILE, 'utf8')) as Countries;
  const { scale, translate } = PROJECTION;
  const path = geoPath(
    geoEqualEarth()
      .scale(scale)
      .translate([...translate]),
  ).digits(decimals);
  const { land, countries } = world.objects;
  return {
    graticule: path(geoGraticule10()) ?? '',
    land: path(feature(world, land)) ?? '',
    borders: path(mesh(world, countries, (a, b) => a !== b)) ?? '',
  };
}
