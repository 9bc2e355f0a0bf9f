/** Releases in an S3 bucket, below `data/`, where CloudFront finds them. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, NoSuchKey, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import {
  LATEST,
  latestIn,
  MANIFEST,
  RELEASE_KEY,
  ReleaseFailure,
  type ReleasePlace,
  releaseFolder,
} from './release-place.ts';

const PREFIX = 'data/';
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  parquet: 'application/vnd.apache.parquet',
};
/** Files of a release never change; those beside the releases change with the next one. */
const CACHED = { release: 'public, max-age=86400', beside: 'public, max-age=300' } as const;

export function createReleaseBucket(client: S3Client, bucket: string): ReleasePlace {
  const asked = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown';
      throw new ReleaseFailure(`the release bucket ${bucket} refused: ${name}`, { cause: error });
    }
  };
  const put = (
    path: string,
    body: Uint8Array | string,
    kind: keyof typeof CACHED,
    metadata?: Record<string, string>,
  ) =>
    asked(() =>
      client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: `${PREFIX}${path}`,
          Body: body,
          ContentType: TYPES[path.slice(path.lastIndexOf('.') + 1)],
          CacheControl: CACHED[kind],
          ...(metadata && { Metadata: metadata }),
        }),
      ),
    );
  const replace: ReleasePlace['replace'] = async (beside) => {
    for (const [name, text] of Object.entries(beside)) {
      const release = name === LATEST ? latestIn(text) : undefined;
      // A function of the distribution reads no body, so it finds the day in a header.
      await put(name, text, 'beside', release === undefined ? undefined : { [RELEASE_KEY]: release });
    }
  };
  return {
    name: tmpdir(),
    replace,
    read: (path) =>
      asked(async () => {
        try {
          const object = new GetObjectCommand({ Bucket: bucket, Key: `${PREFIX}${path}` });
          return await (await client.send(object)).Body?.transformToString();
        } catch (error) {
          if (error instanceof NoSuchKey) return undefined;
          throw error;
        }
      }),
    async draft(day) {
      const folder = await mkdtemp(join(tmpdir(), 'release-'));
      const home = releaseFolder(day);
      return {
        folder,
        discard: () => rm(folder, { recursive: true, force: true }),
        async publish(files, manifest, beside) {
          for (const path of files)
            await put(`${home}/${path}`, await readFile(join(folder, path)), 'release');
          await put(`${home}/${MANIFEST}`, manifest, 'release');
          await replace(beside);
          await rm(folder, { recursive: true, force: true });
        },
      };
    },
  };
}
