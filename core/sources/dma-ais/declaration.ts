/** The declaration of the Danish day files of positions: licence, schedule, ports and limits. */

import type { Locode } from '../../reference/codes.ts';
import type { PortBox } from '../../reference/port-boxes.ts';
import { DECIMAL, fieldsOf } from '../../upstream/fields.ts';
import { MEGABYTE, type SourceDeclaration } from '../../upstream/source.ts';
import boxes from './port-boxes.json' with { type: 'json' };

// The Danish ports that day files are read for. `port-boxes.json` is made by `npm run study -- port-boxes`.

const DANISH_BOXES: readonly PortBox[] = boxes;

/** One region: its ports are so near to one another that the calls of one may be the waits of another. */
export const DANISH_REGIONS: Readonly<Record<string, readonly PortBox[]>> = { denmark: DANISH_BOXES };

const DANISH_PORTS: readonly Locode[] = DANISH_BOXES.flatMap(({ ports }) => ports).sort();

const HOUR_MINUTES = 60;
export const dmaAisDeclaration: SourceDeclaration = {
  id: 'dma-ais',
  name: 'AIS positions of Danish waters, by day',
  publisher: 'Danish Maritime Authority',
  homepage: 'https://www.dma.dk/safety-at-sea/navigational-information/ais-data',
  licence: 'conditions for the use of Danish public data: free reuse, also commercial, with acknowledgement',
  attribution:
    'Contains data from the Danish Maritime Authority that is used in accordance with the conditions for the use of Danish public data',
  passesOnCalls: true,
  everyMinutes: 12 * HOUR_MINUTES,
  freshnessBudgetMinutes: 48 * HOUR_MINUTES,
  kind: 'events',
  boxes: DANISH_BOXES,
  regions: { denmark: DANISH_PORTS },
  ports: DANISH_PORTS,
  hosts: ['s3.eu-central-1.amazonaws.com'],
  coverage: {
    since: '1 March 2024, by back-fill',
    delay: 'about three days old',
    notes: { snapshot: 'as of the end of the newest day that is published' },
    unknown: [
      'Whether a file is as the publisher documents it: no row of one has been read.',
      'How many vessels have no type and therefore do not count.',
    ],
  },
  // The listing of a year; day files are read as they stream.
  maxReplyBytes: 8 * MEGABYTE,
  maxRows: 10_000,
  fields: fieldsOf(
    'day file',
    {
      MMSI: 'MMSI',
      '# Timestamp': 'time "DD/MM/YYYY HH:mm:ss", UTC',
      Latitude: DECIMAL.form,
      Longitude: DECIMAL.form,
    },
    {
      SOG: 'knots',
      Heading: 'degrees',
      'Navigational status': 'words',
      'Ship type': 'words',
      IMO: 'IMO number',
    },
  ),
};
