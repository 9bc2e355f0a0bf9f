/** The place of a manual ingest: the tables that the environment names, or those of a data directory. */
import { pathToFileURL } from 'node:url';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { TABLES } from '../../core/store/tables.ts';
import { makeFolder } from '../../local/service/data-directory.ts';
import { liveDirectory, replayDirectory } from '../../local/service/data-mode.ts';
import { serviceEnvironment } from '../../local/service/local-service.ts';
import { upstreamEnvironment } from '../../local/service/upstream-environment.ts';
import { errorText, StartError } from '../../local/start-error.ts';
import { DEFAULT_DATA_DIR, openLocalTables } from '../local-tables.ts';

export interface IngestPlace {
  /** Its name in messages. */
  readonly name: string;
  readonly environment: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/** The tables and the archive of a deployed stage, or of any endpoint. */
function namedPlace(replay: string | undefined): IngestPlace {
  const named = process.env.RAW_ARCHIVE ?? process.env.RAW_ARCHIVE_BUCKET;
  if (replay === undefined && named === undefined)
    throw new StartError(
      'the environment names tables but no archive: set RAW_ARCHIVE_BUCKET, or RAW_ARCHIVE',
    );
  const archive = replay === undefined ? {} : { RAW_ARCHIVE: pathToFileURL(replay).href };
  return {
    name: `the tables that the environment names (${process.env[TABLES.ports.variable]} and the others)`,
    environment: { ...process.env, ...archive },
    close: async () => undefined,
  };
}

/** The data directory of the service on this machine, with its store opened. */
async function localPlace(
  dataDir: string,
  replay: string | undefined,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<IngestPlace> {
  const { variables, contactLine } = upstreamEnvironment(SOURCE_DECLARATIONS, process.env);
  if (replay === undefined) say(contactLine);
  const directory = replay === undefined ? liveDirectory(dataDir) : replayDirectory(dataDir, replay);
  try {
    makeFolder(directory);
  } catch (thrown) {
    throw new StartError(`the data directory ${directory} cannot be used: ${errorText(thrown)}`);
  }
  const { environment, close } = await openLocalTables(directory, say, undefined, signal);
  return {
    name: directory,
    environment: {
      PATH: process.env.PATH,
      ...variables,
      ...environment,
      ...serviceEnvironment(directory, replay, 0),
    },
    close,
  };
}

export const openIngestPlace = async (
  dataDir: string | undefined,
  replay: string | undefined,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<IngestPlace> =>
  dataDir === undefined && process.env[TABLES.ports.variable] !== undefined
    ? namedPlace(replay)
    : localPlace(dataDir ?? DEFAULT_DATA_DIR, replay, say, signal);
