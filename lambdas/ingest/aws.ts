/** What the ingest on AWS has beside its tables: the bucket of the archive, and the keys of sources. */
import { S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createBucketArchive, createBucketStates } from '../../core/store/bucket-archive.ts';
import type { StageServices } from './dependencies.ts';

export const AWS_SERVICES: StageServices = {
  openBucket(name) {
    const client = new S3Client({});
    const archive = createBucketArchive(client, name);
    return { archive, steps: { calls: archive, states: createBucketStates(client, name) } };
  },
  async readSecret(name) {
    const { SecretString } = await new SecretsManagerClient({}).send(
      new GetSecretValueCommand({ SecretId: name }),
    );
    return SecretString;
  },
};
