/** The service on one machine with the sample in it: what the tests of the setup run against. */
import { INGEST_TABLES } from '../../core/store/tables.ts';
import { SAMPLE_INGEST } from '../../local/data-mode.ts';
import { type LocalService, startLocalService } from '../../local/local-service.ts';
import { startMemoryIngest } from '../builders/memory-ingest.ts';
import { SAMPLE_NOW } from './service.ts';

export interface RunningService {
  readonly url: string;
  /** Settles when the sample is in the tables. */
  readonly filled: Promise<unknown>;
  close(): Promise<void>;
}

/** Nearly all rows are of calls, which no endpoint reads. */
const SERVED_TABLES = INGEST_TABLES.filter((id) => id !== 'portCalls');

/** One pass over the sample, in memory, and then what the endpoints read of it. */
async function fill({ wiring }: LocalService): Promise<void> {
  const ingest = startMemoryIngest({ nowAt: SAMPLE_NOW });
  for (const source of SAMPLE_INGEST.load?.(ingest.dependencies()) ?? []) await ingest.pass(source);
  const tables = wiring.openTables(SERVED_TABLES);
  for (const id of SERVED_TABLES) await tables[id].writeMany(await ingest.tables[id].scan());
}

/** Starts, and begins to fill its tables with the sample. */
export async function startSampleService(): Promise<RunningService> {
  const service = await startLocalService({
    clock: () => SAMPLE_NOW,
    environment: { LIMITER_DEADLINE_MS: '10000' },
  });
  return { url: service.url, filled: fill(service), close: () => service.close() };
}
