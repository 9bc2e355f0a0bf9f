/** The tables that a release on this machine reads: of a running service, of a data directory, or as the environment names them. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { RELEASE_READS } from '../../core/release/store-tables.ts';
import { TABLES } from '../../core/store/tables.ts';
import { functionTables } from '../../lambdas/function-tables.ts';
import { StartError } from '../../local/command-line.ts';
import { findService } from '../../local/data-directory.ts';
import { liveDirectory, releasesDirectory } from '../../local/data-mode.ts';
import { DEFAULT_DATA_DIR, openLocalTables } from '../local-tables.ts';

const DEFAULT_URL = 'http://127.0.0.1:3000';

/** Opens the tables; with them, folder and address (with a slash at its end) of the releases, and the time by the service's clock. */
export async function openReleaseTables(dataDir: string | undefined, say: (line: string) => void) {
  if (dataDir === undefined && process.env[TABLES.ports.variable] !== undefined)
    return {
      tables: functionTables(process.env)(RELEASE_READS, 'patient'),
      releases: releasesDirectory(DEFAULT_DATA_DIR, liveDirectory(DEFAULT_DATA_DIR)),
      address: `${DEFAULT_URL}/data/`,
      nowAt: Date.now(),
      close: async () => undefined,
    };
  const directory = dataDir ?? DEFAULT_DATA_DIR;
  const running = findService(directory);
  const live = liveDirectory(directory);
  if (running === undefined && !existsSync(join(live, 'store')))
    throw new StartError(
      `there are no data of the real upstreams in ${resolve(directory)}: name another --data-dir, or start the service on it`,
    );
  const { openTables, close } = await openLocalTables(live, running?.store);
  say(running === undefined ? `reading ${live}` : `reading the service on ${directory}`);
  return {
    tables: openTables(RELEASE_READS, 'patient'),
    releases: running?.releases ?? releasesDirectory(directory, live),
    address: `${running?.url ?? DEFAULT_URL}/data/`,
    nowAt: Date.now() + (running?.clockOffsetMs ?? 0),
    close,
  };
}
