/** A program: one pass over an archive, by a source that a poisonous reply kills as a lack of memory would. Prints the status. */
import { createFolderArchive } from '../../core/store/raw-archive.ts';
import { INGEST_TABLES } from '../../core/store/tables.ts';
import { ingestOver } from './ingest-over.ts';
import { memorySteps } from './memory-ingest.ts';
import { memoryTables } from './memory-table.ts';
import { scriptedSource } from './scripted-source.ts';

const [folder = '', now = ''] = process.argv.slice(2);
const scripted = scriptedSource();
const source = {
  ...scripted,
  parse(fetched: Parameters<typeof scripted.parse>[0]) {
    if (Buffer.from(fetched.files.get('reply.json') ?? []).includes('poison'))
      process.kill(process.pid, 'SIGKILL');
    return scripted.parse(fetched);
  },
};
const ingest = ingestOver(
  {
    tables: memoryTables(INGEST_TABLES),
    archive: createFolderArchive(folder),
    steps: memorySteps(),
    close: async () => {},
  },
  { nowAt: Date.parse(now), ask: false },
);
const { status } = await ingest.pass(source);
console.log(JSON.stringify(status));
