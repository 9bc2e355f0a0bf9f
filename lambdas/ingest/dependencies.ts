/** Opens the dependencies of the ingest from the wiring of its function. */
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { type IngestDependencies, ingestStores } from '../../core/ingest/dependencies.ts';
import { findPort } from '../../core/reference/ports.ts';
import { createFolderArchive, createFolderStates } from '../../core/store/raw-archive.ts';
import { INGEST_TABLES } from '../../core/store/tables.ts';
import { fetchHttpClient } from '../../core/upstream/fetch-client.ts';
import type { SourceDeclaration } from '../../core/upstream/source.ts';
import { readEnvironment, type StoreWiring, text, type Variables } from '../wiring.ts';

const folder = z.string().check(z.regex(/^file:/));
const foldersSchema = z.object({
  RAW_ARCHIVE: folder,
  ARCHIVE_NOTES: z.optional(folder),
  POSITION_STEPS: z.optional(folder),
});
const storageSchema = z.union([foldersSchema, z.object({ RAW_ARCHIVE_BUCKET: text })]);

type Storage = Pick<IngestDependencies, 'archive' | 'steps'>;

/** What a stage on AWS has beside its tables; `aws.ts` opens it, so that one machine does not load the clients. */
export interface StageServices {
  openBucket(name: string): Storage;
  readSecret(name: string): Promise<string | undefined>;
}

/** Folders on one machine, with others for verdicts and steps where recordings are read-only; else the bucket of the stage. */
function openStorage(variables: Variables, stage: StageServices | undefined): Storage {
  if (stage !== undefined) {
    const where = readEnvironment(storageSchema, variables);
    if ('RAW_ARCHIVE_BUCKET' in where) return stage.openBucket(where.RAW_ARCHIVE_BUCKET);
  }
  const folders = readEnvironment(foldersSchema, variables);
  const { RAW_ARCHIVE, ARCHIVE_NOTES = RAW_ARCHIVE, POSITION_STEPS = RAW_ARCHIVE } = folders;
  const steps = fileURLToPath(POSITION_STEPS);
  return {
    archive: createFolderArchive(fileURLToPath(RAW_ARCHIVE), fileURLToPath(ARCHIVE_NOTES)),
    steps: { calls: createFolderArchive(steps), states: createFolderStates(steps) },
  };
}

/** The secret's own variable, where it is set; else Secrets Manager, where the stage names an entry for it. */
async function secretFor(
  { secret }: SourceDeclaration,
  variables: Variables,
  stage: StageServices | undefined,
): Promise<string | undefined> {
  if (secret === undefined) return undefined;
  const own = variables[secret];
  const secretName = variables[`${secret}_SECRET_NAME`];
  if (own !== undefined && own !== '') return own;
  return secretName === undefined ? undefined : stage?.readSecret(secretName);
}

/**
 * @param owner of the leases of its passes, where the variables name none
 * @param stage absent on one machine
 */
export function openIngestDependencies(
  { variables, openTables, wallClock, now }: StoreWiring,
  owner: string,
  stage?: StageServices,
): IngestDependencies {
  return {
    ...ingestStores(openTables(INGEST_TABLES, 'patient'), now),
    ...openStorage(variables, stage),
    httpFor: (declaration) =>
      fetchHttpClient(declaration, {
        now: wallClock,
        random: Math.random,
        sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        contact: variables.CONTACT,
      }),
    secretFor: (declaration) => secretFor(declaration, variables, stage),
    findPort,
    now,
    replays: variables.REPLAYS === 'true',
    owner: variables.LEASE_OWNER ?? owner,
  };
}
