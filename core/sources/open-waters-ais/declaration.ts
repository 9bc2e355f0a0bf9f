/** The declaration of the Open Waters feed: licence, schedule, ports and limits. */
import type { SourceDeclaration } from '../source.ts';
import { OPEN_WATERS_PORTS, PORT_BOXES } from './ports.ts';

const MEGABYTE = 1_000_000;

export const openWatersAisDeclaration: SourceDeclaration = {
  id: 'open-waters-ais',
  name: 'AIS positions around ports',
  publisher: 'Open Waters',
  homepage: 'https://openwaters.io',
  licence:
    'by row: NLOD (Kystverket), CC BY 4.0 (Fintraffic), CC0 and ODbL (volunteers), AISHub with its permission to ' +
    'Open Waters for commercial use and redistribution; the hosted service asks commercial users to arrange with it',
  attribution:
    'AIS data: Open Waters (openwaters.io), AISHub, Kystverket, Fintraffic / digitraffic.fi and volunteers',
  // No recorded reply has been read yet.
  experimental: true,
  everyMinutes: 5,
  freshnessBudgetMinutes: 20,
  kind: 'polls',
  boxes: PORT_BOXES,
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
    ],
  },
  largestReplyBytes: 32 * MEGABYTE,
};
