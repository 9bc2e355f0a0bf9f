/** The Norwegian ports that snapshots are read for. `port-boxes.json` is made by `npm run build-ais-ports`. */
import type { Area, PortBox } from '../../ais/port-areas.ts';
import type { Locode } from '../../reference/locode.ts';
import boxes from './port-boxes.json' with { type: 'json' };

export const NORWEGIAN_BOXES: readonly PortBox[] = boxes;

export const NORWEGIAN_PORTS: readonly Locode[] = NORWEGIAN_BOXES.flatMap(({ ports }) => ports).sort();

/** The North Sea to Svalbard and the Barents Sea: vessels of a snapshot are here, most of them outside the boxes. */
export const NORWEGIAN_WATERS: Area = { south: 53, west: -20, north: 85, east: 45 };

/** Busy around the clock: when nothing is received at any of these, the upstream has an outage. */
export const CANARY_PORTS: readonly Locode[] = ['NOBGO', 'NOOSL'];
