/** The declaration of MPA's OCEANS-X: licence, schedule, ports and limits. */
import type { SourceDeclaration } from '../../upstream/source.ts';

const MEGABYTE = 1_000_000;

export const mpaSingaporeDeclaration: SourceDeclaration = {
  id: 'mpa-singapore',
  name: 'OCEANS-X vessel arrivals, departures and movements',
  publisher: 'Maritime and Port Authority of Singapore (MPA)',
  homepage: 'https://oceans-x.mpa.gov.sg',
  licence:
    'terms of OCEANS-X registration, which the owner of the key accepts; read them before you publish figures',
  attribution: 'Maritime and Port Authority of Singapore, OCEANS-X',
  everyMinutes: 60,
  freshnessBudgetMinutes: 360,
  kind: 'events',
  partitionedBy: 'whole',
  ports: ['SGSIN'],
  hosts: ['oceans-x.mpa.gov.sg'],
  maxReplyBytes: 32 * MEGABYTE,
  maxRows: 200_000,
  fields: [],
  secret: 'MPA_API_KEY',
  coverage: { since: 'first fetch', delay: 'at most an hour old' },
};
