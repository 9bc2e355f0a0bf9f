/** `npm run ingest` as a person runs it: a process on tables that the environment names. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatInstant, HOUR_MS } from '../../core/reference/time.ts';
import { source as fintrafficDigitraffic } from '../../core/sources/fintraffic-digitraffic/source.ts';
import { source as hkMarineDepartment } from '../../core/sources/hk-marine-department/source.ts';
import { createFolderArchive } from '../../core/store/raw-archive.ts';
import { createSourceStatusStore } from '../../core/store/source-status.ts';
import { INGEST_TABLES, TABLES } from '../../core/store/tables.ts';
import type { ArchivedFetch, Source } from '../../core/upstream/source.ts';
import { longIt } from '../builders/extent.ts';
import { hkFetches } from '../builders/hk-polls.ts';
import { startMemoryIngest } from '../builders/memory-ingest.ts';
import { filesOf } from '../builders/source-replies.ts';
import { startTestStore, type TestStore } from '../builders/store-tables.ts';
import { valuesOf } from '../builders/table-dump.ts';
import { area, call, envelope } from '../sources/fintraffic-digitraffic/port-calls.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const startAt = Date.UTC(2026, 0, 5);
/** Polls of one day, one every two hours. */
const POLLS = 12;

/** Replies of Digitraffic, one an hour: vessels arrive in three ports, wait, berth and leave. */
const HOURS = 5;
const finnishFetches = Array.from({ length: HOURS }, (_, hour) => {
  const at = startAt + hour * HOUR_MS;
  const calls = ['FIHEL', 'FIRAU', 'FIKTK'].flatMap((portToVisit, port) =>
    Array.from({ length: hour + 1 }, (_, n) => {
      const ataAt = startAt + (n + port) * HOUR_MS - 6 * HOUR_MS;
      const [ata, atd] = [formatInstant(ataAt), formatInstant(ataAt + 3 * HOUR_MS)];
      const left = ataAt + 3 * HOUR_MS <= at;
      return call({
        portCallId: 100 * port + n + 1,
        portToVisit,
        imoLloyds: 9_300_000 + 100 * port + n,
        portCallTimestamp: formatInstant(at),
        portAreaDetails: [area({ ata, atd: left ? atd : null })],
      });
    }),
  );
  const files = filesOf({
    'request.json': { from: formatInstant(at - HOUR_MS) },
    'port-calls-000.json': { ...envelope(...calls), dataUpdatedTime: formatInstant(at) },
  });
  return { fetchedAt: at, files };
});

const hongKongFetches = [...hkFetches({ seed: 2, startAt, days: 1, arrivalsPerDay: 15 }, 120)];

/** The tables after one walk over `fetches`, in this process. */
async function walkedWhole(source: Source, fetches: readonly ArchivedFetch[]) {
  const ingest = startMemoryIngest({ nowAt: Date.now() });
  for (const { fetchedAt, files } of fetches)
    await ingest.archive.write(source.declaration.id, fetchedAt, files);
  await ingest.pass(source, { ask: false });
  return valuesOf(ingest.tables);
}

const stores: Store[] = [];
let folder: string;
type Store = TestStore<(typeof INGEST_TABLES)[number]>;

async function emptyStore(): Promise<Store> {
  const store = await startTestStore(INGEST_TABLES);
  stores.push(store);
  return store;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ingest-command-'));
  const archive = createFolderArchive(join(folder, 'replies'));
  for (const { fetchedAt, files } of hongKongFetches)
    await archive.write('hk-marine-department', fetchedAt, files);
  const divided = createFolderArchive(join(folder, 'divided'));
  for (const { fetchedAt, files } of finnishFetches)
    await divided.write('fintraffic-digitraffic', fetchedAt, files);
  mkdirSync(join(folder, 'replies', 'no-such-source', '20260105T000000Z'), { recursive: true });
});
afterAll(async () => {
  for (const store of stores) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function run(store: Store, args: string[], onOutput: (text: string, child: ChildProcess) => void = () => {}) {
  const names = INGEST_TABLES.map((id) => [TABLES[id].variable, store.tables[id].name]);
  const child = spawn(process.execPath, ['--import', 'tsx', 'bin/ingest.ts', ...args], {
    cwd: ROOT,
    env: {
      ...process.env,
      RAW_ARCHIVE: pathToFileURL(join(folder, 'archive')).href,
      AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
      ...Object.fromEntries(names),
    },
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk) => {
    output += chunk;
    onOutput(output, child);
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  return new Promise<{ code: number | null; output: string; errors: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, output, errors }));
  });
}

