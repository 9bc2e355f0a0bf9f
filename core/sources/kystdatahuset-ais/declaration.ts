/** The declaration of the Norwegian snapshots of positions: licence, schedule, ports and limits. */

import type { Locode } from '../../reference/codes.ts';
import type { Area, PortBox } from '../../reference/port-boxes.ts';
import { fieldsOf } from '../../upstream/fields.ts';
import { MEGABYTE, type SourceDeclaration } from '../../upstream/source.ts';
import boxes from './port-boxes.json' with { type: 'json' };

// The Norwegian ports that snapshots are read for. `port-boxes.json` is made by `npm run study -- port-boxes`.

export const NORWEGIAN_BOXES: readonly PortBox[] = boxes;

export const NORWEGIAN_PORTS: readonly Locode[] = NORWEGIAN_BOXES.flatMap(({ ports }) => ports).sort();

/** The North Sea to Svalbard and the Barents Sea: vessels of a snapshot are here, most of them outside the boxes. */
export const NORWEGIAN_WATERS: Area = { south: 53, west: -20, north: 85, east: 45 };

/** Busy around the clock: when nothing is received at any of these, the upstream has an outage. */
export const CANARY_PORTS: readonly Locode[] = ['NOBGO', 'NOOSL'];

export const kystdatahusetAisDeclaration: SourceDeclaration = {
  id: 'kystdatahuset-ais',
  name: 'AIS positions of Norwegian waters',
  publisher: 'Norwegian Coastal Administration',
  homepage: 'https://kystdatahuset.kystverket.no',
  licence: 'Norwegian Licence for Open Government Data (NLOD) 2.0',
  attribution:
    'Contains data under the Norwegian licence for Open Government data (NLOD) distributed by the Norwegian Coastal Administration.',
  passesOnCalls: true,
  everyMinutes: 5,
  freshnessBudgetMinutes: 20,
  kind: 'polls',
  boxes: NORWEGIAN_BOXES,
  ports: NORWEGIAN_PORTS,
  hosts: ['kystdatahuset.kystverket.no'],
  coverage: {
    since: 'first poll, or 30 days before it by back-fill',
    delay: 'at most 20 minutes old',
    unknown: [
      'Whether a reply is as documented: none has been read, nor has one for a moment in the past.',
      'How many vessels have no type and therefore do not count.',
    ],
  },
  // A snapshot of 3,500 vessels is 3.3 MB.
  maxReplyBytes: 32 * MEGABYTE,
  maxRows: 1_000_000,
  fields: [
    ...fieldsOf('features', { geometry: 'GeoJSON point or line, longitude first' }),
    ...fieldsOf(
      'properties of features',
      { mmsi: 'MMSI', date_time_utc: 'ISO 8601, UTC where no offset is stated' },
      {
        speed: 'knots',
        true_heading: 'degrees',
        status: 'AIS code',
        ship_type: 'AIS code',
        imo: 'IMO number',
      },
    ),
  ],
};
