/** The embedded store: tables as the template has them, rows that outlive a restart, and folders that cannot be used. */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { type EmbeddedStore, startEmbeddedStore } from '../../../local/embedded-store.ts';
import { createTables, type TableModel } from '../../../local/tables.ts';
import { smallDisks } from '../../builders/small-disk.ts';

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
const clients = new WeakMap<EmbeddedStore, DynamoDBClient>();
function clientOf(store: EmbeddedStore): DynamoDBClient {
  const { endpoint } = store;
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const client = clients.get(store) ?? new DynamoDBClient({ endpoint, region: 'local', credentials });
  clients.set(store, client);
  return client;
}

let store: EmbeddedStore | undefined;
afterEach(async () => {
  await store?.close();
});
const DISKS = smallDisks();
afterAll(() => DISKS.unmount());

const put = (to: EmbeddedStore, id: string, text = '') =>
  clientOf(to).send(new PutItemCommand({ TableName: 'things', Item: { id: { S: id }, text: { S: text } } }));
const has = async (from: EmbeddedStore, id: string): Promise<boolean> =>
  (await clientOf(from).send(new GetItemCommand({ TableName: 'things', Key: { id: { S: id } } }))).Item !==
  undefined;

/** A stopped store with rows in a table file and in a log. */
async function stoppedStore(): Promise<string> {
  const directory = folder();
  for (const id of ['a', 'b']) {
    const opened = await startEmbeddedStore({ directory });
    await createTables(opened.endpoint, [table('things')]);
    await put(opened, id, 'x'.repeat(5000));
    await opened.close();
  }
  return directory;
}

const filesOf = (directory: string, kind: RegExp): string[] =>
  readdirSync(directory)
    .filter((name) => kind.test(name))
    .map((name) => join(directory, name));

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
      'table things in the data directory has other keys (id HASH) than this version (id HASH, day RANGE)',
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

describe('a request', () => {
  const ask = (endpoint: string, headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request(endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': 'DynamoDB_20120810.ListTables',
          'x-amz-date': '19700101T000000Z',
          authorization: 'AWS4-HMAC-SHA256 Credential=local, SignedHeaders=host, Signature=none',
          ...headers,
        },
      });
      sent.on('response', (response) => resolve(response.resume().statusCode ?? 0));
      sent.on('error', reject);
      sent.end('{}');
    });

  it('is answered where it names a loopback host and this start’s secret, and comes from no page', async () => {
    store = await startEmbeddedStore({ directory: undefined });
    const { endpoint } = store;
    const { origin, pathname } = new URL(endpoint);
    expect(pathname).toMatch(/^\/[0-9a-f]{32}$/);
    expect(await ask(endpoint, {})).toBe(200);
    expect(await ask(`${endpoint}/`, { host: 'localhost:1' })).toBe(200);
    expect(await ask(endpoint, { origin: 'http://127.0.0.1:3000' })).toBe(403);
    expect(await ask(endpoint, { origin: 'null' })).toBe(403);
    expect(await ask(endpoint, { host: 'rebound.example' })).toBe(403);
    expect(await ask(`${origin}/`, {})).toBe(403);
    expect(await ask(`${origin}/${'0'.repeat(32)}`, {})).toBe(403);
  });
});

(DISKS.why === undefined ? describe : describe.skip)('a full disk', () => {
  it('makes the store refuse while it lasts, and costs no row that was taken', async () => {
    const { path, fill, free } = DISKS.mount(12);
    const lines: string[] = [];
    const failures: string[] = [];
    const directory = join(path, 'store');
    const start = () =>
      startEmbeddedStore({
        directory,
        report: (line) => lines.push(line),
        onFailure: (reason) => failures.push(reason),
        retryMs: 20,
      });
    store = await start();
    await createTables(store.endpoint, [table('things')]);
    const taken: string[] = [];
    fill(300_000);
    let refusal: unknown;
    for (let row = 0; refusal === undefined; row += 1)
      try {
        await put(store, `row-${row}`, 'x'.repeat(50_000));
        taken.push(`row-${row}`);
      } catch (thrown) {
        refusal = thrown;
      }
    expect(refusal).toMatchObject({ name: 'InternalServerError', $metadata: { httpStatusCode: 500 } });
    await expect(put(store, 'small')).rejects.toMatchObject({ name: 'InternalServerError' });
    expect(lines).toEqual([expect.stringMatching(/^the store waits.*the disk is full.*nothing is lost/)]);

    free();
    for (;;)
      try {
        await put(store, 'after');
        break;
      } catch {
        // The store looks for space.
      }
    expect(lines[1]).toBe('the store has space again and goes on');
    expect(failures).toEqual([]);
    await store.close();
    store = await start();
    for (const id of [...taken, 'after']) expect([id, await has(store, id)]).toEqual([id, true]);
  });

  it('at the start is named, and no data are advised to be removed', async () => {
    const { path, fill } = DISKS.mount(4);
    fill();
    const starting = startEmbeddedStore({ directory: join(path, 'store') });
    await expect(starting).rejects.toThrow('the disk is full: free some space and try again');
    await expect(starting).rejects.not.toThrow(/remove/);
  });
});

describe('a folder', () => {
  it('without its file CURRENT is refused beside its tables, and names the rebuild', async () => {
    const directory = await stoppedStore();
    unlinkSync(join(directory, 'CURRENT'));
    await expect(startEmbeddedStore({ directory })).rejects.toThrow(
      /CURRENT is missing: put a copy of it back, or rebuild it/,
    );
    expect(existsSync(join(directory, 'CURRENT'))).toBe(false);
  });

  it.each([
    ['a table', /\.ldb$/],
    ['a log', /\.log$/],
  ])('with a flipped bit in %s of the last clean stop is refused', async (_, kind) => {
    const directory = await stoppedStore();
    const [file = ''] = filesOf(directory, kind);
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    await expect(startEmbeddedStore({ directory })).rejects.toThrow('is not as the last stop left it');
  });

  it('of a process that was killed in the middle of a write is accepted', async () => {
    const directory = await stoppedStore();
    store = await startEmbeddedStore({ directory });
    await put(store, 'c');
    await put(store, 'torn', 'x'.repeat(5000));
    const left = folder();
    cpSync(directory, left, { recursive: true });
    await store.close();
    const log = filesOf(left, /\.log$/).at(-1) ?? '';
    truncateSync(log, statSync(log).size - 1000);
    store = await startEmbeddedStore({ directory: left });
    const found = await Promise.all(['a', 'b', 'c', 'torn'].map((id) => has(store as EmbeddedStore, id)));
    expect(found).toEqual([true, true, true, false]);
  });

  it('in use is refused', async () => {
    const directory = folder();
    store = await startEmbeddedStore({ directory });
    await expect(startEmbeddedStore({ directory })).rejects.toThrow(
      `${directory} is in use by another process`,
    );
  });

  it('that is damaged is refused', async () => {
    const directory = folder();
    await (await startEmbeddedStore({ directory })).close();
    for (const name of readdirSync(directory).filter((file) => /CURRENT|MANIFEST/.test(file)))
      writeFileSync(join(directory, name), 'garbage');
    await expect(startEmbeddedStore({ directory })).rejects.toThrow(`${directory} is damaged (`);
  });

  it('that is a file is refused', async () => {
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    await expect(startEmbeddedStore({ directory: file })).rejects.toThrow(
      `the data directory ${file} cannot be used: EEXIST`,
    );
  });
});
