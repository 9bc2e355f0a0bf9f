/** The raw archive in an S3 bucket. */
import { GetObjectCommand, PutObjectCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { fetchesAmong, folderOf, type RawArchive } from './raw-archive.ts';

/** Each file says how many the fetch has, so that one that was cut off is known. Files copied by hand say nothing. */
const FILES = 'fetch-files';

export function createBucketArchive(client: S3Client, bucket: string): RawArchive {
  async function keysUnder(prefix: string, startAfter?: string): Promise<string[]> {
    const keys: string[] = [];
    const pages = paginateListObjectsV2(
      { client },
      { Bucket: bucket, Prefix: prefix, ...(startAfter === undefined ? {} : { StartAfter: startAfter }) },
    );
    for await (const { Contents } of pages) keys.push(...(Contents ?? []).map(({ Key }) => Key ?? ''));
    return keys;
  }

  return {
    async fetches(source, afterAt, untilAt) {
      // '~' sorts behind '/', so the list starts behind the last file of the fetch at `afterAt`.
      const startAfter = afterAt === undefined ? undefined : `${source}/${folderOf(afterAt)}~`;
      const keys = await keysUnder(`${source}/`, startAfter);
      return fetchesAmong(
        keys.map((key) => key.split('/')[1] ?? ''),
        afterAt,
        untilAt,
      );
    },
    async read(source, fetchedAt) {
      const prefix = `${source}/${folderOf(fetchedAt)}/`;
      let stated = 0;
      const read = async (key: string): Promise<[string, Uint8Array]> => {
        const { Body, Metadata } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        stated = Math.max(stated, Number(Metadata?.[FILES] ?? 0));
        return [key.slice(prefix.length), (await Body?.transformToByteArray()) ?? new Uint8Array()];
      };
      const files = new Map(await Promise.all((await keysUnder(prefix)).map(read)));
      return files.size < stated ? undefined : files;
    },
    async write(source, fetchedAt, files) {
      const Metadata = { [FILES]: String(files.size) };
      for (const [name, Body] of files) {
        const Key = `${source}/${folderOf(fetchedAt)}/${name}`;
        await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body, Metadata }));
      }
    },
  };
}
