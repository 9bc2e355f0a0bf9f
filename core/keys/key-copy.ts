/** A list of the keys beside the archive, from which they can be made again where the key table and the gateway are lost. */
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { KEY_COPY } from './administration.ts';
import type { KeyRow } from './entitlements.ts';

/** JSON whose bytes do not depend on the order in which DynamoDB returns the attributes of a row. The values are flat. */
const orderedJson = (row: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))));

/** Writes the list, sorted by digest, so that the same keys give the same object. Rejects with what S3 says. */
export const createKeyCopy =
  (client: Pick<S3Client, 'send'>, bucket: string) =>
  async (rows: readonly KeyRow[]): Promise<void> => {
    const sorted = rows.toSorted((a, b) => (a.digest < b.digest ? -1 : 1));
    const Body = `[${sorted.map(orderedJson).join(',')}]`;
    await client.send(
      new PutObjectCommand({ Bucket: bucket, Key: KEY_COPY, Body, ContentType: 'application/json' }),
    );
  };
