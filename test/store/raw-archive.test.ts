/** The raw archive in a folder and in a bucket: the same behaviour, and nothing incomplete is taken for complete. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import {
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterEach, describe, expect, it } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { zipSync } from 'fflate';
import { createBucketArchive } from '../../core/store/bucket-archive.ts';
import { createFolderArchive, type RawArchive } from '../../core/store/raw-archive.ts';
import { extent } from '../builders/extent.ts';

interface Stored {
  readonly body: Uint8Array;
  readonly metadata: Record<string, string> | undefined;
}

const KEYS_A_PAGE = 1000;

/** A bucket in memory; `listed` has the StartAfter of each listing. */
function bucket() {
  const client = new S3Client({ region: 'local' });
  const mock = mockClient(client as never);
  const objects = new Map<string, Stored>();
  const listed: (string | undefined)[] = [];
  const bytes = (body: Uint8Array) => ({ transformToByteArray: async () => body }) as unknown as Readable;
  mock.on(PutObjectCommand as never).callsFake(({ Key, Body, Metadata }) => {
    objects.set(Key, { body: Body, metadata: Metadata });
    return {};
  });
  mock.on(GetObjectCommand as never).callsFake(({ Key }) => {
    const stored = objects.get(Key);
    if (stored === undefined) throw new NoSuchKey({ message: `no ${Key}`, $metadata: {} });
    return { Body: bytes(stored.body), Metadata: stored.metadata };
  });
  mock.on(ListObjectsV2Command as never).callsFake(({ Prefix, StartAfter = '', ContinuationToken }) => {
    listed.push(StartAfter);
    const after = ContinuationToken ?? StartAfter;
    const keys = [...objects.keys()].filter((key) => key.startsWith(Prefix) && key > after).sort();
    const page = keys.slice(0, KEYS_A_PAGE);
    const isTruncated = keys.length > KEYS_A_PAGE;
    return {
      Contents: page.map((Key) => ({ Key })),
      IsTruncated: isTruncated,
      ...(isTruncated && { NextContinuationToken: page.at(-1) }),
    };
  });
  return { archive: createBucketArchive(client, 'raw'), objects, listed };
}

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

const newFolder = async (): Promise<string> => {
  const root = await mkdtemp(join(tmpdir(), 'archive-'));
  folders.push(root);
  return root;
};

const T0 = Date.UTC(2026, 0, 5);
const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const files = new Map([
  ['a.json', text('{"a":1}')],
  ['b.xml', new Uint8Array()],
]);
const entriesOf = (read: ReadonlyMap<string, Uint8Array> | undefined) =>
  [...(read ?? [])].map(([name, body]) => [name, Buffer.from(body).toString()]);

interface Opened {
  readonly archive: RawArchive;
  /** Puts one file at a path of the archive, as a person or an older version would. */
  readonly place: (path: string, body: Uint8Array) => Promise<void>;
  /** Every path in it. */
  readonly paths: () => Promise<string[]>;
  readonly bytesAt: (path: string) => Promise<Uint8Array>;
}

const openers: Record<string, () => Promise<Opened>> = {
  folder: async () => {
    const root = await newFolder();
    return {
      archive: createFolderArchive(root),
      async place(path, body) {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), body);
      },
      paths: async () => {
        const entries = await readdir(root, { recursive: true, withFileTypes: true });
        return entries
          .filter((entry) => entry.isFile())
          .map((entry) => relative(root, join(entry.parentPath, entry.name)));
      },
      bytesAt: (path) => readFile(join(root, path)),
    };
  },
  bucket: async () => {
    const { archive, objects } = bucket();
    return {
      archive,
      async place(path, body) {
        objects.set(path, { body, metadata: undefined });
      },
      paths: async () => [...objects.keys()],
      bytesAt: async (path) => objects.get(path)?.body ?? new Uint8Array(),
    };
  },
};

