/** The ingest function with a seeded simulator instead of the deployed sources. Built for the local service only. */
import { createBackFill } from '../../core/ingest/back-fill.ts';
import { createPass } from '../../core/ingest/pass.ts';
import { createPassRecorder } from '../../core/ingest/telemetry.ts';
import { addDays, dayOf } from '../../core/reference/time.ts';
import { createSampleSource, HISTORY_DAYS } from '../../core/sources/sample-simulator/sample-source.ts';
import { openIngestDependencies } from '../../lambdas/ingest/dependencies.ts';
import { createIngest } from '../../lambdas/ingest/ingest.ts';

/** The same for every reader, so that the output in the README can be reproduced. */
const SEED = 20_260_101;

const dependencies = openIngestDependencies(process.env, process.env.LEASE_OWNER ?? 'sample');

const source = createSampleSource({
  seed: SEED,
  // The simulation starts with the data folder's first fetch, and later fetches must continue it.
  firstDay: async () => {
    const [firstAt] = await dependencies.archive.fetches(
      'sample-simulator',
      undefined,
      Number.MAX_SAFE_INTEGER,
    );
    return firstAt === undefined ? undefined : addDays(dayOf(firstAt), -HISTORY_DAYS);
  },
});

export const handler = createIngest({
  sources: [source],
  pass: createPass(dependencies),
  backFill: createBackFill(dependencies),
  record: createPassRecorder(),
  now: dependencies.now,
});
