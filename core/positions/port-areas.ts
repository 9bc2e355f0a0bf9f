/** Finds the port that a position belongs to, by the points, approaches and anchorage areas of ports. */

import type { Locode } from '../reference/codes.ts';
import type { Approach, Area, PortBox } from '../reference/port-boxes.ts';
import { findPort, PORTS, type Port } from '../reference/ports.ts';
import { groupBy, mean } from '../reference/statistics.ts';
import anchorageAreas from './data/anchorage-areas.json' with { type: 'json' };
import reviewedApproaches from './data/approaches.json' with { type: 'json' };
import notFound from './data/grounds-not-found.json' with { type: 'json' };
import reportedGrounds from './data/known-grounds.json' with { type: 'json' };
import { DEGREE, fixedDegrees, metresBetween, type Position } from './geometry.ts';

/** A position this far outside a box, in degrees, still counts as inside. */
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
 * Returns the ports that stays are assigned to. Inside the boxes these are only the counted ports and their neighbours, so that a
 * terminal with a code of its own, such as Europoort, counts for its port.
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

/** A stay further from all ports belongs to none. */
export const MAX_PORT_METRES = 20 * NAUTICAL_MILE;

/** A position of a port, in degrees; a port may have several. */
export interface PortPoint {
  readonly locode: Locode;
  readonly latitude: number;
  readonly longitude: number;
}

export interface NearestPort {
  /** Returns the port nearest to a position in 1e-5 degrees; undefined if all are more than `metres` away. */
  within(latitude: number, longitude: number, metres: number): Locode | undefined;
}

/** Finds ports by whole degree of latitude: queries reach at most one degree. */
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
 * An anchorage ground of 33 CFR Part 110, a United States federal regulation in the public domain, whose corners the text states. To add
 * one, add an entry to `anchorage-areas.json`.
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

/** Returns the first area that contains a position in 1e-5 degrees. */
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

/** Returns the ports whose roadstead contains a position in 1e-5 degrees: a vessel there may wait for any of them. */
export const portsBehind = (
  approaches: readonly Approach[],
  latitude: number,
  longitude: number,
): readonly Locode[] =>
  approaches.find(({ kind, ...area }) => kind === 'roadstead' && isInside(area, { latitude, longitude }))
    ?.ports ?? [];

/** Returns the middle of each approach with terminals as a second position of its port. */
const terminalPoints = (approaches: readonly Approach[]): PortPoint[] =>
  approaches.flatMap(({ kind, ports: [locode], south, west, north, east }) =>
    kind === 'terminals' && locode !== undefined
      ? [{ locode, latitude: (south + north) / 2, longitude: (west + east) / 2 }]
      : [],
  );

/** Returns the approaches of the ports in the boxes and of their neighbours, on which the ports of stays depend. */
const approachesAround = (boxes: readonly PortBox[]): Approach[] =>
  approachesTo(boxes.flatMap(({ ports, neighbours }) => [...ports, ...neighbours]));

/** Returns the points of ports in and near the boxes: a stay belongs to the port of the nearest. */
export const stayPoints = (reference: readonly Port[], boxes: readonly PortBox[]): PortPoint[] => [
  ...assignablePorts(reference, boxes),
  ...terminalPoints(approachesAround(boxes)),
];

export const stayPorts = (reference: readonly Port[], boxes: readonly PortBox[]): NearestPort =>
  nearestPort(stayPoints(reference, boxes));

// Where public documents say that vessels of a port anchor and pilots board, and how far that is from the port's point.

/** A ground that a document reports; `known-grounds.json` has those that neither the law nor an approach defines. */
export interface ReportedGround {
  readonly name: string;
  /** `anchorage`: vessels lie there at anchor. `pilots`: pilots board there. */
  readonly kind: 'anchorage' | 'pilots';
  readonly ports: readonly Locode[];
  /** Corners, or the one position that is stated, latitude and longitude in degrees. */
  readonly positions: readonly (readonly number[])[];
  readonly source: string;
  readonly address: string;
  /** UTC day of the document's text, where it states one. */
  readonly asOf?: string;
  readonly read: string;
  /** Why no vessel there needs to count for the ports; for a ground out of their reach. */
  readonly outOfReach?: string;
}

export const REPORTED_GROUNDS = reportedGrounds as readonly ReportedGround[];

/** The ports without a known ground, and what was searched for each. */
export const GROUNDS_NOT_FOUND: typeof notFound & {
  /** What was found instead, by port. */
  readonly remarks: Readonly<Partial<Record<Locode, string>>>;
} = notFound;

