/** An ingest over tables and an archive of its own, at a time that the test sets. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  INGEST_TABLES,
  type IngestDependencies,
  type IngestStores,
  ingestStores,
} from '../../core/ingest/dependencies.ts';
import { createPass, type PassOutcome, type PassRequest } from '../../core/ingest/pass.ts';
import { findPort } from '../../core/reference/ports.ts';
import type { Instant } from '../../core/reference/time.ts';
import type { HttpClient } from '../../core/sources/http/http-client.ts';
import type { Source } from '../../core/sources/source.ts';
import { createFolderStates } from '../../core/store/position-states.ts';
import { createFolderArchive, type RawArchive } from '../../core/store/raw-archive.ts';
import type { Table } from '../../core/store/table.ts';
import { memoryTables } from './memory-table.ts';
import { startTestStore } from './store-tables.ts';

export type IngestTableId = (typeof INGEST_TABLES)[number];

export interface TestIngest {
  readonly tables: Readonly<Record<IngestTableId, Table>>;
  readonly stores: IngestStores;
  readonly archive: RawArchive;
  /** The clock of the service; a test sets it. */
  readonly clock: { nowAt: Instant };
  /** One pass by a process that remembers the passes before it. */
  pass(source: Source, request?: Partial<PassRequest>): Promise<PassOutcome>;
  /** Another process on the same tables and archive, `wrap` around its tables. */
  restarted(options?: RestartOptions): TestIngest['pass'];
  /** The dependencies of another process on the same tables and archive. */
  dependencies(options?: RestartOptions): IngestDependencies;
  close(): Promise<void>;
}

interface RestartOptions {
  readonly owner?: string;
  readonly wrap?: (table: Table, id: IngestTableId) => Table;
}

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

const noNetwork: HttpClient = {
  get: async (url) => {
    throw new Error(`a test asked ${url}`);
  },
};

export async function startTestIngest(options: TestIngestOptions): Promise<TestIngest> {
  const store = await openIngestTables(options.embedded === true);
  const own = options.archiveRoot === undefined ? await mkdtemp(join(tmpdir(), 'archive-')) : undefined;
  const archive = createFolderArchive(options.archiveRoot ?? own ?? '');
  const stepsRoot = await mkdtemp(join(tmpdir(), 'positions-'));
  const steps = { calls: createFolderArchive(stepsRoot), states: createFolderStates(stepsRoot) };
  const clock = { nowAt: options.nowAt };
  const now = (): Instant => clock.nowAt;

  const dependencies = ({
    owner = 'test',
    wrap = (table) => table,
  }: RestartOptions = {}): IngestDependencies => {
    const entries = INGEST_TABLES.map((id) => [id, wrap(store.tables[id], id)] as const);
    const tables = Object.fromEntries(entries) as Record<IngestTableId, Table>;
    return {
      ...ingestStores(tables, now),
      archive,
      steps,
      httpFor: () => options.http ?? noNetwork,
      secretFor: async () => options.secret,
      findPort,
      now,
      owner,
    };
  };
  const restarted = (restart?: RestartOptions): TestIngest['pass'] => {
    const run = createPass(dependencies(restart));
    return (source, request = {}) => run(source, { ask: options.archiveRoot === undefined, ...request });
  };

  return {
    tables: store.tables,
    stores: ingestStores(store.tables, now),
    archive,
    clock,
    pass: restarted(),
    restarted,
    dependencies,
    async close() {
      await store.close();
      await rm(stepsRoot, { recursive: true, force: true });
      if (own !== undefined) await rm(own, { recursive: true, force: true });
    },
  };
}
