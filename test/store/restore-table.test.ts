/** A restore by point-in-time recovery: the restored copy is written back into the table that the service uses. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Row, Table } from '../../core/store/table.ts';
import { INGEST_TABLES } from '../../core/store/tables.ts';
import { longIt } from '../builders/extent.ts';
import { startTestStore, type TestStore } from '../builders/store-tables.ts';
import { dumpOf } from '../builders/table-dump.ts';

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs the command against the store at `endpoint`. */
async function restoreTable(endpoint: string, ...args: string[]): Promise<Ended> {
  const env = { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: endpoint };
  const command = ['--import', 'tsx', 'bin/restore-table.ts', ...args];
  return promisify(execFile)(process.execPath, command, { env }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, output: stderr }),
  );
}

const row = (n: number, call = `call ${n}`): Row => ({ port: 'HKHKG', callKey: `${100 + n}`, call });
const good = Array.from({ length: 60 }, (_, n) => row(n));

/** Loses rows, changes some and adds others, as a faulty release would. */
async function damage(table: Table): Promise<void> {
  await table.writeMany(
    [row(3, 'wrong'), row(4, 'wrong'), row(900)],
    [10, 11, 12].map((n) => ({ port: 'HKHKG', callKey: `${100 + n}` })),
  );
}

describe('npm run restore-table', () => {
  let store: TestStore<'portCalls' | 'ports'>;
  let copy: TestStore<'portCalls'>;
  beforeAll(async () => {
    store = await startTestStore(['portCalls', 'ports']);
    process.env.AWS_ENDPOINT_URL_DYNAMODB = store.endpoint;
    copy = await startTestStore(['portCalls']);
    delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
    await store.tables.portCalls.writeMany(good);
    await copy.tables.portCalls.writeMany(good);
  });
  afterAll(async () => {
    await copy.close();
    await store.close();
  });

  it('counts in a dry run, and makes the table equal to its copy', async () => {
    const { portCalls } = store.tables;
    await damage(portCalls);
    const names = ['--from', copy.tables.portCalls.name, '--to', portCalls.name];
    const dry = await restoreTable(store.endpoint, ...names, '--dry-run');
    expect(dry.output).toContain('5 rows would be written, 1 would be deleted, 55 unchanged');
    expect(await portCalls.get({ port: 'HKHKG', callKey: '1000' })).toEqual(row(900));
    const done = await restoreTable(store.endpoint, ...names);
    expect(done).toMatchObject({
      code: 0,
      output: expect.stringContaining('5 rows were written, 1 were deleted'),
    });
    expect(await dumpOf({ calls: portCalls })).toEqual(await dumpOf({ calls: copy.tables.portCalls }));
  }, 60_000);

  longIt(
    'has nothing left to do, refuses a table with another key, one that does not exist, and a call without both names; empties a table',
    async () => {
      const { portCalls, ports } = store.tables;
      const again = ['--from', copy.tables.portCalls.name, '--to', portCalls.name];
      expect((await restoreTable(store.endpoint, ...again)).output).toContain(
        '0 rows were written, 0 were deleted',
      );
      const other = await restoreTable(store.endpoint, '--from', ports.name, '--to', portCalls.name);
      expect(other).toMatchObject({ code: 1, output: expect.stringContaining('not a copy of it') });
      expect((await restoreTable(store.endpoint, '--from', 'none', '--to', portCalls.name)).code).toBe(1);
      expect((await restoreTable(store.endpoint, '--to', portCalls.name)).code).toBe(2);
      expect((await portCalls.scan()).length).toBe(good.length);
      const twice = ['2026-01-02', '2026-02-20'].map((day) => ({
        ...row(0),
        callKey: `${day}T00:00:00Z#doubled`,
      }));
      await portCalls.writeMany([...twice, { port: 'HKHKG', callKey: 'id#doubled', of: twice[0]?.callKey }]);
      const emptied = await restoreTable(store.endpoint, '--empty', '--to', portCalls.name);
      expect(emptied.output).toContain(`0 rows were written, ${good.length + 3} were deleted`);
      expect(emptied.output).toContain('; calls with more than one row: 1');
      expect(await portCalls.scan()).toEqual([]);
    },
    60_000,
  );
});

it('the runbook restores every table that the ingest writes, the checkpoints after the figures', () => {
  const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
  const [, list = ''] = /^TABLES='([^']+)'$/m.exec(runbook) ?? [];
  const named = list.split(' ');
  const written = INGEST_TABLES.map((id) => id.charAt(0).toUpperCase() + id.slice(1));
  expect([...named].sort()).toEqual(written.sort());
  expect(named.slice(-3)).toEqual(['PortClocks', 'SourceStatus', 'Ports']);
});
