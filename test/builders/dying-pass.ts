/** One pass over an archive in a folder, by a source that does something else at a poisonous reply. As a program it dies there, as from a lack of memory. */
import { pathToFileURL } from 'node:url';
import { createFolderArchive } from '../../core/store/raw-archive.ts';
import { INGEST_TABLES } from '../../core/store/tables.ts';
import { ingestOver } from './ingest-over.ts';
import { memorySteps } from './memory-ingest.ts';
import { memoryTables } from './memory-table.ts';
import { scriptedSource } from './scripted-source.ts';

/** The status after the pass. */
export async function passOver(folder: string, nowAt: number, onPoison: () => void) {
  const scripted = scriptedSource();
  const source = {
    ...scripted,
    parse(fetched: Parameters<typeof scripted.parse>[0]) {
      if (Buffer.from(fetched.files.get('reply.json') ?? []).includes('poison')) onPoison();
      return scripted.parse(fetched);
    },
  };
  const places = {
    tables: memoryTables(INGEST_TABLES),
    archive: createFolderArchive(folder),
    steps: memorySteps(),
    close: async () => {},
  };
  return (await ingestOver(places, { nowAt, ask: false }).pass(source)).status;
}

const [, program = '', folder = '', now = ''] = process.argv;
if (import.meta.url.startsWith(pathToFileURL(program).href))
  await passOver(folder, Date.parse(now), () => process.kill(process.pid, 'SIGKILL'));
