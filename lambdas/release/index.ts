/** The release on AWS: writes the release of the day into the bucket of the dataset. */
import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import { dayOf } from '../../core/reference/time.ts';
import { RELEASED_DECLARATIONS } from '../../core/release/manifest.ts';
import { writeRelease } from '../../core/release/release.ts';
import { RELEASE_READS } from '../../core/release/store-tables.ts';
import { createReleaseBucket } from '../../core/store/release-bucket.ts';
import { storeWiring } from '../function-tables.ts';
import { readEnvironment, type StoreWiring, text } from '../wiring.ts';

const variablesSchema = z.object({ RELEASE_BUCKET: text, DATASET_ADDRESS: z.url() });

function releaseFunction({ variables, openTables, now, log }: StoreWiring) {
  const { RELEASE_BUCKET, DATASET_ADDRESS } = readEnvironment(variablesSchema, variables);
  const tables = openTables(RELEASE_READS, 'patient');
  const place = createReleaseBucket(new S3Client({}), RELEASE_BUCKET);
  return async () => {
    const { manifest, written } = await writeRelease({
      tables,
      declarations: RELEASED_DECLARATIONS,
      place,
      day: dayOf(now()),
      address: DATASET_ADDRESS,
      madeAt: now(),
    });
    const { release, files } = manifest;
    const outcome = {
      release,
      written,
      files: files.length,
      rows: files.reduce((sum, { rows }) => sum + rows, 0),
    };
    log.info('release of the dataset', outcome);
    return outcome;
  };
}

export const handler = releaseFunction(storeWiring(process.env));
