/** The anchorages of a port that a public document describes, and how far they lie from the port's point. */

import { fixedDegrees, metresBetween } from '../../ais/fix.ts';
import {
  ANCHORAGE_AREAS,
  type Area,
  approachesOf,
  isInside,
  MAX_PORT_METRES,
  NAUTICAL_MILE,
  type NearestPort,
  type PortBox,
  portsBehind,
  stayPorts,
} from '../../ais/port-areas.ts';
import type { Locode } from '../../reference/locode.ts';
import { findPort, PORTS } from '../../reference/ports.ts';

export interface KnownAnchorage {
  readonly name: string;
  /** The document that describes it. */
  readonly source: string;
  /** UTC day of the document's text, or on which it was read. */
  readonly asOf: string;
  /** Nautical miles from the port's point to its nearest and its farthest corner. */
  readonly nearestMiles: number;
  readonly farthestMiles: number;
  /** Whether a vessel waiting anywhere in it is received, and counts for this port or one that shares the anchorage. */
  readonly isReached: boolean;
}

interface Ground {
  readonly name: string;
  readonly source: string;
  readonly asOf: string;
  readonly ports: readonly Locode[];
  /** In 1e-5 degrees. */
  readonly corners: readonly Position[];
}

interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** The middle of the corners, and points halfway to each: roadsteads of neighbouring ports share their borders. */
function insidePoints(corners: readonly Position[]): Position[] {
  const mean = (values: readonly number[]): number =>
    Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
  const middle = {
    latitude: mean(corners.map(({ latitude }) => latitude)),
    longitude: mean(corners.map(({ longitude }) => longitude)),
  };
  const halfway = ({ latitude, longitude }: Position): Position => ({
    latitude: mean([latitude, middle.latitude]),
    longitude: mean([longitude, middle.longitude]),
  });
  return [middle, ...corners.map(halfway)];
}

const cornerOf = ([latitude = 0, longitude = 0]: readonly number[]): Position => ({
  latitude: fixedDegrees(latitude),
  longitude: fixedDegrees(longitude),
});

function groundsOf(port: Locode): Ground[] {
  const areas = ANCHORAGE_AREAS.filter(({ ports }) => ports.includes(port)).map(
    ({ name, section, asOf, ports, corners }): Ground => ({
      name,
      source: section,
      asOf,
      ports,
      corners: corners.map(cornerOf),
    }),
  );
  const roads = approachesOf([port])
    .filter(({ kind }) => kind === 'roadstead')
    .map(({ name, source, reviewed, ports, south, west, north, east }): Ground => {
      const corners = [
        [south, west],
        [south, east],
        [north, east],
        [north, west],
      ];
      return { name, source, asOf: reviewed, ports, corners: corners.map(cornerOf) };
    });
  return [...areas, ...roads];
}

const assigned = new WeakMap<readonly PortBox[], NearestPort>();
function nearestIn(boxes: readonly PortBox[]): NearestPort {
  const known = assigned.get(boxes) ?? stayPorts(PORTS, boxes);
  assigned.set(boxes, known);
  return known;
}

/**
 * The anchorages known of a port; empty where no public document with coordinates was found. Positions are read in the
 * boxes and in `more` areas.
 */
export function knownAnchorages(
  port: Locode,
  boxes: readonly PortBox[],
  more: readonly Area[] = [],
): KnownAnchorage[] {
  const point = findPort(port);
  if (point === undefined) return [];
  const approaches = approachesOf(boxes.flatMap(({ ports }) => ports));
  const nearest = nearestIn(boxes);
  return groundsOf(port).map(({ name, source, asOf, ports, corners }) => {
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
    return {
      name,
      source,
      asOf,
      nearestMiles: Math.min(...miles),
      farthestMiles: Math.max(...miles),
      isReached,
    };
  });
}
