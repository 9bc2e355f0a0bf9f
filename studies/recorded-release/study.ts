/** `npm run study -- recorded-release`: makes the release in recordings/ again. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Day, dayOf } from '../../core/reference/time.ts';
import { importRelease } from '../../core/release/import-release.ts';
import { RELEASED_DECLARATIONS } from '../../core/release/manifest.ts';
import { writeRelease } from '../../core/release/release.ts';
import { type OpenedRelease, openRelease } from '../../core/release/release-reader.ts';
import { tipcTaiwanDeclaration } from '../../core/sources/tipc-taiwan/declaration.ts';
import { source as tipcTaiwan } from '../../core/sources/tipc-taiwan/source.ts';
import { createFolderArchive, type RawArchive } from '../../core/store/raw-archive.ts';
import { createReleaseFolder, releaseFolder } from '../../core/store/release-place.ts';
import { INGEST_TABLES, type IngestTableId } from '../../core/store/tables.ts';
import { command, parse, run } from '../../local/command-line.ts';
import { createProgress, type Progress } from '../../local/ready-lines.ts';
import { type MemoryTable, memoryTables } from '../../test/builders/memory-table.ts';
import { applyTable } from './given-table.ts';
import { replayPolls } from './replayed-port.ts';

const ABOUT = `Makes recordings/release again with the methodology and the forecast of now: Kaohsiung of 2025, replayed poll by poll from TIPC's
lists as a reader would have read them, in the layout of the raw archive, and Tarragona of 2019, from the recorded table of calls as read day by day. TIPC states
no licence by which the repository could hold its lists: without --polls the rows of Kaohsiung are those of the recorded release.`;
const RECORDINGS = fileURLToPath(new URL('../../recordings/', import.meta.url));
const RECORDED = join(RECORDINGS, 'release');
const TABLE = join(RECORDINGS, 'call-tables', 'tarragona-2019');
const PORT = 'TWKHH';
const { id: SOURCE } = tipcTaiwanDeclaration;

interface Values {
  readonly polls?: string;
  readonly out: string;
}

interface Beginning {
  readonly tables: Record<IngestTableId, MemoryTable>;
  /** The day of the release. */
  readonly day: Day;
}

async function replayed(polls: string, progress: Progress): Promise<Beginning> {
  const notes = new Map<string, object>();
  // The verdicts of a replay have no use after it.
  const archive: RawArchive = {
    ...createFolderArchive(polls),
    readNote: async (_, name) => notes.get(name),
    writeNote: async (_, name, content) => void notes.set(name, content),
  };
  const fetches = await archive.fetches(SOURCE, undefined, Number.POSITIVE_INFINITY);
  const source = { ...tipcTaiwan, declaration: { ...tipcTaiwanDeclaration, ports: [PORT] } };
  progress.begin('replaying', fetches.length);
  const tables = await replayPolls(source, archive, (done) => progress.step(done, SOURCE));
  return { tables, day: dayOf(fetches.at(-1) ?? 0) };
}

/** The release as if it had the rows of Kaohsiung alone. */
function ofPort({ manifest, rows }: OpenedRelease): OpenedRelease {
  return {
    manifest: {
      ...manifest,
      sources: manifest.sources.filter(({ id }) => id === SOURCE),
      covered: { [PORT]: manifest.covered?.[PORT] ?? [] },
    },
    async *rows(table, running) {
      for await (const group of rows(table, running)) {
        const own = group.filter(({ port }) => port === PORT);
        if (own.length > 0) yield own;
      }
    },
  };
}

async function recorded(): Promise<Beginning> {
  const release = await openRelease(RECORDED);
  const tables = memoryTables(INGEST_TABLES);
  await importRelease(ofPort(release), tables, Date.now);
  return { tables, day: release.manifest.release };
}

await run(async () => {
  const definition = command('npm run study -- recorded-release', ABOUT)
    .option('--polls <dir>', `archive that has a folder ${SOURCE}`)
    .option('--out <dir>', 'folder of the release', RECORDED);
  const { polls, out } = parse<Values>(definition, process.argv.slice(2));
  if (polls !== undefined && !existsSync(join(polls, SOURCE)))
    throw new Error(`${join(polls, SOURCE)} is not there`);
  const progress = createProgress(process.stdout);
  const { tables, day } = polls === undefined ? await recorded() : await replayed(polls, progress);
  await applyTable(TABLE, tables);
  await rm(join(out, releaseFolder(day)), { recursive: true, force: true });
  const { manifest } = await writeRelease({
    tables,
    declarations: RELEASED_DECLARATIONS,
    place: createReleaseFolder(out),
    day,
    // Relative, because the folder may be copied and served anywhere.
    address: '',
    madeAt: Date.now(),
    replays: true,
  });
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  progress.line(`${manifest.files.length} files, ${bytes} bytes in ${out}`);
});
