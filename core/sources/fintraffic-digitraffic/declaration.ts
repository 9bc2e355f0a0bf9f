/** The declaration of Fintraffic Digitraffic: licence, schedule, ports and limits. */
import type { SourceDeclaration } from '../source.ts';
import { FINNISH_PORTS } from './ports.ts';

const MEGABYTE = 1_000_000;

export const fintrafficDigitrafficDeclaration: SourceDeclaration = {
  id: 'fintraffic-digitraffic',
  name: 'Digitraffic marine port calls',
  publisher: 'Fintraffic',
  homepage: 'https://www.digitraffic.fi/en/marine-traffic/',
  licence: 'CC BY 4.0',
  attribution: 'Source: Fintraffic / digitraffic.fi, license CC 4.0 BY',
  passesOnCalls: true,
  everyMinutes: 10,
  freshnessBudgetMinutes: 120,
  kind: 'events',
  partitionedBy: 'port',
  ports: FINNISH_PORTS,
  hosts: ['meri.digitraffic.fi'],
  coverage: {
    since: 'first fetch less 60 days',
    delay: 'minutes after the agent reports',
    notes: { waits: 'a lower bound: short stays at anchor are reported incompletely' },
  },
  largestReplyBytes: 32 * MEGABYTE,
};