describe('npm run ingest -- --replay', () => {
  it('stops at Ctrl-C between two fetches, continues from there, and gives the same result as an uninterrupted run', async () => {
    const interrupted = await emptyStore();
    const replay = ['--replay', join(folder, 'replies')];
    let signalled = false;
    const first = await run(interrupted, replay, (output, child) => {
      if (signalled || !/: [4-9] of 12/.test(output)) return;
      signalled = true;
      child.kill('SIGINT');
    });
    expect(first.output).toContain('stopped between two fetches');
    expect(first.code).toBe(130);
    const statuses = createSourceStatusStore(interrupted.tables.sourceStatus, Date.now);
    const [status] = await statuses.all();
    expect(status?.checkpointAt).toBeLessThan(hongKongFetches.at(-1)?.fetchedAt ?? 0);

    const second = await run(interrupted, replay);
    expect(second.code).toBe(0);
    const [, applied] = /hk-marine-department: (\d+) fetches/.exec(second.output) ?? [];
    expect(Number(applied)).toBeGreaterThan(0);
    expect(Number(applied)).toBeLessThan(POLLS);

    expect(second.output).toContain('no-such-source is skipped: there is no such source');
    expect(await valuesOf(interrupted.tables)).toEqual(
      await walkedWhole(hkMarineDepartment, hongKongFetches),
    );
  });

  longIt('works on partitions side by side, is stopped among them, and ends as one walk does', async () => {
    const replay = ['--replay', join(folder, 'divided'), '--workers', '2'];
    // One process walks fetches that nobody has judged; after that each partition is walked by itself.
    expect((await run(await emptyStore(), replay)).output).toContain(': 5 fetches, ');
    const store = await emptyStore();
    let signalled = false;
    const first = await run(store, replay, (output, child) => {
      if (signalled || !/: (3[2-9]|[4-9]\d|1\d\d) of 160/.test(output)) return;
      signalled = true;
      child.kill('SIGINT');
    });
    expect(first.output).toContain('stopped between two fetches');
    expect(first.code).toBe(130);
    const statuses = createSourceStatusStore(store.tables.sourceStatus, Date.now);
    // Some ports are through; the source as a whole has not been fetched, and its lease is free.
    expect(await statuses.all()).toEqual([{ source: 'fintraffic-digitraffic', failures: 0 }]);
    expect(await store.tables.sourceStatus.scan()).not.toContainEqual(
      expect.objectContaining({ leaseOwner: expect.anything() }),
    );
    const second = await run(store, replay);
    expect(second.code).toBe(0);
    expect(second.output).toMatch(
      /fintraffic-digitraffic: 5 fetches in 32 partitions, \d+ records changed\n/,
    );
    expect(await valuesOf(store.tables)).toEqual(await walkedWhole(fintrafficDigitraffic, finnishFetches));
    const third = await run(store, replay);
    expect(third.output).toContain('fintraffic-digitraffic: 0 fetches, 0 records changed');
  });
});

describe('npm run ingest -- --import', () => {
  it('begins empty tables with a release, and says in one line that others are not empty', async () => {
    const store = await emptyStore();
    const recorded = ['--import', join(ROOT, 'recordings', 'release')];
    const first = await run(store, recorded);
    expect([first.code, first.errors]).toEqual([0, expect.not.stringContaining('Error')]);
    expect(first.output).toContain('loaded: its days are settled');
    expect((await store.tables.ports.scan()).map(({ port }) => port)).toEqual(['TWKHH']);
    const second = await run(store, recorded);
    expect(second.code).toBe(1);
    expect(second.errors).toMatch(/^the tables have data already, .*$/m);
    expect(second.errors).not.toContain(' at ');
  });
});
