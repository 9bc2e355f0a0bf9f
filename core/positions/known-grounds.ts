/** Where vessels of a port anchor and where pilots board, as public documents place it, and how far that is from the port's point. */

import type { Locode } from '../reference/locode.ts';
import type { Area, PortBox } from '../reference/port-boxes.ts';
import { findPort, PORTS } from '../reference/ports.ts';
import { mean } from '../reference/statistics.ts';
import notFound from './data/grounds-not-found.json' with { type: 'json' };
import reportedGrounds from './data/known-grounds.json' with { type: 'json' };
import { fixedDegrees, metresBetween, type Position } from './geometry.ts';
import {
  ANCHORAGE_AREAS,
  approachesTo,
  isInside,
  MAX_PORT_METRES,
  NAUTICAL_MILE,
  type NearestPort,
  portsBehind,
  stayPorts,
} from './port-areas.ts';

/** What a document says of one place; `known-grounds.json` has those that no law or approach defines. */
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

/** The middle of the corners, and points halfway to each: roadsteads of neighbouring ports share their borders. */
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

/** The known anchorages and pilot grounds of a port. Positions are read in the boxes and in `more` areas. */
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
