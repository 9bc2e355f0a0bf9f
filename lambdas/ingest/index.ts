/** The ingest function with the deployed sources. */
import { randomUUID } from 'node:crypto';
import { createBackFill } from '../../core/ingest/back-fill.ts';
import { createPass } from '../../core/ingest/pass.ts';
import { createPassRecorder } from '../../core/ingest/telemetry.ts';
import { sourcesFor } from '../../core/sources/load-sources.ts';
import { openIngestDependencies } from './dependencies.ts';
import { createIngest } from './ingest.ts';

const dependencies = openIngestDependencies(process.env, process.env.LEASE_OWNER ?? randomUUID());

const ingest = sourcesFor(process.env).then((sources) =>
  createIngest({
    sources,
    pass: createPass(dependencies),
    backFill: createBackFill(dependencies),
    record: createPassRecorder(),
    now: dependencies.now,
  }),
);

export const handler: Awaited<typeof ingest> = async (event, context) => (await ingest)(event, context);