describe.each(Object.keys(openers))('the archive in a %s', (kind) => {
  const open = (): Promise<Opened> => openers[kind]?.() ?? Promise.reject(new Error(kind));

  it('returns the bytes that it was given', async () => {
    const { archive } = await open();
    await archive.write('one', T0, files);
    expect(entriesOf(await archive.read('one', T0))).toEqual([
      ['a.json', '{"a":1}'],
      ['b.xml', ''],
    ]);
  });

  it('stores a fetch as one compressed file, the same bytes for the same files', async () => {
    const { archive, paths, bytesAt } = await open();
    const reply = new Map([['poll.xml', text('<vessel>Ever Given</vessel>'.repeat(2000))]]);
    await archive.write('one', T0, reply);
    expect(await paths()).toEqual(['one/20260105T000000Z.zip']);
    const bytes = await bytesAt('one/20260105T000000Z.zip');
    expect(bytes.length).toBeLessThan(2000);
    await archive.write('one', T0, reply);
    expect(Buffer.from(await bytesAt('one/20260105T000000Z.zip')).equals(Buffer.from(bytes))).toBe(true);
  });

  it('replaces a fetch that is written again', async () => {
    const { archive, place } = await open();
    await place('one/20260105T000000Z/old.json', text('old'));
    await archive.write('one', T0, files);
    await archive.write('one', T0, new Map([['c.json', text('3')]]));
    expect(entriesOf(await archive.read('one', T0))).toEqual([['c.json', '3']]);
    expect(await archive.fetches('one', undefined, T0)).toEqual([T0]);
  });

  it('reads a folder of plain files, and lists it among the others', async () => {
    const { archive, place } = await open();
    await place('one/20260105T000000Z/a.json', text('plain'));
    await archive.write('one', T0 + 1000, files);
    expect(await archive.fetches('one', undefined, T0 + 1000)).toEqual([T0, T0 + 1000]);
    expect(entriesOf(await archive.read('one', T0))).toEqual([['a.json', 'plain']]);
  });

  it('reads a ZIP file that another program made, without its folders', async () => {
    const { archive, place } = await open();
    await place('one/20260105T000000Z.zip', zipSync({ 'sub/': new Uint8Array(), 'a.json': text('zipped') }));
    expect(entriesOf(await archive.read('one', T0))).toEqual([['a.json', 'zipped']]);
  });

  it('finds a fetch incomplete when its file was copied in part', async () => {
    const { archive, place, bytesAt } = await open();
    await archive.write('one', T0, files);
    const whole = await bytesAt('one/20260105T000000Z.zip');
    for (const length of [0, 10, whole.length - 5]) {
      await place('one/20260105T000000Z.zip', whole.slice(0, length));
      expect(await archive.read('one', T0)).toBeUndefined();
    }
  });

  it('finds a fetch damaged when one bit of its file is flipped, or returns what was written', async () => {
    const { archive, place, bytesAt } = await open();
    await archive.write('one', T0, files);
    const whole = await bytesAt('one/20260105T000000Z.zip');
    const written = entriesOf(await archive.read('one', T0));
    const others: number[] = [];
    for (let bit = 0; bit < whole.length * 8; bit += extent(7, 1)) {
      const damaged = Uint8Array.from(whole);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await place('one/20260105T000000Z.zip', damaged);
      const read = await archive.read('one', T0);
      if (read !== undefined && JSON.stringify(entriesOf(read)) !== JSON.stringify(written)) others.push(bit);
    }
    expect(others).toEqual([]);
  });

  it.each([
    ['a file that has the name of a folder of a fetch', 'one/20260105T000001Z'],
    ['a folder that has the name of a ZIP file', 'one/20260105T000001Z.zip/a.json'],
  ])('passes over %s', async (_, path) => {
    const { archive, place } = await open();
    await archive.write('one', T0, files);
    await place(path, text('stray'));
    expect(await archive.fetches('one', undefined, T0 + 5000)).toEqual([T0]);
  });

  it('stores a fetch without files, so that it is known to have been made', async () => {
    const { archive } = await open();
    await archive.write('one', T0, new Map());
    expect(await archive.fetches('one', undefined, T0)).toEqual([T0]);
    expect((await archive.read('one', T0))?.size).toBe(0);
  });

  it('lists the fetches of one source after one time and up to another, oldest first', async () => {
    const { archive, place } = await open();
    for (const at of [T0 + 3000, T0, T0 + 1000, T0 + 2000]) await archive.write('one', at, files);
    await archive.write('one-more', T0 + 1500, files);
    await place('one/notes.txt', text('no fetch'));
    expect(await archive.fetches('one', undefined, T0 + 2000)).toEqual([T0, T0 + 1000, T0 + 2000]);
    expect(await archive.fetches('one', T0, T0 + 2000)).toEqual([T0 + 1000, T0 + 2000]);
    expect(await archive.fetches('none', undefined, T0)).toEqual([]);
  });
});

describe('the bucket', () => {
  it('finds a fetch that was stored file by file incomplete when a file is missing', async () => {
    const { archive, objects } = bucket();
    const metadata = { 'fetch-files': '2' };
    objects.set('one/20260105T000000Z/a.json', { body: text('1'), metadata });
    expect(await archive.read('one', T0)).toBeUndefined();
    objects.set('one/20260105T000000Z/b.json', { body: text('2'), metadata });
    expect((await archive.read('one', T0))?.size).toBe(2);
  });

  it('lists from the checkpoint on, past both forms of the fetch there', async () => {
    const { archive, listed, objects } = bucket();
    await archive.write('one', T0, files);
    objects.set('one/20260105T000000Z/a.json', { body: text('1'), metadata: undefined });
    expect(await archive.fetches('one', T0, T0 + 1000)).toEqual([]);
    expect(listed).toEqual(['one/20260105T000000Z~']);
    expect([...objects.keys()].every((key) => key < 'one/20260105T000000Z~')).toBe(true);
  });
});

it('the bucket lists every page up to the last time asked for, and none after it', async () => {
  const { archive, objects, listed } = bucket();
  const times = Array.from({ length: 3500 }, (_, index) => T0 + index * 60_000);
  for (const at of times)
    objects.set(`s/${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.zip`, {
      body: new Uint8Array(),
      metadata: undefined,
    });
  expect(await archive.fetches('s', undefined, Infinity)).toEqual(times);
  expect(listed.splice(0)).toHaveLength(4);
  expect(await archive.fetches('s', times[9], times[10] ?? 0)).toEqual([times[10]]);
  expect(listed.splice(0)).toHaveLength(1);
  expect(await archive.fetches('s', times[9], times[1010] ?? 0)).toEqual(times.slice(10, 1011));
  expect(listed.splice(0)).toHaveLength(2);
  expect(await archive.fetches('s', undefined, Number.MAX_SAFE_INTEGER)).toEqual(times);
});

it('the folder passes over a folder within a fetch', async () => {
  const root = await newFolder();
  await mkdir(join(root, 'one/20260105T000000Z/stray'), { recursive: true });
  await writeFile(join(root, 'one/20260105T000000Z/a.json'), 'plain');
  expect(entriesOf(await createFolderArchive(root).read('one', T0))).toEqual([['a.json', 'plain']]);
});

it('the folder refuses a source whose name leads out of it', async () => {
  const archive = createFolderArchive(await newFolder());
  await expect(archive.write('..', T0, files)).rejects.toThrow('not a name of a source');
  await expect(archive.write('a/b', T0, files)).rejects.toThrow('not a name of a source');
});
