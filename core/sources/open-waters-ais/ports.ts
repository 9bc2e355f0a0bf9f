/** The ports whose positions are fetched, and the boxes around them. Made by `npm run build-ais-ports`. */

import type { Area, PortBox } from '../../ais/port-areas.ts';
import { type Approach, approachesOf } from '../../ais/port-areas.ts';
import type { Locode } from '../../reference/locode.ts';
import comparedBoxes from './compared-boxes.json' with { type: 'json' };
import boxes from './port-boxes.json' with { type: 'json' };

export const PORT_BOXES: readonly PortBox[] = boxes;

export const OPEN_WATERS_PORTS: readonly Locode[] = PORT_BOXES.flatMap(({ ports }) => ports).sort();

/** Where vessels of these ports lie outside of the boxes. */
export const PORT_APPROACHES: readonly Approach[] = approachesOf(OPEN_WATERS_PORTS);

/** Ports that an authority's record serves: their waits by positions are set beside it, and never served. */
export const COMPARED_BOXES: readonly PortBox[] = comparedBoxes;

/** Everything that a poll asks for: the boxes first, in their order. */
export const POLLED_AREAS: readonly (PortBox | Approach)[] = [
  ...PORT_BOXES,
  ...COMPARED_BOXES,
  ...PORT_APPROACHES,
];

/** Busy around the clock: when nothing is received at any of these, the upstream has an outage. */
export const CANARY_PORTS: readonly Locode[] = ['NLRTM', 'JPYOK'];

const areaOf = ({ south, west, north, east }: Area): number => (north - south) * (east - west);

/** The areas of each request, at most `degrees` square degrees together. */
export function requestsOf(all: readonly Area[], degrees: number): Area[][] {
  const requests: Area[][] = [];
  let area = Number.POSITIVE_INFINITY;
  for (const box of all) {
    area += areaOf(box);
    if (area > degrees) {
      requests.push([]);
      area = areaOf(box);
    }
    requests.at(-1)?.push(box);
  }
  return requests;
}
