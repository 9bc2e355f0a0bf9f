/** Wiring of the release function: writes the release of the day into the bucket of the dataset. */

import { Logger } from '@aws-lambda-powertools/logger';
import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import { dayOf } from '../../core/reference/time.ts';
import { writeRelease } from '../../core/release/release.ts';
import { RELEASE_READS } from '../../core/release/store-tables.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { PATIENT_RESPONSE_MS } from '../../core/store/open-tables.ts';
import { createReleaseBucket } from '../../core/store/release-bucket.ts';
import { readEnvironment, serviceClock, text } from '../environment.ts';
import { openFunctionTables } from '../function-tables.ts';

const { RELEASE_BUCKET, DATASET_ADDRESS } = readEnvironment(
  z.object({ RELEASE_BUCKET: text, DATASET_ADDRESS: z.url() }),
  process.env,
);
const tables = openFunctionTables(RELEASE_READS, process.env, PATIENT_RESPONSE_MS);
const place = createReleaseBucket(new S3Client({}), RELEASE_BUCKET);
const now = serviceClock(process.env);
const logger = new Logger();

export const handler = async () => {
  const { manifest, written } = await writeRelease({
    tables,
    declarations: SOURCE_DECLARATIONS,
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
  logger.info('release of the dataset', outcome);
  return outcome;
};
