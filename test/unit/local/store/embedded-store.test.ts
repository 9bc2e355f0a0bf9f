/** The embedded store: tables as the template has them, rows that outlive a restart, and folders that cannot be used. */
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type EmbeddedStore, startEmbeddedStore } from '../../../../local/store/embedded-store.ts';
import { createTables } from '../../../../local/store/tables.ts';
import type { TableModel } from '../../../../local/template/model.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'store-'));
const table = (name: string, sortKey?: string): TableModel => ({
  name,
  AttributeDefinitions: ['id', ...(sortKey ? [sortKey] : [])].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S',
  })),
  KeySchema: [
    { AttributeName: 'id', KeyType: 'HASH' },
    ...(sortKey ? [{ AttributeName: sortKey, KeyType: 'RANGE' } as const] : []),
  ],
});
const clientOf = ({ endpoint }: EmbeddedStore): DynamoDBClient =>
  new DynamoDBClient({ endpoint, region: 'local', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });

let store: EmbeddedStore | undefined;
afterEach(async () => {
  await store?.close();
});

describe('the store', () => {
  it('keeps its rows in the folder', async () => {
    const directory = folder();
    store = await startEmbeddedStore({ directory });
    await createTables(store.endpoint, [table('things'), table('more-things', 'day')]);
    await clientOf(store).send(
      new PutItemCommand({ TableName: 'things', Item: { id: { S: 'a' }, n: { N: '1' } } }),
    );
    await store.close();
    await store.close();

    store = await startEmbeddedStore({ directory });
    await createTables(store.endpoint, [table('things'), table('more-things', 'day')]);
    const { Item } = await clientOf(store).send(
      new GetItemCommand({ TableName: 'things', Key: { id: { S: 'a' } } }),
    );
    expect(Item).toEqual({ id: { S: 'a' }, n: { N: '1' } });
    await expect(createTables(store.endpoint, [table('things', 'day')])).rejects.toThrow(
      'table things in the data directory has other keys (id HASH) than the template (id HASH, day RANGE)',
    );
  });

  it('keeps nothing without one', async () => {
    store = await startEmbeddedStore({ directory: undefined });
    await createTables(store.endpoint, [table('things')]);
    expect((await clientOf(store).send(new ListTablesCommand({}))).TableNames).toEqual(['things']);
    await store.close();
    store = await startEmbeddedStore({ directory: undefined });
    expect((await clientOf(store).send(new ListTablesCommand({}))).TableNames).toEqual([]);
  });

  it('outlives clients that give up in the middle', async () => {
    const failures: string[] = [];
    store = await startEmbeddedStore({ directory: undefined, onFailure: (reason) => failures.push(reason) });
    const port = Number(new URL(store.endpoint).port);
    for (let turn = 0; turn < 5; turn += 1)
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"half":');
          setTimeout(() => socket.resetAndDestroy(), 10);
        });
        socket.on('close', () => resolve());
      });
    expect((await clientOf(store).send(new ListTablesCommand({}))).TableNames).toEqual([]);
    expect(failures).toEqual([]);
  });

  it('names a table that the store will not make', async () => {
    store = await startEmbeddedStore({ directory: undefined });
    await expect(createTables(store.endpoint, [table('no spaces')])).rejects.toThrow(
      'table no spaces cannot be created',
    );
  });
});

describe('a folder', () => {
  it('in use is refused', async () => {
    const directory = folder();
    store = await startEmbeddedStore({ directory });
    await expect(startEmbeddedStore({ directory })).rejects.toThrow(
      `${directory} is in use by another process`,
    );
  });

  it('that is corrupt is refused', async () => {
    const directory = folder();
    await (await startEmbeddedStore({ directory })).close();
    for (const name of readdirSync(directory).filter((file) => /CURRENT|MANIFEST/.test(file)))
      writeFileSync(join(directory, name), 'garbage');
    await expect(startEmbeddedStore({ directory })).rejects.toThrow(`${directory} is corrupt: remove it`);
  });

  it('that is a file is refused', async () => {
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    await expect(startEmbeddedStore({ directory: file })).rejects.toThrow(
      `the data directory ${file} cannot be opened`,
    );
  });
});
