/** Opens the dependencies of the ingest from the wiring of its function. */

import { fileURLToPath } from 'node:url';
import { S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { type IngestDependencies, ingestStores } from '../../core/ingest/dependencies.ts';
import { findPort } from '../../core/reference/ports.ts';
import { createBucketArchive } from '../../core/store/bucket-archive.ts';
import { createBucketStates, createFolderStates } from '../../core/store/position-states.ts';
import { createFolderArchive } from '../../core/store/raw-archive.ts';
import { INGEST_TABLES } from '../../core/store/tables.ts';
import { fetchHttpClient } from '../../core/upstream/http/fetch-client.ts';
import type { SourceDeclaration } from '../../core/upstream/source.ts';
import { readEnvironment, type StoreWiring, text, type Variables } from '../wiring.ts';

const folder = z.string().check(z.regex(/^file:/));
const storageSchema = z.union([
  z.object({
    RAW_ARCHIVE: folder,
    ARCHIVE_NOTES: z.optional(folder),
    POSITION_STEPS: z.optional(folder),
  }),
  z.object({ RAW_ARCHIVE_BUCKET: text }),
]);

/** Folders on one machine, with others for verdicts and steps where recordings are read-only; else the bucket of the stage. */
function openStorage(variables: Variables): Pick<IngestDependencies, 'archive' | 'steps'> {
  const where = readEnvironment(storageSchema, variables);
  if ('RAW_ARCHIVE_BUCKET' in where) {
    const client = new S3Client({});
    const archive = createBucketArchive(client, where.RAW_ARCHIVE_BUCKET);
    const states = createBucketStates(client, where.RAW_ARCHIVE_BUCKET);
    return { archive, steps: { calls: archive, states } };
  }
  const { RAW_ARCHIVE, ARCHIVE_NOTES = RAW_ARCHIVE, POSITION_STEPS = RAW_ARCHIVE } = where;
  const steps = fileURLToPath(POSITION_STEPS);
  return {
    archive: createFolderArchive(fileURLToPath(RAW_ARCHIVE), fileURLToPath(ARCHIVE_NOTES)),
    steps: { calls: createFolderArchive(steps), states: createFolderStates(steps) },
  };
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

/** @param owner of the leases of its passes, where the variables name none */
export function openIngestDependencies(
  { variables, openTables, wallClock, now }: StoreWiring,
  owner: string,
): IngestDependencies {
  return {
    ...ingestStores(openTables(INGEST_TABLES, 'patient'), now),
    ...openStorage(variables),
    httpFor: (declaration) =>
      fetchHttpClient(declaration, {
        now: wallClock,
        random: Math.random,
        sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        contact: variables.CONTACT,
      }),
    secretFor: (declaration) => secretFor(declaration, variables),
    findPort,
    now,
    replays: variables.REPLAYS === 'true',
    owner: variables.LEASE_OWNER ?? owner,
  };
}
