/** An ingest over tables, an archive and states of positions, at a time that the test sets. */
import { type IngestDependencies, type IngestStores, ingestStores } from '../../core/ingest/dependencies.ts';
import { createPass, type PassOutcome, type PassRequest } from '../../core/ingest/pass.ts';
import type { PositionSteps } from '../../core/ingest/positions.ts';
import { findPort } from '../../core/reference/ports.ts';
import type { Instant } from '../../core/reference/time.ts';
import type { RawArchive } from '../../core/store/raw-archive.ts';
import type { Table } from '../../core/store/table.ts';
import { INGEST_TABLES, type IngestTableId } from '../../core/store/tables.ts';
import type { HttpClient } from '../../core/upstream/http-client.ts';
import type { Source } from '../../core/upstream/source.ts';

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

interface Places extends Pick<TestIngest, 'tables' | 'archive' | 'close'> {
  readonly steps: PositionSteps;
}

interface IngestOptions {
  readonly nowAt: Instant;
  readonly http?: HttpClient;
  readonly secret?: string;
  /** Whether a pass asks the upstream; it does by default. */
  readonly ask?: boolean;
}

const noNetwork: HttpClient = {
  get: async (url) => {
    throw new Error(`a test asked ${url}`);
  },
};

export function ingestOver(
  { tables, archive, steps, close }: Places,
  { nowAt, http = noNetwork, secret, ask = true }: IngestOptions,
): TestIngest {
  const clock = { nowAt };
  const now = (): Instant => clock.nowAt;
  const dependencies: TestIngest['dependencies'] = ({
    owner = 'test',
    wrap = (table: Table) => table,
  } = {}) => {
    const wrapped = INGEST_TABLES.map((id) => [id, wrap(tables[id], id)] as const);
    return {
      ...ingestStores(Object.fromEntries(wrapped) as Record<IngestTableId, Table>, now),
      archive,
      steps,
      httpFor: () => http,
      secretFor: async () => secret,
      findPort,
      now,
      owner,
    };
  };
  const restarted: TestIngest['restarted'] = (restart) => {
    const run = createPass(dependencies(restart));
    return (source, request = {}) => run(source, { ask, ...request });
  };
  const stores = ingestStores(tables, now);
  return { tables, stores, archive, clock, pass: restarted(), restarted, dependencies, close };
}
