/** `npm run ingest` as a person runs it: a process on tables that the environment names. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { source as hkMarineDepartment } from '../../core/sources/hk-marine-department/source.ts';
import { createFolderArchive } from '../../core/store/raw-archive.ts';
import { createSourceStatusStore } from '../../core/store/source-status.ts';
import { INGEST_TABLES, TABLES } from '../../core/store/tables.ts';
import type { ArchivedFetch, Source } from '../../core/upstream/source.ts';
import { type CallTableRequest, giveCallTable } from '../../tools/ingest/call-tables.ts';
import { longIt } from '../builders/extent.ts';
import { hkFetches } from '../builders/hk-polls.ts';
import { startMemoryIngest } from '../builders/memory-ingest.ts';
import { startTestStore, type TestStore } from '../builders/store-tables.ts';
import { valuesOf } from '../builders/table-dump.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const startAt = Date.UTC(2026, 0, 5);
/** Polls of one day, one every two hours. */
const POLLS = 12;

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
  mkdirSync(join(folder, 'replies', 'no-such-source', '20260105T000000Z'), { recursive: true });
});
afterAll(async () => {
  for (const store of stores) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The variables that name the tables, their store and the archive. */
const variablesOf = (store: Store): Record<string, string> => ({
  RAW_ARCHIVE: pathToFileURL(join(folder, 'archive')).href,
  AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
  ...Object.fromEntries(INGEST_TABLES.map((id) => [TABLES[id].variable, store.tables[id].name])),
});

function run(store: Store, args: string[], onOutput: (text: string, child: ChildProcess) => void = () => {}) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'bin/ingest.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...variablesOf(store) },
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
    expect(await interrupted.tables.sourceStatus.scan()).not.toContainEqual(
      expect.objectContaining({ leaseOwner: expect.anything() }),
    );

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
});

describe('npm run ingest -- --import', () => {
  // What it loads is in test/unit/release/import.test.ts.
  longIt('begins empty tables with a release, and says in one line that others are not empty', async () => {
    const store = await emptyStore();
    const recorded = ['--import', join(ROOT, 'recordings', 'release')];
    const first = await run(store, recorded);
    expect([first.code, first.errors]).toEqual([0, expect.not.stringContaining('Error')]);
    expect(first.output).toContain('loaded: its days are settled');
    expect((await store.tables.ports.scan()).map(({ port }) => port)).toEqual(['ESTAR', 'TWKHH']);
    const second = await run(store, recorded);
    expect(second.code).toBe(1);
    expect(second.errors).toMatch(/^the tables have data already, .*$/m);
    expect(second.errors).not.toContain(' at ');
  });
});

describe('npm run ingest -- --calls, on tables that the environment names', () => {
  const FILE = ['port,call,vessel_type,kind,start,end'];
  for (let day = 10; day < 30; day += 1)
    FILE.push(
      `ESTAR,${day},container,anchorage,2019-03-${day}T01:00Z,2019-03-${day}T07:00Z`,
      `ESTAR,${day},container,berth,2019-03-${day}T08:00Z,2019-03-${day}T20:00Z`,
    );

  it('asks first, withholds calls that may not be passed on, and removes a table', async () => {
    const store = await emptyStore();
    const file = join(folder, 'stays.csv');
    writeFileSync(file, FILE.join('\n'));
    const asked = await run(store, ['--calls', file]);
    expect([asked.code, asked.errors]).toEqual([2, expect.stringContaining('add --yes to apply it')]);
    expect(asked.output).toContain('stays: 40 rows, 0 rows left out');
    expect(asked.output).toContain('20 calls, 20 berthed (1.0 a day), 20 at anchor before the first berth');
    expect(await store.tables.ports.scan()).toEqual([]);

    // The rest of what the process does, without a process for each.
    Object.assign(process.env, variablesOf(store));
    const lines: string[] = [];
    const give = (request: Partial<CallTableRequest>) =>
      giveCallTable({ leaveOut: false, yes: true, ...request }, (line) => lines.push(line));
    expect(await give({ calls: file })).toBe(0);
    expect(lines.at(-1)).toMatch(/^stays is applied to the tables that the environment names/);
    expect((await store.tables.dailyMetrics.scan()).length).toBe(20);
    expect(await store.tables.stayDays.scan()).toEqual([]);

    const about = join(folder, 'stays.json');
    writeFileSync(about, JSON.stringify({ passesOnCalls: true, licence: 'CC BY 4.0' }));
    expect(await give({ calls: file, about })).toBe(0);
    expect((await store.tables.stayDays.scan()).length).toBe(20);
    const statuses = createSourceStatusStore(store.tables.sourceStatus, Date.now);
    expect((await statuses.all())[0]?.tables).toEqual([
      { name: 'stays', licence: 'CC BY 4.0', passesOnCalls: true, ports: ['ESTAR'] },
    ]);

    expect(await give({ removeCalls: 'stays' })).toBe(0);
    for (const id of ['ports', 'stayDays', 'dailyMetrics', 'portCalls'] as const)
      expect(await store.tables[id].scan()).toEqual([]);
  });
});
