/** Opens the dependencies of the ingest from the environment. */

import { fileURLToPath } from 'node:url';
import { S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { type IngestDependencies, ingestStores } from '../../core/ingest/dependencies.ts';
import type { PositionSteps } from '../../core/ingest/position-steps.ts';
import { findPort } from '../../core/reference/ports.ts';
import { createBucketArchive } from '../../core/store/bucket-archive.ts';
import { PATIENT_RESPONSE_MS } from '../../core/store/open-tables.ts';
import { createBucketStates, createFolderStates } from '../../core/store/position-states.ts';
import { createFolderArchive, type RawArchive } from '../../core/store/raw-archive.ts';
import { INGEST_TABLES } from '../../core/store/tables.ts';
import { fetchHttpClient } from '../../core/upstream/http/fetch-client.ts';
import type { SourceDeclaration } from '../../core/upstream/source.ts';
import { readEnvironment, serviceClock, type Variables } from '../environment.ts';
import { openFunctionTables } from '../function-tables.ts';

const archiveSchema = z.union([
  z.object({
    RAW_ARCHIVE: z.string().check(z.regex(/^file:/)),
    ARCHIVE_NOTES: z.optional(z.string().check(z.regex(/^file:/))),
  }),
  z.object({ RAW_ARCHIVE_BUCKET: z.string().check(z.minLength(1)) }),
]);

/**
 * A folder where the environment names one (the service on one machine), with another for its verdicts where the archive is
 * not the service's own; else the bucket of the stage.
 */
function openArchive(variables: Variables): RawArchive {
  const where = readEnvironment(archiveSchema, variables);
  return 'RAW_ARCHIVE' in where
    ? createFolderArchive(
        fileURLToPath(where.RAW_ARCHIVE),
        fileURLToPath(where.ARCHIVE_NOTES ?? where.RAW_ARCHIVE),
      )
    : createBucketArchive(new S3Client({}), where.RAW_ARCHIVE_BUCKET);
}

const stepsSchema = z.union([
  z.object({ POSITION_STEPS: z.string().check(z.regex(/^file:/)) }),
  z.object({ RAW_ARCHIVE: z.string() }),
  z.object({ RAW_ARCHIVE_BUCKET: z.string() }),
]);

/** A separate folder where the environment names one, because recordings are read-only; else the archive's. */
function openSteps(variables: Variables): PositionSteps {
  const where = readEnvironment(stepsSchema, variables);
  if ('RAW_ARCHIVE_BUCKET' in where) {
    const client = new S3Client({});
    const bucket = where.RAW_ARCHIVE_BUCKET;
    return { calls: createBucketArchive(client, bucket), states: createBucketStates(client, bucket) };
  }
  const root = fileURLToPath('POSITION_STEPS' in where ? where.POSITION_STEPS : where.RAW_ARCHIVE);
  return { calls: createFolderArchive(root), states: createFolderStates(root) };
}

/** The secret's own variable, where it is set; else Secrets Manager, where the stage names an entry for it. */
async function secretFor({ secret }: SourceDeclaration, variables: Variables): Promise<string | undefined> {
  if (secret === undefined) return undefined;
  const own = variables[secret];
  const secretName = variables[`${secret}_SECRET_NAME`];
  if (own !== undefined && own !== '') return own;
  if (secretName === undefined) return undefined;
  const { SecretString } = await new SecretsManagerClient({}).send(
    new GetSecretValueCommand({ SecretId: secretName }),
  );
  return SecretString;
}

export function openIngestDependencies(variables: Variables, owner: string): IngestDependencies {
  const now = serviceClock(variables);
  return {
    ...ingestStores(openFunctionTables(INGEST_TABLES, variables, PATIENT_RESPONSE_MS), now),
    archive: openArchive(variables),
    steps: openSteps(variables),
    httpFor: (declaration) =>
      fetchHttpClient(declaration, {
        now: Date.now,
        random: Math.random,
        sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        contact: variables.CONTACT,
      }),
    secretFor: (declaration) => secretFor(declaration, variables),
    findPort,
    now,
    replays: variables.REPLAYS === 'true',
    owner,
  };
}
