/** The service on one machine with the sample in it: what the tests of the setup run against. */
import { SAMPLE_INGEST } from '../../local/data-mode.ts';
import { startLocalService } from '../../local/local-service.ts';
import { SAMPLE_NOW } from './service.ts';

export interface RunningService {
  readonly url: string;
  /** Settles when the sample is in the tables. */
  readonly filled: Promise<unknown>;
  close(): Promise<void>;
}

/** Starts, and begins one pass of the sample. */
export async function startSampleService(): Promise<RunningService> {
  const service = await startLocalService({
    clock: () => SAMPLE_NOW,
    environment: { LIMITER_DEADLINE_MS: '10000' },
    ingest: SAMPLE_INGEST,
  });
  const filled = Promise.resolve(service.ingest?.({ source: 'sample-simulator' }));
  return { url: service.url, filled, close: () => service.close() };
}
