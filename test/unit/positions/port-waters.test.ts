/** Ports of positions lie where vessels do: their points at the sea, or on the named inland water; their anchorages and pilot grounds in reach. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { GROUNDS_NOT_FOUND, knownGrounds, REPORTED_GROUNDS } from '../../../core/positions/port-areas.ts';
import { findPort } from '../../../core/reference/ports.ts';
import { SOURCE_DECLARATIONS } from '../../../core/sources/declarations.ts';
import { longIt } from '../../builders/extent.ts';

const boxed = SOURCE_DECLARATIONS.flatMap(({ ports, boxes, approaches }) =>
  boxes === undefined ? [] : ports.map((port) => ({ port, grounds: knownGrounds(port, boxes, approaches) })),
);

/** Ports more than three kilometres from the sea, by the water that they lie on. */
const INLAND: Readonly<Record<string, readonly string[]>> = {
  'Great Lakes and Detroit River': ['USSUW', 'USECH', 'USGYY', 'USPSS', 'USWYD', 'USTOL', 'USSKY', 'USCLE'],
  'Columbia and Willamette': ['USPDX', 'USVAN', 'USKAM', 'USLOG'],
  Mississippi: ['USBTR', 'USCEN', 'USMSY'],
  'Calcasieu, Neches and Sabine': ['USLCH', 'USBPT', 'USPOA'],
  'Texas channels': ['USHOU', 'USBRO', 'USFPO'],
  'St. Johns, Savannah, Cape Fear': ['USJAX', 'USSAV', 'USILM'],
  'San Joaquin': ['USSCK'],
  'Mobile Bay, whose position is the city': ['USMOB'],
  Mahakam: ['IDSRI'],
  Musi: ['IDPLM'],
  Barito: ['IDBDJ'],
  'Scheldt and Ghent-Terneuzen canal': ['BEANR', 'BEGNE'],
  'Hollandsch Diep, Nieuwe Maas, North Sea canal': ['NLMOE', 'NLRTM', 'NLAMS'],
  Don: ['RURND'],
  Neva: ['RULED'],
  Elbe: ['DEHAM'],
  Daugava: ['LVRIX'],
  'Vistula, Motlawa': ['PLGDN'],
  'Chao Phraya': ['THBKK'],
  'Saigon, Cam': ['VNSGN', 'VNHPH'],
  Pearl: ['CNGGZ'],
  Min: ['CNFZH'],
  'Huangpu and Yangtze': ['CNSGH', 'CNZHE'],
  Klang: ['MYPKG'],
  'Gudenaa and Odense canal': ['DKRAN', 'DKODE'],
};
const ON_THE_SEA_KILOMETRES = 3;

interface Ring {
  readonly points: readonly (readonly number[])[];
  readonly south: number;
  readonly north: number;
}

function ringOf(points: Ring['points']): Ring {
  let [south, north] = [90, -90];
  for (const [, latitude = 0] of points) {
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  return { points, south, north };
}

/** Outlines of the land, from Natural Earth at 1:10 million, accurate to about a kilometre. */
function landRings(): Ring[] {
  const file = createRequire(import.meta.url).resolve('world-atlas/land-10m.json');
  const world = JSON.parse(readFileSync(file, 'utf8')) as Topology<{ land: GeometryCollection }>;
  const polygons = feature(world, world.objects.land).features.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : [],
  );
  return polygons.map(ringOf);
}

const KILOMETRES_A_DEGREE = 111.195;

