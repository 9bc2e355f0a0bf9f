/** The states that position sources leave, in a bucket: one object a source, written on the condition that it is the one that was read. */
import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { type PositionStates, stateName } from './position-states.ts';

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
