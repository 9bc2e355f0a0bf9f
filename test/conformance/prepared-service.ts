/** A service of a test's own: empty tables to prepare, a clock to set, keys to make. Not for a deployed stage. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AccessTier, type KeyRow, keyDigest } from '../../core/access/keys.ts';
import type { BucketLimits } from '../../core/access/token-bucket.ts';
import { type IngestStores, ingestStores } from '../../core/ingest/dependencies.ts';
import { createPass, type PassOutcome } from '../../core/ingest/pass.ts';
import { findPort } from '../../core/reference/ports.ts';
import type { Instant } from '../../core/reference/time.ts';
import { createFolderArchive, createFolderStates } from '../../core/store/raw-archive.ts';
import type { Table } from '../../core/store/table.ts';
import { INGEST_TABLES, type IngestTableId } from '../../core/store/tables.ts';
import type { Source } from '../../core/upstream/source.ts';
import { keyRow } from '../../local/keys.ts';
import { type LocalService, type LocalServiceOptions, startLocalService } from '../../local/local-service.ts';
import { exchange, type Reply, type Sending } from './exchange.ts';

export interface PreparedService {
  readonly service: LocalService;
  readonly url: string;
  readonly stores: IngestStores;
  readonly tables: Readonly<Record<IngestTableId, Table>>;
  /** The machine's clock as the service sees it; real until it is set. */
  readonly clock: { at: Instant | undefined };
  get(path: string, sending?: Sending): Promise<Reply>;
  /** A new key on the plan of `tier`, or on none; with limits of its own, as after an edit of its plan. */
  newKey(
    tier: AccessTier | undefined,
    options?: { kind?: 'dev' | 'live'; length?: number; limits?: BucketLimits },
  ): Promise<string>;
  /** The row of a key. */
  rowOf(secret: string): Promise<KeyRow>;
  /** One ingest pass at the service's time. */
  ingest(source: Source): Promise<PassOutcome>;
  /** Makes ports covered, with nothing observed of them. */
  cover(...ports: string[]): Promise<void>;
  close(): Promise<void>;
}

let made = 0;

export async function startPreparedService(
  options: Partial<LocalServiceOptions> & { at?: Instant | undefined } = {},
): Promise<PreparedService> {
  const { at, environment, ...more } = options;
  const clock: PreparedService['clock'] = { at };
  const now = (): Instant => clock.at ?? Date.now();
  const service = await startLocalService({
    clock: now,
    // A slow machine must not look like an outage of the limiter, and tests read what they have just written.
    environment: { LIMITER_DEADLINE_MS: '10000', RESPONSE_CACHE_SECONDS: '0', ...environment },
    ...more,
  });
  const tables = service.wiring.openTables(INGEST_TABLES);
  const stores = ingestStores(tables, now);

  const archiveRoot = await mkdtemp(join(tmpdir(), 'archive-'));
  const pass = createPass({
    ...stores,
    archive: createFolderArchive(archiveRoot),
    steps: { calls: createFolderArchive(archiveRoot), states: createFolderStates(archiveRoot) },
    httpFor: () => ({ get: async (url) => Promise.reject(new Error(`a test asked ${url}`)) }),
    secretFor: async () => undefined,
    findPort,
    now,
    owner: 'test',
  });

  return {
    service,
    url: service.url,
    stores,
    tables,
    clock,
    get: (path, sending = {}) => exchange(service.url, path, { key: service.keys.bench, ...sending }),
    async newKey(tier, { kind = 'dev', length = 32, limits } = {}) {
      made += 1;
      const secret = `pcd_${kind}_${String(made).padStart(length, 'k')}`;
      await service.keyStore.change(
        [{ ...keyRow(`made ${made}`, secret, tier, now), ...(limits && { limits }) }],
        [],
      );
      return secret;
    },
    async rowOf(secret) {
      const row = await service.keyStore.find(keyDigest(secret));
      if (row === undefined) throw new Error('the key is not there');
      return row;
    },
    ingest: (source) => pass(source, { ask: true }),
    async cover(...ports) {
      await stores.ports.register(
        ports.map((code) => {
          const port = findPort(code);
          if (port === undefined) throw new Error(`${code} is not in the port reference`);
          const { name, countryCode, latitude, longitude } = port;
          return { port: code, name, countryCode, latitude, longitude, sources: ['prepared'] };
        }),
        '2026-01-01',
      );
    },
    async close() {
      await rm(archiveRoot, { recursive: true, force: true });
      await service.close();
    },
  };
}
