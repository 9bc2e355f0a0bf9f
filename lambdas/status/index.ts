/** The status on AWS: writes the status of the service into the bucket that is served below `/data/`. */
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import { STATUS_FILE } from '../../core/contracts/published-files.ts';
import { serviceStatus } from '../../core/ingest/service-status.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { createSourceStatusStore } from '../../core/store/source-status.ts';
import { storeWiring } from '../function-tables.ts';
import { readEnvironment, type StoreWiring, text } from '../wiring.ts';

const variablesSchema = z.object({ STATUS_BUCKET: text });

function statusFunction({ variables, openTables, now, log }: StoreWiring) {
  const { STATUS_BUCKET } = readEnvironment(variablesSchema, variables);
  const statuses = createSourceStatusStore(openTables(['sourceStatus'], 'patient').sourceStatus, now);
  const bucket = new S3Client({});
  return async () => {
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
    log.info('status of the service', { behind });
    return { sources: status.sources.length, behind };
  };
}

export const handler = statusFunction(storeWiring(process.env));
