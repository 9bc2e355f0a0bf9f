/** The ports whose positions are fetched, and the boxes around them. Made by `npm run build-ais-ports`. */
import type { PortBox } from '../../ais/port-boxes.ts';
import type { Locode } from '../../reference/locode.ts';
import boxes from './port-boxes.json' with { type: 'json' };

export const PORT_BOXES: readonly PortBox[] = boxes;

export const OPEN_WATERS_PORTS: readonly Locode[] = PORT_BOXES.flatMap(({ ports }) => ports).sort();

/** Busy around the clock: when nothing is received at any of these, the upstream has an outage. */
export const CANARY_PORTS: readonly Locode[] = ['NLRTM', 'JPYOK'];

const areaOf = ({ south, west, north, east }: PortBox): number => (north - south) * (east - west);

/** The boxes of each request, at most `degrees` square degrees together. */
export function requestsOf(all: readonly PortBox[], degrees: number): PortBox[][] {
  const requests: PortBox[][] = [];
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
