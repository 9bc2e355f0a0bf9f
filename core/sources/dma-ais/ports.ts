/** The Danish ports that day files are read for. `port-boxes.json` is made by `npm run build-ais-ports`. */
import type { PortBox } from '../../ais/port-areas.ts';
import type { Locode } from '../../reference/locode.ts';
import boxes from './port-boxes.json' with { type: 'json' };

export const DANISH_BOXES: readonly PortBox[] = boxes;

/** One region: its ports are so near to one another that the calls of one may be the waits of another. */
export const DANISH_REGIONS: Readonly<Record<string, readonly PortBox[]>> = { denmark: DANISH_BOXES };

export const DANISH_PORTS: readonly Locode[] = DANISH_BOXES.flatMap(({ ports }) => ports).sort();
