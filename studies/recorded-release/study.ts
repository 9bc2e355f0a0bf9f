/** `npm run study -- recorded-release`: makes the release in recordings/ again, from polls that the repository may not hold. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dayOf } from '../../core/reference/time.ts';
import { writeRelease } from '../../core/release/release.ts';
import { tipcTaiwanDeclaration } from '../../core/sources/tipc-taiwan/declaration.ts';
import { source as tipcTaiwan } from '../../core/sources/tipc-taiwan/source.ts';
import { createFolderArchive, type RawArchive } from '../../core/store/raw-archive.ts';
import { createReleaseFolder, releaseFolder } from '../../core/store/release-place.ts';
import { command, parse, run } from '../../local/command-line.ts';
import { createProgress } from '../../local/progress.ts';
import { replayPolls } from './replayed-port.ts';

const ABOUT = `Makes recordings/release again: Kaohsiung of 2025, replayed poll by poll with the methodology and the forecast of now. The polls are
TIPC's lists as a reader would have read them, in the layout of the raw archive; without them there is nothing to do.`;
const RECORDED = fileURLToPath(new URL('../../recordings/release', import.meta.url));
const PORT = 'TWKHH';

interface Values {
  readonly polls: string;
  readonly out: string;
}

await run(async () => {
  const definition = command('npm run study -- recorded-release', ABOUT)
    .option('--polls <dir>', 'archive that has a folder tipc-taiwan', '')
    .option('--out <dir>', 'folder of the release', RECORDED);
  const { polls, out } = parse<Values>(definition, process.argv.slice(2));
  const { id } = tipcTaiwanDeclaration;
  if (!existsSync(join(polls, id))) {
    console.log(
      `left out: ${join(polls, id)} is not there, and TIPC states no licence by which the repository could hold it`,
    );
    return;
  }
  const notes = new Map<string, object>();
  // The verdicts of a replay have no use after it.
  const archive: RawArchive = {
    ...createFolderArchive(polls),
    readNote: async (_, name) => notes.get(name),
    writeNote: async (_, name, content) => void notes.set(name, content),
  };
  const fetches = await archive.fetches(id, undefined, Number.POSITIVE_INFINITY);
  const day = dayOf(fetches.at(-1) ?? 0);
  const source = { ...tipcTaiwan, declaration: { ...tipcTaiwanDeclaration, ports: [PORT] } };
  const progress = createProgress(process.stdout);
  progress.begin('replaying', fetches.length);
  const tables = await replayPolls(source, archive, (done) => progress.step(done, id));
  await rm(join(out, releaseFolder(day)), { recursive: true, force: true });
  const { manifest } = await writeRelease({
    tables,
    declarations: [tipcTaiwanDeclaration],
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
