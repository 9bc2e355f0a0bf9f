/** An ingest over tables and an archive of its own, at a time that the test sets. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Instant } from '../../core/reference/time.ts';
import { createFolderArchive, createFolderStates } from '../../core/store/raw-archive.ts';
import { INGEST_TABLES } from '../../core/store/tables.ts';
import type { HttpClient } from '../../core/upstream/http-client.ts';
import { ingestOver, type TestIngest } from './ingest-over.ts';
import { memoryTables } from './memory-table.ts';
import { startTestStore } from './store-tables.ts';

export type { TestIngest } from './ingest-over.ts';

export interface TestIngestOptions {
  readonly nowAt: Instant;
  /** Folder of recorded fetches; a fresh, empty one without it. */
  readonly archiveRoot?: string;
  readonly http?: HttpClient;
  readonly secret?: string;
  /** Over an embedded store, for measurements, instead of tables in memory. */
  readonly embedded?: true;
}

/**
 * Tables in memory, which `table-contract.test.ts` shows to behave as a store does; in a store where the endpoint of one
 * is given, or asked for.
 */
async function openIngestTables(embedded: boolean) {
  if (embedded || process.env.AWS_ENDPOINT_URL_DYNAMODB !== undefined) return startTestStore(INGEST_TABLES);
  return { tables: memoryTables(INGEST_TABLES), close: async () => {} };
}

export async function startTestIngest(options: TestIngestOptions): Promise<TestIngest> {
  const store = await openIngestTables(options.embedded === true);
  const own = await mkdtemp(join(tmpdir(), 'archive-'));
  const archive = createFolderArchive(options.archiveRoot ?? own, own);
  const stepsRoot = await mkdtemp(join(tmpdir(), 'positions-'));
  const steps = { calls: createFolderArchive(stepsRoot), states: createFolderStates(stepsRoot) };
  const close = async (): Promise<void> => {
    await store.close();
    await rm(stepsRoot, { recursive: true, force: true });
    await rm(own, { recursive: true, force: true });
  };
  return ingestOver(
    { tables: store.tables, archive, steps, close },
    { ...options, ask: options.archiveRoot === undefined },
  );
}
