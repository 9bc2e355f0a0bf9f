/** The ports that positions are asked for, and the boxes around them. Made by `npm run build-ais-ports`. */
import type { Locode } from '../../reference/locode.ts';
import type { Port } from '../../reference/ports.ts';
import boxes from './port-boxes.json' with { type: 'json' };

/** Degrees; ports that share a roadstead share a box. */
export interface PortBox {
  readonly ports: readonly Locode[];
  /** Ports in the box that another source covers: what lies nearest to one of them is not counted here. */
  readonly neighbours: readonly Locode[];
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

export const PORT_BOXES: readonly PortBox[] = boxes;

export const OPEN_WATERS_PORTS: readonly Locode[] = PORT_BOXES.flatMap(({ ports }) => ports).sort();

/** Busy around the clock: when none of these is heard, it is the upstream that is silent. */
export const CANARY_PORTS: readonly Locode[] = ['NLRTM', 'JPYOK'];

const areaOf = ({ south, west, north, east }: PortBox): number => (north - south) * (east - west);

/** The boxes of each request: none asks for more than `degrees` square degrees. */
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

/**
 * The ports that stays are assigned to. Inside the boxes only those that are counted, here or by another source: a
 * terminal with a code of its own (Europoort) counts for the port that it is a part of.
 */
export function assignablePorts(reference: readonly Port[], all: readonly PortBox[]): Port[] {
  const counted = new Set(all.flatMap(({ ports, neighbours }) => [...ports, ...neighbours]));
  const isInside = ({ latitude, longitude }: Port): boolean =>
    all.some(
      ({ south, west, north, east }) =>
        latitude >= south && latitude <= north && longitude >= west && longitude <= east,
    );
  return reference.filter((port) => counted.has(port.locode) || !isInside(port));
}
