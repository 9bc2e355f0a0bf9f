/** The declaration of the Open Waters feed: licence, schedule, ports and limits. */
import type { SourceDeclaration } from '../source.ts';
import { OPEN_WATERS_PORTS, PORT_APPROACHES, PORT_BOXES } from './ports.ts';

/** A feed that the publisher merges, as the `source` of a row names it, and what it asks to be credited as. */
interface Feed {
  readonly source: RegExp;
  readonly credit: string;
}

/** Every row is of one of these; its own `source` decides which terms apply to it. */
const FEEDS: readonly Feed[] = [
  { source: /^aishub$/, credit: 'AISHub' },
  { source: /^kystverket$/, credit: 'Kystverket' },
  { source: /^barentswatch$/, credit: 'data delivered by BarentsWatch' },
  { source: /^digitraffic$/, credit: 'Fintraffic / digitraffic.fi' },
  { source: /^euris$/, credit: 'EuRIS (eurisportal.eu)' },
  { source: /^aisstream$/, credit: 'aisstream.io' },
  // The receiver of a volunteer, by how it connects.
  { source: /^(?:http|udp|v1|mmsi):/, credit: 'volunteers' },
];

/** Whether the declaration credits the feed that a row names; a row that names none is of the publisher. */
export const isCredited = (source: string): boolean =>
  source === '' || FEEDS.some((feed) => feed.source.test(source));

const MEGABYTE = 1_000_000;

export const openWatersAisDeclaration: SourceDeclaration = {
  id: 'open-waters-ais',
  name: 'AIS positions around ports',
  publisher: 'Open Waters',
  homepage: 'https://openwaters.io',
  licence:
    'by row: NLOD (Kystverket, BarentsWatch), CC BY 4.0 (Fintraffic), CC0 and ODbL (volunteers), AISHub with its ' +
    'permission to Open Waters for commercial use and redistribution, EuRIS with its attribution; aisstream.io ' +
    'publishes no licence of its data; the hosted service asks commercial users to arrange with it',
  attribution: `AIS data: Open Waters (openwaters.io), ${FEEDS.map(({ credit }) => credit).join(', ')}`,
  // No recorded reply has been read yet.
  experimental: true,
  everyMinutes: 5,
  freshnessBudgetMinutes: 20,
  kind: 'polls',
  boxes: PORT_BOXES,
  approaches: PORT_APPROACHES,
  partitionedBy: 'whole',
  ports: OPEN_WATERS_PORTS,
  hosts: ['ais.openwaters.io'],
  coverage: {
    since: 'first poll',
    delay: 'at most 20 minutes old',
    unknown: [
      'Which of these ports the receivers reach. They are on shore, and a famous port can be out of their range.',
      'How old positions are when they are polled, and how many vessels have no type and therefore do not count.',
      'How often the feed is silent, unhealthy or truncated.',
      'Waits beyond the areas below, such as those at the Kerch Strait for Rostov-na-Donu: they are not seen. Before the Panama Canal a wait may be for the canal, and off Samarinda and Banjarmasin it may be loading at anchor.',
    ],
  },
  largestReplyBytes: 32 * MEGABYTE,
};
