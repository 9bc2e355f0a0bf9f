/** A stage is restored: into its own tables, and into those of a fresh stage, whose responses are then the same. */
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CopyObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { REBUILT_TABLES, RESTORED_TABLES, restoreArchive } from '../../core/store/restore.ts';
import type { Row } from '../../core/store/table.ts';
import { INGEST_TABLES, type IngestTableId, TABLES } from '../../core/store/tables.ts';
import { UsageError } from '../../local/command-line.ts';
import { restoreStage } from '../../tools/restore/restore-stage.ts';
import { readHandlers } from '../builders/read-handlers.ts';
import { fillServedTables, READS } from '../builders/served-tables.ts';
import { startTestStore, type TestStore } from '../builders/store-tables.ts';
import { dumpOf } from '../builders/table-dump.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
type Store = TestStore<IngestTableId>;

const folder = mkdtempSync(join(tmpdir(), 'restore-'));

/** The variables of an ingest function over the tables of a store, in a file. */
function variablesOf(name: string, { tables }: Pick<Store, 'tables'>): string {
  const file = join(folder, `${name}.json`);
  const entries = INGEST_TABLES.map((id) => [TABLES[id].variable, tables[id].name]);
  writeFileSync(file, JSON.stringify({ ...Object.fromEntries(entries), RAW_ARCHIVE_BUCKET: 'archive' }));
  return file;
}

/** What the endpoints respond over the tables, by request. */
async function responsesOver({ tables }: Store): Promise<Record<string, unknown>> {
  const handlers = readHandlers(tables, () => NOW);
  const entries = Object.entries(READS).map(async ([name, [operation, parts]]) => [
    name,
    await handlers[operation](parts),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

describe('npm run restore', () => {
  let [damaged, fresh]: Store[] = [];
  const store = (): { damaged: Store; fresh: Store } => {
    if (damaged === undefined || fresh === undefined) throw new Error('no store');
    return { damaged, fresh };
  };

  /** The command as a person runs it. */
  const inOwnProcess = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', 'bin/restore.ts', ...args]).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, output: stderr }),
    );

  /** What the command says line by line. */
  async function restore(...args: string[]): Promise<string> {
    const lines: string[] = [];
    await restoreStage(args, (line) => lines.push(line));
    return lines.join('\n');
  }

  beforeAll(async () => {
    damaged = await startTestStore(INGEST_TABLES);
    process.env.AWS_ENDPOINT_URL_DYNAMODB = damaged.endpoint;
    fresh = await startTestStore(INGEST_TABLES);
    await fillServedTables(damaged.tables as never, NOW);
    // More than a page of a scan, which has a megabyte.
    const long = Array.from({ length: 60 }, (_, at): Row => {
      return { port: 'USLAX', callKey: `id#${at}`, note: String(at).repeat(10_000) };
    });
    await damaged.tables.portCalls.writeMany(long);
  });
  afterAll(async () => {
    await fresh?.close();
    await damaged?.close();
  });

  it('makes the tables of a fresh stage equal to others, whose responses are then the same; a second run writes nothing', async () => {
    const { damaged, fresh } = store();
    const files = ['--from', variablesOf('from', damaged), '--to', variablesOf('to', fresh), '--as-is'];
    await fresh.tables.ports.put({ port: 'XXXXX', name: 'of a faulty release' });
    await fresh.tables.portCalls.put({ port: 'USLAX', callKey: 'id#7', note: 'wrong' });
    const before = await responsesOver(damaged);
    expect(await responsesOver(fresh)).not.toEqual(before);
    const dry = await inOwnProcess(...files, '--dry-run');
    expect(dry.code).toBe(0);
    expect(dry.output).toContain('60 rows would be written, 0 would be deleted, 0 unchanged');
    expect(await fresh.tables.ports.scan()).toHaveLength(1);
    expect(await restore(...files)).toMatch(/2 rows were written, 1 were deleted/);
    expect(await responsesOver(fresh)).toEqual(before);
    expect(await dumpOf(fresh.tables)).toEqual(await dumpOf(damaged.tables));
    expect(await restore(...files)).not.toMatch(/[1-9]\d* rows were written|[1-9]\d* were deleted/);
  });

  it('refuses files that name no table, a time that is none, and tables that are their own copies', async () => {
    const file = variablesOf('from', store().damaged);
    const empty = join(folder, 'empty.json');
    writeFileSync(empty, '{}');
    await expect(restore('--from', empty, '--to', file)).rejects.toThrow('the variables lack');
    for (const args of [
      ['--from', file, '--to', file, '--at', 'noon'],
      ['--from', file, '--to', file, '--as-is'],
      ['--to', file],
    ])
      await expect(restore(...args)).rejects.toThrow(UsageError);
  });

  it('empties what a rebuild writes again, and counts calls that have two rows', async () => {
    const { fresh } = store();
    const { portCalls } = fresh.tables;
    const twice = ['2026-01-02', '2026-02-20'].map((day) => ({
      port: 'HKHKG',
      callKey: `${day}T00:00:00Z#doubled`,
      call: {},
    }));
    await portCalls.writeMany(twice);
    const kept = (await fresh.tables.dailyMetrics.scan()).length;
    expect(await restore('--empty', '--to', variablesOf('to', fresh))).toContain(
      'calls with more than one row: 1',
    );
    for (const id of REBUILT_TABLES) expect(await fresh.tables[id].scan()).toEqual([]);
    expect((await fresh.tables.dailyMetrics.scan()).length).toBe(kept);
  });
});

describe('the archive', () => {
  const objects: Readonly<Record<string, readonly object[]>> = {
    from: [
      { Key: 'source/2026-01-01 a.zip', Size: 1, ETag: '"a"' },
      { Key: 'source/b.zip', Size: 2, ETag: '"b"' },
      { Key: 'source/c.zip', Size: 3, ETag: '"c"' },
    ],
    to: [
      { Key: 'source/b.zip', Size: 2, ETag: '"b"' },
      { Key: 'source/c.zip', Size: 3, ETag: '"other"' },
    ],
  };

  it('gets what it lacks or has otherwise, by a copy within S3', async () => {
    const client = new S3Client({});
    const mock = mockClient(client);
    for (const [Bucket, Contents] of Object.entries(objects))
      mock.on(ListObjectsV2Command, { Bucket }).resolves({ Contents: [...Contents] });
    mock.on(CopyObjectCommand).resolves({});
    expect(await restoreArchive(client, 'from', 'to', true)).toBe(2);
    expect(mock.commandCalls(CopyObjectCommand)).toHaveLength(0);
    expect(await restoreArchive(client, 'from', 'to', false)).toBe(2);
    expect(mock.commandCalls(CopyObjectCommand).map(({ args: [{ input }] }) => input)).toEqual([
      { Bucket: 'to', Key: 'source/2026-01-01 a.zip', CopySource: 'from/source/2026-01-01%20a.zip' },
      { Bucket: 'to', Key: 'source/c.zip', CopySource: 'from/source/c.zip' },
    ]);
  });
});

it('every table that the ingest writes is restored, the checkpoints after the figures', () => {
  expect([...RESTORED_TABLES].sort()).toEqual([...INGEST_TABLES].sort());
  expect(RESTORED_TABLES.slice(-3)).toEqual(['portClocks', 'sourceStatus', 'ports']);
});
