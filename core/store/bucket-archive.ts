/** The raw archive in an S3 bucket. */
import {
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { Instant } from '../reference/time.ts';
import {
  fetchesAmong,
  fetchesJudged,
  type PositionStates,
  packFetch,
  packNote,
  type RawArchive,
  stateName,
  timeStamp,
  unpackFetch,
  unpackNote,
  zipName,
} from './raw-archive.ts';

/** Metadata of a fetch that was stored file by file: how many files it has. Files copied by hand lack it. */
const FILE_COUNT = 'fetch-files';
/** Times from here on have no stamp: callers name one for all fetches. */
const NO_LIMIT = Date.UTC(10_000, 0);

export function createBucketArchive(client: S3Client, bucket: string): RawArchive {
  /** Keys in their order, page by page; no further page is requested after one that ends past `endsAfter`. */
  async function keysUnder(prefix: string, startAfter?: string, endsAfter?: string): Promise<string[]> {
    const keys: string[] = [];
    const pages = paginateListObjectsV2(
      { client },
      { Bucket: bucket, Prefix: prefix, StartAfter: startAfter },
    );
    for await (const { Contents } of pages) {
      keys.push(...(Contents ?? []).map(({ Key }) => Key ?? ''));
      if (endsAfter !== undefined && (keys.at(-1) ?? '') > endsAfter) break;
    }
    return keys;
  }

  /** Undefined where there is none. */
  async function getObject(key: string) {
    try {
      const { Body, Metadata } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      return { body: (await Body?.transformToByteArray()) ?? new Uint8Array(), metadata: Metadata };
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw error;
    }
  }

  /** A fetch that was stored file by file. */
  async function readFiles(prefix: string): Promise<ReadonlyMap<string, Uint8Array> | undefined> {
    const keys = await keysUnder(prefix);
    const objects = await Promise.all(
      keys.map(async (key) => {
        const object = await getObject(key);
        // The pass is repeated; a verdict would stand for ever.
        if (object === undefined) throw new Error(`${key} is listed, and is not there`);
        return object;
      }),
    );
    const stated = Math.max(0, ...objects.map(({ metadata }) => Number(metadata?.[FILE_COUNT] ?? 0)));
    if (objects.length < stated) return undefined;
    return new Map(objects.map(({ body }, at) => [keys[at]?.slice(prefix.length) ?? '', body]));
  }

  /** Keys of a source after one time and up to another. */
  function keysBetween(source: string, afterAt: Instant | undefined, untilAt: Instant): Promise<string[]> {
    // '~' sorts after '.' and '/', so that all keys of the fetch come before this one.
    const after = (at: Instant): string => `${source}/${timeStamp(at)}~`;
    const startAfter = afterAt === undefined ? undefined : after(afterAt);
    return keysUnder(`${source}/`, startAfter, untilAt < NO_LIMIT ? after(untilAt) : undefined);
  }

  const put = async (key: string, Body: Uint8Array, ContentType: string): Promise<void> => {
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body, ContentType }));
  };

  return {
    async fetches(source, afterAt, untilAt) {
      return fetchesAmong(
        (await keysBetween(source, afterAt, untilAt)).flatMap((key) => {
          const [, name = '', ...inside] = key.split('/');
          // Any other object of such a name is a stray.
          return name.endsWith('.zip') === (inside.length === 0) ? [name] : [];
        }),
        afterAt,
        untilAt,
      );
    },
    async read(source, fetchedAt) {
      const zip = await getObject(`${source}/${zipName(fetchedAt)}`);
      return zip === undefined ? readFiles(`${source}/${timeStamp(fetchedAt)}/`) : unpackFetch(zip.body);
    },
    write: (source, fetchedAt, files) =>
      put(`${source}/${zipName(fetchedAt)}`, packFetch(files), 'application/zip'),
    async readNote(source, name) {
      const note = await getObject(`${source}/${name}`);
      return note && unpackNote(note.body);
    },
    writeNote: (source, name, content) => put(`${source}/${name}`, packNote(content), 'application/json'),
    async judged(source, afterAt, untilAt) {
      const names = (await keysBetween(source, afterAt, untilAt)).map((key) => key.slice(source.length + 1));
      return fetchesAmong(fetchesJudged(names), afterAt, untilAt);
    },
  };
}

// The states that position sources leave, in a bucket: one object a source, written on the condition that it is the
// one that was read.

const isNamed = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof Error && names.includes(error.name);

export function createBucketStates(client: S3Client, bucket: string): PositionStates {
  return {
    async read(source) {
      try {
        const { Body, ETag } = await client.send(
          new GetObjectCommand({ Bucket: bucket, Key: stateName(source) }),
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
      const put = { Bucket: bucket, Key: stateName(source), Body: bytes, ...condition };
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
