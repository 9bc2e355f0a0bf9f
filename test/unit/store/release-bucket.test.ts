/** A release in a bucket: nothing shows it before all of it is there. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { createReleaseBucket } from '../../../core/store/release-bucket.ts';

interface Written {
  readonly Key: string;
  readonly ContentType: string;
  readonly CacheControl: string;
  readonly Metadata?: Record<string, string>;
}

/** A bucket in memory that refuses the writes of keys that contain `refused`. */
function bucket(refused?: string) {
  const client = new S3Client({ region: 'local' });
  const mock = mockClient(client as never);
  const texts = new Map<string, string>();
  const written: Written[] = [];
  mock.on(PutObjectCommand as never).callsFake(({ Key, Body, ContentType, CacheControl, Metadata }) => {
    if (refused !== undefined && Key.includes(refused))
      throw new S3ServiceException({ name: 'SlowDown', $fault: 'server', $metadata: {} });
    texts.set(Key, String(Body));
    written.push({ Key, ContentType, CacheControl, ...(Metadata && { Metadata }) });
    return {};
  });
  mock.on(GetObjectCommand as never).callsFake(({ Key }) => {
    const text = texts.get(Key);
    if (text === undefined) throw new NoSuchKey({ message: `no ${Key}`, $metadata: {} });
    return { Body: { transformToString: async () => text } };
  });
  return { place: createReleaseBucket(client, 'releases'), written };
}

const POINTER = '{"release":"2026-06-01","manifest":"release=2026-06-01/manifest.json"}';

const publish = async ({ place }: ReturnType<typeof bucket>) => {
  const draft = await place.draft('2026-06-01');
  await writeFile(join(draft.folder, 'trend.parquet'), 'rows');
  const published = draft.publish(['trend.parquet'], '{"release":"2026-06-01"}', {
    'latest.json': POINTER,
    'index.html': '<p>',
  });
  return { draft, published };
};

describe('a release in a bucket', () => {
  it('has its files first, then its manifest, then what names it', async () => {
    const target = bucket();
    const { draft, published } = await publish(target);
    await published;
    const release = { CacheControl: 'public, max-age=86400' };
    const beside = { CacheControl: 'public, max-age=300' };
    expect(target.written).toEqual([
      {
        Key: 'data/release=2026-06-01/trend.parquet',
        ContentType: 'application/vnd.apache.parquet',
        ...release,
      },
      { Key: 'data/release=2026-06-01/manifest.json', ContentType: 'application/json', ...release },
      {
        Key: 'data/latest.json',
        ContentType: 'application/json',
        // The redirects below /data/latest/ read it.
        Metadata: { release: '2026-06-01' },
        ...beside,
      },
      { Key: 'data/index.html', ContentType: 'text/html; charset=utf-8', ...beside },
    ]);
    expect(existsSync(draft.folder)).toBe(false);
    expect(await target.place.read('release=2026-06-01/manifest.json')).toBe('{"release":"2026-06-01"}');
  });

  it('has no manifest after a file was refused, and the reason names bucket and error', async () => {
    const target = bucket('trend');
    const { draft, published } = await publish(target);
    await expect(published).rejects.toThrow('the release bucket releases refused: SlowDown');
    expect(await target.place.read('release=2026-06-01/manifest.json')).toBeUndefined();
    expect(target.written).toEqual([]);
    await draft.discard();
    expect(existsSync(draft.folder)).toBe(false);
  });
});