/** Kilometres from land to the sea at a position in degrees; 0 at sea. */
function kilometresInland(rings: readonly Ring[], latitude: number, longitude: number): number {
  const east = KILOMETRES_A_DEGREE * Math.cos((latitude * Math.PI) / 180);
  let isLand = false;
  let least = Number.POSITIVE_INFINITY;
  for (const { points, south, north } of rings) {
    if (latitude < south - 1 || latitude > north + 1) continue;
    let [lastEast = 0, lastNorth = 0] = points.at(-1) ?? [];
    for (const [nextEast = 0, nextNorth = 0] of points) {
      const crosses = nextNorth > latitude !== lastNorth > latitude;
      const share = (latitude - lastNorth) / (nextNorth - lastNorth);
      if (crosses && longitude < lastEast + share * (nextEast - lastEast)) isLand = !isLand;
      if (Math.abs(nextNorth - latitude) < 1) {
        const [fromX, fromY] = [(lastEast - longitude) * east, (lastNorth - latitude) * KILOMETRES_A_DEGREE];
        const [x, y] = [(nextEast - lastEast) * east, (nextNorth - lastNorth) * KILOMETRES_A_DEGREE];
        const along = Math.max(0, Math.min(1, -(fromX * x + fromY * y) / (x * x + y * y || 1)));
        least = Math.min(least, Math.hypot(fromX + along * x, fromY + along * y));
      }
      [lastEast, lastNorth] = [nextEast, nextNorth];
    }
  }
  return isLand ? least : 0;
}

describe('ports of positions', () => {
  longIt('lie at sea, within three kilometres of it, or on a named inland water', () => {
    const rings = landRings();
    const inland = Object.values(INLAND).flat();
    const far = boxed.flatMap(({ port }) => {
      const { latitude = 0, longitude = 0 } = findPort(port) ?? {};
      return kilometresInland(rings, latitude, longitude) > ON_THE_SEA_KILOMETRES ? [port] : [];
    });
    expect(far.toSorted()).toEqual(
      boxed
        .map(({ port }) => port)
        .filter((port) => inland.includes(port))
        .toSorted(),
    );
  });

  it('reach every anchorage and pilot ground that is known of them, or the list says why they need not', () => {
    const unexplained = boxed.flatMap(({ port, grounds }) =>
      grounds
        .filter(({ isReached, outOfReach }) => isReached !== (outOfReach === undefined))
        .map(({ name }) => `${port}: ${name}`),
    );
    expect(unexplained).toEqual([]);
  });

  it('have known grounds, or are on the list of ports for which none was found, with the day of the search', () => {
    const without = boxed.filter(({ grounds }) => grounds.length === 0).map(({ port }) => port);
    const { searched, places, ports, remarks } = GROUNDS_NOT_FOUND;
    expect(ports).toEqual(without.toSorted());
    expect(searched).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(places.length).toBeGreaterThan(3);
    expect(ports).toEqual(expect.arrayContaining(Object.keys(remarks)));
  });

  it('have grounds that public documents place, each with the address and the day it was read', () => {
    const portsWith = (wanted: string) =>
      boxed.filter(({ grounds }) => grounds.some(({ kind }) => kind === wanted)).length;
    expect(portsWith('anchorage')).toBeGreaterThan(110);
    expect(portsWith('pilots')).toBeGreaterThan(50);
    const covered = boxed.map(({ port }) => port);
    for (const { ports, source, address, asOf, read } of REPORTED_GROUNDS) {
      expect(covered).toEqual(expect.arrayContaining([...ports]));
      expect(source.length).toBeGreaterThan(5);
      expect(address).toMatch(/^https?:\/\/./);
      for (const day of [read, asOf ?? read]) expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  });

  it('reach the anchorage at sea of New York, and those of Mumbai, beyond 20 nautical miles', () => {
    const milesOf = (wanted: string) =>
      boxed
        .filter(({ port }) => port === wanted)
        .flatMap(({ grounds }) => grounds)
        .filter(({ kind, isReached }) => kind === 'anchorage' && isReached)
        .map(({ name, farthestMiles }) => [name, Math.round(farthestMiles)]);
    expect(milesOf('USNYC')).toEqual([['Ambrose anchorage', 30]]);
    expect(milesOf('INBOM')).toEqual([
      ['Mumbai anchorage Alpha', 23],
      ['Mumbai anchorage Bravo', 30],
    ]);
  });
});
