/** Wiring of the ingest with the sources of a deployment. */
import { randomUUID } from 'node:crypto';
import { DEPLOYED_SOURCES } from '../../core/sources/registry.ts';
import { createBackFill } from './back-fill.ts';
import { createIngest } from './ingest.ts';
import { openIngestParts } from './ingest-parts.ts';
import { createPass } from './pass.ts';
import { createPassRecord } from './record.ts';

const parts = openIngestParts(process.env, process.env.LEASE_OWNER ?? randomUUID());

export const handler = createIngest({
  sources: DEPLOYED_SOURCES,
  pass: createPass(parts),
  backFill: createBackFill(parts),
  record: createPassRecord(),
  now: parts.now,
});