export interface KnownGround
  extends Pick<ReportedGround, 'name' | 'kind' | 'source' | 'outOfReach'>,
    Partial<Pick<ReportedGround, 'address'>> {
  /** UTC day of the document's text, or on which it was read. */
  readonly asOf: string;
  /** Nautical miles from the port's point to its nearest and its farthest corner. */
  readonly nearestMiles: number;
  readonly farthestMiles: number;
  /** Whether a vessel waiting anywhere in it is received, and counts for this port or one that shares the ground. */
  readonly isReached: boolean;
}

interface Ground extends Omit<KnownGround, 'nearestMiles' | 'farthestMiles' | 'isReached'> {
  readonly ports: readonly Locode[];
  /** In 1e-5 degrees. */
  readonly corners: readonly Position[];
}

/** Returns the middle of the corners and points halfway to each, not the corners: neighbouring roadsteads share their borders. */
function insidePoints(corners: readonly Position[]): Position[] {
  const middleOf = (values: readonly number[]): number => Math.round(mean(values));
  const middle = {
    latitude: middleOf(corners.map(({ latitude }) => latitude)),
    longitude: middleOf(corners.map(({ longitude }) => longitude)),
  };
  const halfway = ({ latitude, longitude }: Position): Position => ({
    latitude: middleOf([latitude, middle.latitude]),
    longitude: middleOf([longitude, middle.longitude]),
  });
  return [middle, ...corners.map(halfway)];
}

const corner = ([latitude = 0, longitude = 0]: readonly number[]): Position => ({
  latitude: fixedDegrees(latitude),
  longitude: fixedDegrees(longitude),
});

function grounds(port: Locode): Ground[] {
  const areas = ANCHORAGE_AREAS.filter(({ ports }) => ports.includes(port)).map(
    ({ section, corners, ...area }): Ground => ({
      ...area,
      kind: 'anchorage',
      source: section,
      corners: corners.map(corner),
    }),
  );
  const reported = REPORTED_GROUNDS.filter(({ ports }) => ports.includes(port)).map(
    ({ positions, asOf, read, ...ground }): Ground => ({
      ...ground,
      asOf: asOf ?? read,
      corners: positions.map(corner),
    }),
  );
  /** An approach drawn around reported grounds has their name, or a prefix of their names. */
  const isDrawn = (name: string): boolean => reported.some((ground) => ground.name.startsWith(name));
  const roads = approachesTo([port])
    .filter(({ kind, name }) => kind === 'roadstead' && !isDrawn(name))
    .map(({ name, source, reviewed, ports, south, west, north, east }): Ground => {
      const corners = [
        [south, west],
        [south, east],
        [north, east],
        [north, west],
      ];
      return { name, kind: 'anchorage', source, asOf: reviewed, ports, corners: corners.map(corner) };
    });
  return [...areas, ...roads, ...reported];
}

const assigned = new WeakMap<readonly PortBox[], NearestPort>();
function nearestIn(boxes: readonly PortBox[]): NearestPort {
  const known = assigned.get(boxes) ?? stayPorts(PORTS, boxes);
  assigned.set(boxes, known);
  return known;
}

/** Returns the known anchorages and pilot grounds of a port. Positions are read in the boxes and in `more` areas. */
export function knownGrounds(
  port: Locode,
  boxes: readonly PortBox[],
  more: readonly Area[] = [],
): KnownGround[] {
  const point = findPort(port);
  if (point === undefined) return [];
  const approaches = approachesTo(boxes.flatMap(({ ports }) => ports));
  const nearest = nearestIn(boxes);
  return grounds(port).map(({ ports, corners, ...ground }) => {
    const miles = corners.map(
      ({ latitude, longitude }) =>
        metresBetween(fixedDegrees(point.latitude), fixedDegrees(point.longitude), latitude, longitude) /
        NAUTICAL_MILE,
    );
    const isReached = insidePoints(corners).every((position) => {
      if (![...boxes, ...more].some((area) => isInside(area, position))) return false;
      if (portsBehind(approaches, position.latitude, position.longitude).includes(port)) return true;
      const found = nearest.within(position.latitude, position.longitude, MAX_PORT_METRES);
      return found !== undefined && (found === port || ports.includes(found));
    });
    return { ...ground, nearestMiles: Math.min(...miles), farthestMiles: Math.max(...miles), isReached };
  });
}
