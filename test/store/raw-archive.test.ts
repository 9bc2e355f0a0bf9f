/** The raw archives: in a folder and in a bucket the same, and what was cut off is never taken for whole. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterEach, describe, expect, it } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { createBucketArchive } from '../../core/store/bucket-archive.ts';
import { createFolderArchive } from '../../core/store/folder-archive.ts';
import type { RawArchive } from '../../core/store/raw-archive.ts';

interface Stored {
  readonly body: Uint8Array;
  readonly metadata: Record<string, string> | undefined;
}

/** A bucket in memory; `listed` holds the StartAfter of each listing. */
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
    return { Body: bytes(stored?.body ?? new Uint8Array()), Metadata: stored?.metadata };
  });
  mock.on(ListObjectsV2Command as never).callsFake(({ Prefix, StartAfter = '' }) => {
    listed.push(StartAfter);
    const keys = [...objects.keys()].filter((key) => key.startsWith(Prefix) && key > StartAfter).sort();
    return { Contents: keys.map((Key) => ({ Key })) };
  });
  return { archive: createBucketArchive(client, 'raw'), objects, listed };
}

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

const openers: Record<string, () => Promise<RawArchive>> = {
  folder: async () => {
    const root = await mkdtemp(join(tmpdir(), 'archive-'));
    folders.push(root);
    return createFolderArchive(root);
  },
  bucket: async () => bucket().archive,
};

const T0 = Date.UTC(2026, 0, 5);
const files = new Map([
  ['a.json', new Uint8Array([1, 2])],
  ['b.xml', new Uint8Array()],
]);

describe.each(Object.keys(openers))('the archive in a %s', (kind) => {
  const open = (): Promise<RawArchive> => openers[kind]?.() ?? Promise.reject(new Error(kind));

  it('gives back the bytes that it was given', async () => {
    const archive = await open();
    await archive.write('one', T0, files);
    const read = await archive.read('one', T0);
    expect([...(read ?? [])].map(([name, body]) => [name, [...body]])).toEqual([
      ['a.json', [1, 2]],
      ['b.xml', []],
    ]);
  });

  it('lists the fetches of one source after one time and up to another, oldest first', async () => {
    const archive = await open();
    for (const at of [T0 + 3000, T0, T0 + 1000, T0 + 2000]) await archive.write('one', at, files);
    await archive.write('one-more', T0 + 1500, files);
    expect(await archive.fetches('one', undefined, T0 + 2000)).toEqual([T0, T0 + 1000, T0 + 2000]);
    expect(await archive.fetches('one', T0, T0 + 2000)).toEqual([T0 + 1000, T0 + 2000]);
    expect(await archive.fetches('none', undefined, T0)).toEqual([]);
  });
});

describe('the bucket', () => {
  it('does not read a fetch whose writing was cut off', async () => {
    const { archive, objects } = bucket();
    await archive.write('one', T0, files);
    objects.delete('one/20260105T000000Z/b.xml');
    expect(await archive.read('one', T0)).toBeUndefined();
  });

  it('reads what was copied into it by hand', async () => {
    const { archive, objects } = bucket();
    objects.set('one/20260105T000000Z/a.json', { body: new Uint8Array([7]), metadata: undefined });
    expect((await archive.read('one', T0))?.get('a.json')).toEqual(new Uint8Array([7]));
  });

  it('lists on from the checkpoint, not from the beginning', async () => {
    const { archive, listed } = bucket();
    await archive.fetches('one', T0, T0 + 1000);
    expect(listed).toEqual(['one/20260105T000000Z~']);
  });
});
