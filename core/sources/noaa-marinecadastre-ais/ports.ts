/** The US ports that NOAA's day files are read for, by coast. `port-boxes.json` is made by `npm run build-ais-ports`. */
import type { PortBox } from '../../ais/port-areas.ts';
import type { Locode } from '../../reference/locode.ts';
import boxes from './port-boxes.json' with { type: 'json' };

export const NOAA_BOXES: readonly PortBox[] = boxes;

/** Degrees: the Rocky Mountains, the north of the Gulf of Mexico, and the west of the Gulf of Maine. */
const [WEST_OF_PLAINS, NORTH_OF_GULF, EAST_OF_LAKES, SOUTH_OF_LAKES] = [-105, 31, -77, 41.2];

function regionOf({ north, south, west, east }: PortBox): string {
  const [latitude, longitude] = [(north + south) / 2, (west + east) / 2];
  if (longitude < WEST_OF_PLAINS) return 'us-pacific';
  if (latitude > SOUTH_OF_LAKES && longitude < EAST_OF_LAKES) return 'us-great-lakes';
  // Peninsular Florida parts the Gulf from the Atlantic.
  return latitude < NORTH_OF_GULF && longitude < -82 ? 'us-gulf' : 'us-atlantic';
}

const REGIONS = ['us-atlantic', 'us-great-lakes', 'us-gulf', 'us-pacific'] as const;

/** Boxes of each region; ports of different regions are too far apart for a call of one to be a call of another. */
export const NOAA_REGIONS: Readonly<Record<string, readonly PortBox[]>> = Object.fromEntries(
  REGIONS.map((region) => [region, NOAA_BOXES.filter((box) => regionOf(box) === region)]),
);

const portsOf = (all: readonly PortBox[]): Locode[] => all.flatMap(({ ports }) => ports).sort();

export const NOAA_REGION_PORTS: Readonly<Record<string, readonly Locode[]>> = Object.fromEntries(
  Object.entries(NOAA_REGIONS).map(([region, of]) => [region, portsOf(of)]),
);

export const NOAA_PORTS: readonly Locode[] = portsOf(NOAA_BOXES);
