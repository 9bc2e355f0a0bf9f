/** The declaration of NOAA's day files of positions: licence, schedule, ports and limits. */
import type { SourceDeclaration } from '../source.ts';
import { NOAA_BOXES, NOAA_PORTS, NOAA_REGION_PORTS } from './ports.ts';

const HOUR_MINUTES = 60;
const MEGABYTE = 1_000_000;
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
  partitionedBy: 'region',
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
  largestReplyBytes: 8 * MEGABYTE,
};
