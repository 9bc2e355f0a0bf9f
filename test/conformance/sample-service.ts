/** The service on one machine with the sample in it: what the tests of the setup run against. */
import { fileURLToPath } from 'node:url';
import { synthesize } from '../../lib/application.ts';
import { startLocalService } from '../../local/service/local-service.ts';
import { SAMPLE_NOW } from './service.ts';

const SAMPLE_INGEST = fileURLToPath(new URL('../../dist/local/sample-ingest/index.cjs', import.meta.url));
export const ASSEMBLY = fileURLToPath(new URL('../../dist/test-assembly', import.meta.url));

export interface RunningService {
  readonly url: string;
  /** Settles when the sample is in the tables. */
  readonly filled: Promise<unknown>;
  close(): Promise<void>;
}

/** Synthesizes, starts, and begins one pass of the sample. */
export async function startSampleService(): Promise<RunningService> {
  synthesize({ outdir: ASSEMBLY, stage: 'dev' });
  const service = await startLocalService({
    assembly: ASSEMBLY,
    clock: () => SAMPLE_NOW,
    environment: { LIMITER_DEADLINE_MS: '10000' },
    ingest: { sources: ['sample-simulator'], bundle: SAMPLE_INGEST },
  });
  const filled = Promise.resolve(service.ingest?.({ source: 'sample-simulator' }));
  return { url: service.url, filled, close: () => service.close() };
}
