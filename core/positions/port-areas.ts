/** Where ports are: their boxes, approaches and anchorage areas, and the port that a position belongs to. */
import { groupBy } from '../reference/grouping.ts';
import type { Locode } from '../reference/locode.ts';
import type { Approach, Area, PortBox } from '../reference/port-boxes.ts';
import type { Port } from '../reference/ports.ts';
import anchorageAreas from './data/anchorage-areas.json' with { type: 'json' };
import reviewedApproaches from './data/approaches.json' with { type: 'json' };
import { DEGREE, fixedDegrees, metresBetween, type Position } from './geometry.ts';

/** Tolerance at the border of a box, in degrees. */
export const BORDER_DEGREES = 0.05;

/** Whether a position lies in the area, or at most `margin` degrees outside of it. */
export const isInside = (
  { south, west, north, east }: Area,
  { latitude, longitude }: Position,
  margin = 0,
): boolean =>
  latitude >= (south - margin) * DEGREE &&
  latitude <= (north + margin) * DEGREE &&
  longitude >= (west - margin) * DEGREE &&
  longitude <= (east + margin) * DEGREE;

/**
 * The ports that stays are assigned to. In the boxes only those counted and their neighbours: a terminal with a code of
 * its own (Europoort) counts for the port that it is a part of.
 */
function assignablePorts(reference: readonly Port[], boxes: readonly PortBox[]): Port[] {
  const counted = new Set(boxes.flatMap(({ ports, neighbours }) => [...ports, ...neighbours]));
  const isBoxed = ({ latitude, longitude }: Port): boolean =>
    boxes.some(
      ({ south, west, north, east }) =>
        latitude >= south && latitude <= north && longitude >= west && longitude <= east,
    );
  return reference.filter((port) => counted.has(port.locode) || !isBoxed(port));
}

export const NAUTICAL_MILE = 1852;

/** A stay further from every port belongs to none. */
export const MAX_PORT_METRES = 20 * NAUTICAL_MILE;

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

/** Ports by whole degree of latitude; no query reaches further than one degree. */
export function nearestPort(ports: readonly PortPoint[]): NearestPort {
  const points = ports.map(
    ({ locode, latitude, longitude }): PortPoint => ({
      locode,
      latitude: fixedDegrees(latitude),
      longitude: fixedDegrees(longitude),
    }),
  );
  const rows = groupBy(points, ({ latitude }) => Math.floor(latitude / DEGREE));
  /** The points of each row and its neighbours. */
  const near = new Map<number, readonly PortPoint[]>();
  const around = (row: number): readonly PortPoint[] => {
    const known = near.get(row) ?? [row - 1, row, row + 1].flatMap((each) => rows.get(each) ?? []);
    near.set(row, known);
    return known;
  };
  return {
    within(latitude, longitude, metres) {
      let nearest: Locode | undefined;
      let least = metres;
      for (const point of around(Math.floor(latitude / DEGREE))) {
        const distance = metresBetween(point.latitude, point.longitude, latitude, longitude);
        if (distance > least) continue;
        least = distance;
        nearest = point.locode;
      }
      return nearest;
    },
  };
}

/**
 * Anchorage grounds that a law defines: those of 33 CFR Part 110 (United States federal regulation, public domain)
 * whose corners the text states. An area is added as an entry of `anchorage-areas.json`.
 */
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

export const ANCHORAGE_AREAS: readonly AnchorageArea[] = anchorageAreas;

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

const APPROACHES = reviewedApproaches as readonly Approach[];

export function approachesTo(ports: readonly Locode[]): Approach[] {
  const wanted = new Set(ports);
  return APPROACHES.map((approach) => ({
    ...approach,
    ports: approach.ports.filter((port) => wanted.has(port)),
  })).filter((approach) => approach.ports.length > 0);
}

/** The ports that a vessel at a position in 1e-5 degrees may wait for because it lies in a roadstead of theirs. */
export const portsBehind = (
  approaches: readonly Approach[],
  latitude: number,
  longitude: number,
): readonly Locode[] =>
  approaches.find(({ kind, ...area }) => kind === 'roadstead' && isInside(area, { latitude, longitude }))
    ?.ports ?? [];

/** The middle of each approach with terminals, as a second position of its port. */
const terminalPoints = (approaches: readonly Approach[]): PortPoint[] =>
  approaches.flatMap(({ kind, ports: [locode], south, west, north, east }) =>
    kind === 'terminals' && locode !== undefined
      ? [{ locode, latitude: (south + north) / 2, longitude: (west + east) / 2 }]
      : [],
  );

/** The approaches that the ports of stays depend on: those of the ports in the boxes, and of their neighbours. */
const approachesAround = (boxes: readonly PortBox[]): Approach[] =>
  approachesTo(boxes.flatMap(({ ports, neighbours }) => [...ports, ...neighbours]));

/** The positions that stays in or near the boxes are assigned by: each belongs to the port of the nearest. */
export const stayPoints = (reference: readonly Port[], boxes: readonly PortBox[]): PortPoint[] => [
  ...assignablePorts(reference, boxes),
  ...terminalPoints(approachesAround(boxes)),
];

export const stayPorts = (reference: readonly Port[], boxes: readonly PortBox[]): NearestPort =>
  nearestPort(stayPoints(reference, boxes));
