/** Uploads the built portal to its bucket: hashed files first, so that no page is served before its script. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { cacheControl, contentType, HASHED_FILES } from '../served-headers.ts';

/** Paths of the files below `folder`, with a slash in front; those with a hash in their name first. */
function uploadOrder(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length));
  const isHashed = (path: string): number => Number(path.startsWith(HASHED_FILES));
  return files.toSorted((a, b) => isHashed(b) - isHashed(a) || a.localeCompare(b));
}

/**
 * Uploads everything in `folder` (without a trailing slash); returns the paths. Nothing is deleted: CloudFront refuses
 * an old page, and an open page may still request an old script.
 */
export async function uploadPortal(client: S3Client, bucket: string, folder: string): Promise<string[]> {
  const files = uploadOrder(folder);
  for (const path of files) {
    await client.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: path.slice(1),
        Body: readFileSync(join(folder, path)),
        ContentType: contentType(path),
        CacheControl: cacheControl(path),
      }),
    );
  }
  return files;
}
