/** Wiring of the ingest with the sources of a deployment. */
import { randomUUID } from 'node:crypto';
import { createBackFill } from '../../core/ingest/back-fill.ts';
import { createPass } from '../../core/ingest/pass.ts';
import { createPassRecord } from '../../core/ingest/record.ts';
import { DEPLOYED_SOURCES } from '../../core/sources/registry.ts';
import { openIngestDependencies } from './dependencies.ts';
import { createIngest } from './ingest.ts';

const parts = openIngestDependencies(process.env, process.env.LEASE_OWNER ?? randomUUID());

export const handler = createIngest({
  sources: DEPLOYED_SOURCES,
  pass: createPass(parts),
  backFill: createBackFill(parts),
  record: createPassRecord(),
  now: parts.now,
});
