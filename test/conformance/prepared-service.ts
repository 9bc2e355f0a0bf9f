/** A service of a test's own: empty tables to prepare, a clock to set, keys to make. Not for a deployed stage. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { TIER_TAG } from '../../core/contracts/plans.ts';
import { type IngestStores, ingestStores } from '../../core/ingest/dependencies.ts';
import { createPass, type PassOutcome } from '../../core/ingest/pass.ts';
import { STAGE_TAG } from '../../core/keys/administration.ts';
import { keyDigest } from '../../core/keys/key.ts';
import { findPort } from '../../core/reference/ports.ts';
import type { Instant } from '../../core/reference/time.ts';
import { openTables } from '../../core/store/open-tables.ts';
import { createFolderStates } from '../../core/store/position-states.ts';
import { createFolderArchive } from '../../core/store/raw-archive.ts';
import type { Table } from '../../core/store/table.ts';
import { type IngestTableId, TABLES, type TableId } from '../../core/store/tables.ts';
import type { Source } from '../../core/upstream/source.ts';
import {
  type LocalService,
  type LocalServiceOptions,
  startLocalService,
} from '../../local/service/local-service.ts';
import { exchange, type Reply, type Sending } from './exchange.ts';

const ASSEMBLY = fileURLToPath(new URL('../../dist/test-assembly', import.meta.url));

export interface PreparedService {
  readonly service: LocalService;
  readonly url: string;
  readonly stores: IngestStores;
  readonly tables: Readonly<Record<IngestTableId, Table>>;
  /** The machine's clock as the service sees it; real until it is set. */
  readonly clock: { at: Instant | undefined };
  get(path: string, sending?: Sending): Promise<Reply>;
  /** A new key on the plan of `tier`, or on none. */
  newKey(tier: string | undefined, options?: { kind?: 'dev' | 'live'; length?: number }): Promise<string>;
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
    assembly: ASSEMBLY,
    clock: now,
    // A slow machine must not look like an outage of the limiter, and tests read what they have just written.
    environment: { LIMITER_DEADLINE_MS: '10000', RESPONSE_CACHE_SECONDS: '0', ...environment },
    ...more,
  });
  const environments = [...service.model.functions.values()].map(({ environment }) => environment);
  const nameOf = (id: TableId): string => {
    const name = environments
      .map((variables) => variables[TABLES[id].variable])
      .find((found) => found !== undefined);
    if (name === undefined) throw new Error(`no function of the template is given the table ${id}`);
    return name;
  };
  const client = new DynamoDBClient({ endpoint: service.storeEndpoint, region: 'local' });
  const names = Object.fromEntries(
    (Object.keys(TABLES) as TableId[]).map((id) => [id, nameOf(id)]),
  ) as Record<TableId, string>;
  const tables = openTables(client, names);
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
    async newKey(tier, { kind = 'dev', length = 32 } = {}) {
      made += 1;
      const secret = `pcd_${kind}_${String(made).padStart(length, 'k')}`;
      const { controlPlane, model } = service;
      const key = controlPlane.createKey({
        name: `made ${made}`,
        value: keyDigest(secret),
        tags: { [STAGE_TAG]: model.stage },
      });
      const plan = controlPlane.listPlans().find(({ tags }) => tags[TIER_TAG] === tier);
      if (plan !== undefined) controlPlane.addToPlan(plan.id, key.id);
      await service.runHousekeeping();
      return secret;
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
      client.destroy();
      await rm(archiveRoot, { recursive: true, force: true });
      await service.close();
    },
  };
}
