/** The declaration of the sample source. */
import type { SourceDeclaration } from '../../upstream/source.ts';

export const SAMPLE_DECLARATION: SourceDeclaration = {
  id: 'sample-simulator',
  name: 'Sample simulator',
  publisher: 'Port Congestion Data Service',
  licence: 'none needed: every figure is made up',
  attribution: 'Simulated data for trying the service out. No vessel, call or trade value in it is real.',
  passesOnCalls: true,
  everyMinutes: 20,
  freshnessBudgetMinutes: 60,
  // Its import series are part of the same source, so that the sample is one line in the list of sources.
  kind: 'events',
  ports: ['USLAX', 'SGSIN', 'NLRTM', 'HKHKG', 'FIHEL'],
  hosts: [],
  maxReplyBytes: 16 * 1024 * 1024,
  maxRows: 1_000_000,
  fields: [],
};
