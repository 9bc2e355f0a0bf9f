/** The declaration of NOAA's day files of positions: licence, schedule, ports and limits. */
import { approachesTo } from '../../positions/port-areas.ts';
import type { Locode } from '../../reference/codes.ts';
import type { PortBox } from '../../reference/port-boxes.ts';
import { DECIMAL, fieldsOf } from '../../upstream/fields.ts';
import { MEGABYTE, type SourceDeclaration } from '../../upstream/source.ts';
import boxes from './port-boxes.json' with { type: 'json' };

// The US ports that NOAA's day files are read for, by coast. `port-boxes.json` is made by `npm run study -- port-boxes`.

const NOAA_BOXES: readonly PortBox[] = boxes;

/** Degrees: the Rocky Mountains, the north of the Gulf of Mexico, and the west of the Gulf of Maine. */
const [WEST_OF_PLAINS, NORTH_OF_GULF, EAST_OF_LAKES, SOUTH_OF_LAKES] = [-105, 31, -77, 41.2];

function findRegion({ north, south, west, east }: PortBox): string {
  const [latitude, longitude] = [(north + south) / 2, (west + east) / 2];
  if (longitude < WEST_OF_PLAINS) return 'us-pacific';
  if (latitude > SOUTH_OF_LAKES && longitude < EAST_OF_LAKES) return 'us-great-lakes';
  // Peninsular Florida parts the Gulf from the Atlantic.
  return latitude < NORTH_OF_GULF && longitude < -82 ? 'us-gulf' : 'us-atlantic';
}

const REGIONS = ['us-atlantic', 'us-great-lakes', 'us-gulf', 'us-pacific'] as const;

/** Boxes of each region; ports of different regions are too far apart for a call of one to be a call of another. */
export const NOAA_REGIONS: Readonly<Record<string, readonly PortBox[]>> = Object.fromEntries(
  REGIONS.map((region) => [region, NOAA_BOXES.filter((box) => findRegion(box) === region)]),
);

const listPorts = (all: readonly PortBox[]): Locode[] => all.flatMap(({ ports }) => ports).sort();

const NOAA_REGION_PORTS: Readonly<Record<string, readonly Locode[]>> = Object.fromEntries(
  Object.entries(NOAA_REGIONS).map(([region, of]) => [region, listPorts(of)]),
);

const NOAA_PORTS: readonly Locode[] = listPorts(NOAA_BOXES);

const HOUR_MINUTES = 60;
const LATE = 'with `until`, because the data end months ago';

export const noaaMarinecadastreAisDeclaration: SourceDeclaration = {
  id: 'noaa-marinecadastre-ais',
  name: 'AIS positions of United States waters, by day',
  publisher: 'NOAA Office for Coastal Management, MarineCadastre.gov',
  homepage: 'https://hub.marinecadastre.gov/pages/vesseltraffic',
  licence: 'CC0 1.0; United States Government work, public domain',
  attribution:
    'AIS data: MarineCadastre.gov, NOAA Office for Coastal Management and U.S. Coast Guard Navigation Center',
  passesOnCalls: true,
  everyMinutes: 6 * HOUR_MINUTES,
  freshnessBudgetMinutes: 48 * HOUR_MINUTES,
  kind: 'events',
  boxes: NOAA_BOXES,
  approaches: approachesTo(NOAA_PORTS),
  regions: NOAA_REGION_PORTS,
  ports: NOAA_PORTS,
  hosts: ['noaaocm.blob.core.windows.net'],
  coverage: {
    since: '2015, by back-fill',
    delay: 'two to five months old',
    notes: {
      snapshot: 'as of the end of the newest day that NOAA has published',
      trend: LATE,
      alerts: LATE,
    },
    unknown: [
      'Whether the rows of a whole day are in order of time: the heads of three days have been read, and they are, within ten seconds.',
      'How many vessels have no type and therefore do not count.',
      'How far from the shore receivers receive the anchorages of each port.',
    ],
  },
  // The listing of a year; day files are read as they stream.
  maxReplyBytes: 8 * MEGABYTE,
  maxRows: 10_000,
  fields: fieldsOf(
    'day file',
    {
      'MMSI or mmsi': 'MMSI',
      'BaseDateTime or base_date_time': 'time "YYYY-MM-DDTHH:mm:ss", UTC; a blank for the T',
      'LAT or latitude': DECIMAL.form,
      'LON or longitude': DECIMAL.form,
    },
    {
      'SOG or sog': 'knots',
      'Heading or heading': 'degrees',
      'Status or status': 'AIS code',
      'VesselType or vessel_type': 'AIS code',
      'IMO or imo': 'IMO number',
    },
  ),
};
