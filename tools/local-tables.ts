/** The tables of a data directory, for a command. */
import { join } from 'node:path';
import { startEmbeddedStore } from '../local/embedded-store.ts';
import { createTables, openStoreTables } from '../local/tables.ts';

export const DEFAULT_DATA_DIR = '.data';

/** @param running address of the store of the service that runs on the directory; without one its store is started. */
export async function openLocalTables(directory: string, running: string | undefined) {
  const store =
    running === undefined ? await startEmbeddedStore({ directory: join(directory, 'store') }) : undefined;
  const endpoint = store?.endpoint ?? running ?? '';
  if (store !== undefined) await createTables(endpoint);
  const { openTables, close } = openStoreTables(endpoint);
  return {
    endpoint,
    openTables,
    async close() {
      close();
      await store?.close();
    },
  };
}
