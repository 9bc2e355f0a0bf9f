/** Wiring of the status function: writes the status of the service into the bucket that is served below `/data/`. */
import { Logger } from '@aws-lambda-powertools/logger';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import { STATUS_FILE } from '../../core/contracts/status.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { serviceStatus } from '../../core/status/service-status.ts';
import { PATIENT_RESPONSE_MS } from '../../core/store/open-tables.ts';
import { createSourceStatusStore } from '../../core/store/source-status.ts';
import { readEnvironment, serviceClock, text } from '../environment.ts';
import { openFunctionTables } from '../function-tables.ts';

const { STATUS_BUCKET } = readEnvironment(z.object({ STATUS_BUCKET: text }), process.env);
const { sourceStatus } = openFunctionTables(['sourceStatus'], process.env, PATIENT_RESPONSE_MS);
const now = serviceClock(process.env);
const statuses = createSourceStatusStore(sourceStatus, now);
const bucket = new S3Client({});
const logger = new Logger();

export const handler = async () => {
  const status = serviceStatus(SOURCE_DECLARATIONS, await statuses.all(), now());
  await bucket.send(
    new PutObjectCommand({
      Bucket: STATUS_BUCKET,
      Key: STATUS_FILE.slice(1),
      Body: JSON.stringify(status),
      ContentType: 'application/json',
      CacheControl: 'public, max-age=60',
    }),
  );
  const behind = status.sources.filter(({ state }) => state !== 'fresh').map(({ source }) => source);
  logger.info('status of the service', { behind });
  return { sources: status.sources.length, behind };
};
