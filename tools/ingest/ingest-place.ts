/** The place of a manual ingest: the tables that the environment names, or those of a data directory. */
import { pathToFileURL } from 'node:url';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { TABLES } from '../../core/store/tables.ts';
import { storeWiring } from '../../lambdas/function-tables.ts';
import { functionWiring, type StoreWiring } from '../../lambdas/wiring.ts';
import { makeFolder } from '../../local/data-directory.ts';
import { liveDirectory, replayDirectory } from '../../local/data-mode.ts';
import { localVariables } from '../../local/local-service.ts';
import { errorText, StartError } from '../../local/start-error.ts';
import { openStoreTables } from '../../local/tables.ts';
import { upstreamEnvironment } from '../../local/upstream-environment.ts';
import { DEFAULT_DATA_DIR, openLocalTables } from '../local-tables.ts';

/** In the environment of a worker: the store of this machine, where its tables are there. */
const LOCAL_STORE = 'LOCAL_STORE';

export interface IngestPlace {
  /** Its name in messages. */
  readonly name: string;
  /** It is of a deployed stage, or of any endpoint that others read too. */
  readonly isStage: boolean;
  /** Environment of the workers, which wire themselves with it. */
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
    isStage: true,
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
): Promise<IngestPlace> {
  const { variables, contactLine } = upstreamEnvironment(SOURCE_DECLARATIONS, process.env);
  if (replay === undefined) say(contactLine);
  const directory = replay === undefined ? liveDirectory(dataDir) : replayDirectory(dataDir, replay);
  try {
    makeFolder(directory);
  } catch (thrown) {
    throw new StartError(`the data directory ${directory} cannot be used: ${errorText(thrown)}`);
  }
  const { endpoint, close } = await openLocalTables(directory, undefined);
  return {
    isStage: false,
    name: directory,
    environment: {
      PATH: process.env.PATH,
      ...variables,
      ...localVariables(directory, replay),
      [LOCAL_STORE]: endpoint,
    },
    close,
  };
}

export const openIngestPlace = async (
  dataDir: string | undefined,
  replay: string | undefined,
  say: (line: string) => void,
): Promise<IngestPlace> =>
  dataDir === undefined && process.env[TABLES.ports.variable] !== undefined
    ? namedPlace(replay)
    : localPlace(dataDir ?? DEFAULT_DATA_DIR, replay, say);

/** The wiring of a process with the environment of a place. */
export function wiringOf(environment: NodeJS.ProcessEnv): StoreWiring {
  const endpoint = environment[LOCAL_STORE];
  if (endpoint === undefined) return storeWiring(environment);
  return { ...functionWiring(environment), openTables: openStoreTables(endpoint).openTables };
}
