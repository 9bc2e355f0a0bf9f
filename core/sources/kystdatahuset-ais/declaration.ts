/** The declaration of the Norwegian snapshots of positions: licence, schedule, ports and limits. */
import type { SourceDeclaration } from '../source.ts';
import { NORWEGIAN_BOXES, NORWEGIAN_PORTS } from './ports.ts';

const MEGABYTE = 1_000_000;

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
  partitionedBy: 'whole',
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
  largestReplyBytes: 32 * MEGABYTE,
};
