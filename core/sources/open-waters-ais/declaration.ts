/** The declaration of the Open Waters feed: licence, schedule, ports and limits. */
import { approachesTo } from '../../positions/port-areas.ts';
import type { Locode } from '../../reference/codes.ts';
import type { Approach, Area, PortBox } from '../../reference/port-boxes.ts';
import { fieldsOf, ISO_TIME } from '../../upstream/fields.ts';
import { MEGABYTE, type SourceDeclaration, type SourceFeed } from '../../upstream/source.ts';
import boxes from './port-boxes.json' with { type: 'json' };

// The ports whose positions are fetched, and the boxes around them. Made by `npm run study -- port-boxes`.

export const PORT_BOXES: readonly PortBox[] = boxes;

export const OPEN_WATERS_PORTS: readonly Locode[] = PORT_BOXES.flatMap(({ ports }) => ports).sort();

/** Areas outside the boxes where vessels for these ports lie. */
export const PORT_APPROACHES: readonly Approach[] = approachesTo(OPEN_WATERS_PORTS);

/** All areas of a poll: the boxes first, in their order. */
export const POLLED_AREAS: readonly (PortBox | Approach)[] = [...PORT_BOXES, ...PORT_APPROACHES];

/** Busy around the clock: when nothing is received at any of these, the upstream has an outage. */
export const CANARY_PORTS: readonly Locode[] = ['NLRTM', 'JPYOK'];

const findArea = ({ south, west, north, east }: Area): number => (north - south) * (east - west);

/** The areas of each request, at most `degrees` square degrees together. */
export function planRequests(all: readonly Area[], degrees: number): Area[][] {
  const requests: Area[][] = [];
  let area = Number.POSITIVE_INFINITY;
  for (const box of all) {
    area += findArea(box);
    if (area > degrees) {
      requests.push([]);
      area = findArea(box);
    }
    requests.at(-1)?.push(box);
  }
  return requests;
}

/** Every row is of one of these; its own `source`, the name of the feed unless stated, decides which terms apply to it. */
const FEEDS: readonly (SourceFeed & { readonly source?: RegExp })[] = [
  {
    name: 'aishub',
    credit: 'AISHub',
    licence: 'permission of AISHub to Open Waters for commercial use and redistribution, revocable',
  },
  { name: 'kystverket', credit: 'Kystverket', licence: 'NLOD' },
  { name: 'barentswatch', credit: 'data delivered by BarentsWatch', licence: 'NLOD' },
  { name: 'digitraffic', credit: 'Fintraffic / digitraffic.fi', licence: 'CC BY 4.0' },
  { name: 'euris', credit: 'EuRIS (eurisportal.eu)', licence: 'not stated; with attribution' },
  { name: 'aisstream', credit: 'aisstream.io', licence: 'not stated: aisstream.io publishes none' },
  // The receiver of a volunteer, by how it connects.
  {
    name: 'volunteers',
    source: /^(?:http|udp|v1|mmsi):/,
    credit: 'volunteers',
    licence: 'CC0 for each row, ODbL for all together',
  },
  { name: 'unnamed', source: /^$/, licence: 'not stated: rows that name no feed are of Open Waters itself' },
];

/** Name of the feed of a row, by its `source`; `others` for a feed that the attribution lacks. */
export const findFeed = (text: string): string =>
  FEEDS.find(({ name, source }) => (source ? source.test(text) : name === text))?.name ?? 'others';

export const openWatersAisDeclaration: SourceDeclaration = {
  id: 'open-waters-ais',
  name: 'AIS positions around ports',
  publisher: 'Open Waters',
  homepage: 'https://openwaters.io',
  licence: `by row: ${FEEDS.map(({ name, licence }) => `${name}: ${licence}`).join('; ')}; the hosted service asks commercial users to arrange with it`,
  attribution: `AIS data: Open Waters (openwaters.io), ${FEEDS.flatMap(({ credit }) => credit ?? []).join(', ')}`,
  feeds: [
    ...FEEDS.map(({ source, ...feed }) => feed),
    { name: 'others', licence: 'unknown: feeds that this version does not know; they are reported' },
  ],
  // Writes are most of its cost, and docs/ais-accuracy.md has what the longer interval loses.
  everyMinutes: 15,
  freshnessBudgetMinutes: 45,
  kind: 'polls',
  boxes: PORT_BOXES,
  approaches: PORT_APPROACHES,
  ports: OPEN_WATERS_PORTS,
  hosts: ['ais.openwaters.io'],
  coverage: {
    since: 'first poll',
    delay: 'at most 30 minutes old',
    unknown: [
      'Which of these ports the receivers reach. They are on shore, and a famous port can be out of their range.',
      'How old positions are when they are polled, and how many vessels have no type and therefore do not count.',
      'How often the feed is silent, unhealthy or truncated.',
      'Waits beyond the areas below, such as those at the Kerch Strait for Rostov-na-Donu: they are not seen. Before the Panama Canal a wait may be for the canal, and off Samarinda and Banjarmasin it may be loading at anchor.',
    ],
  },
  maxReplyBytes: 32 * MEGABYTE,
  maxRows: 1_000_000,
  fields: [
    ...fieldsOf('features', { geometry: 'GeoJSON point, longitude first; null without a position' }),
    ...fieldsOf(
      'properties of features',
      { mmsi: 'MMSI', seen: ISO_TIME.form },
      {
        sog: 'knots',
        heading: 'degrees',
        nav_status: 'AIS code',
        type: 'AIS code',
        imo: 'IMO number',
        source: 'name of a feed',
      },
    ),
  ],
};
