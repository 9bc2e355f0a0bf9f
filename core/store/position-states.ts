/** The states that position sources leave from one fetch to the next: one object a source, replaced whole. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { ArchiveFailure } from './raw-archive.ts';

export interface StoredState {
  readonly bytes: Uint8Array;
  /** Of this content; a write says which version it replaces. */
  readonly version: string;
}

export interface PositionStates {
  read(source: string): Promise<StoredState | undefined>;
  /** Replaces `version`, or writes the first state without one. False, and nothing written, when another is there. */
  write(source: string, bytes: Uint8Array, version: string | undefined): Promise<boolean>;
}

const fileName = (source: string): string => `${source}.state`;

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export function createFolderStates(root: string): PositionStates {
  async function read(source: string): Promise<StoredState | undefined> {
    try {
      const bytes = await readFile(join(root, fileName(source)));
      return { bytes, version: digest(bytes) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new ArchiveFailure(`the state of ${source} cannot be read`, { cause: error });
    }
  }
  return {
    read,
    async write(source, bytes, version) {
      if ((await read(source))?.version !== version) return false;
      await mkdir(root, { recursive: true });
      const path = join(root, fileName(source));
      await writeFile(`${path}.new`, bytes);
      await rename(`${path}.new`, path);
      return true;
    },
  };
}

const isNamed = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof Error && names.includes(error.name);

export function createBucketStates(client: S3Client, bucket: string): PositionStates {
  return {
    async read(source) {
      try {
        const { Body, ETag } = await client.send(
          new GetObjectCommand({ Bucket: bucket, Key: fileName(source) }),
        );
        const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
        return { bytes, version: ETag ?? '' };
      } catch (error) {
        if (isNamed(error, 'NoSuchKey', 'NotFound')) return undefined;
        throw error;
      }
    },
    async write(source, bytes, version) {
      const condition = version === undefined ? { IfNoneMatch: '*' } : { IfMatch: version };
      const put = { Bucket: bucket, Key: fileName(source), Body: bytes, ...condition };
      try {
        await client.send(new PutObjectCommand(put));
        return true;
      } catch (error) {
        if (isNamed(error, 'PreconditionFailed', 'ConditionalRequestConflict')) return false;
        throw error;
      }
    },
  };
}
