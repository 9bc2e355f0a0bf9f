/** Wiring of the ingest with the sample: a seeded simulator in the place of the sources. Built for one machine only. */

import { createBackFill } from '../core/ingest/back-fill.ts';
import { createPass } from '../core/ingest/pass.ts';
import { createPassRecord } from '../core/ingest/record.ts';
import { addDays, dayOf } from '../core/reference/time.ts';
import { HISTORY_DAYS } from '../core/sources/sample-simulator/fetch.ts';
import { createSampleSource } from '../core/sources/sample-simulator/source.ts';
import { openIngestDependencies } from '../lambdas/ingest/dependencies.ts';
import { createIngest } from '../lambdas/ingest/ingest.ts';

/** The same world for everybody, so that what the README shows is what a reader sees. */
const SEED = 20_260_101;

const parts = openIngestDependencies(process.env, process.env.LEASE_OWNER ?? 'sample');

const source = createSampleSource({
  seed: SEED,
  // The world began with the data folder's first fetch and has to stay the same world.
  firstDay: async () => {
    const [firstAt] = await parts.archive.fetches('sample-simulator', undefined, Number.MAX_SAFE_INTEGER);
    return firstAt === undefined ? undefined : addDays(dayOf(firstAt), -HISTORY_DAYS);
  },
});

export const handler = createIngest({
  sources: [source],
  pass: createPass(parts),
  backFill: createBackFill(parts),
  record: createPassRecord(),
  now: parts.now,
});
