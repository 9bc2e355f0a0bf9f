/** The raw archive in a folder of this machine. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveFailure, fetchesAmong, folderOf, type RawArchive } from './raw-archive.ts';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** A name that stays within its folder. */
function plainName(name: string): string {
  if (!/^[\w.-]+$/.test(name) || name.startsWith('.'))
    throw new ArchiveFailure(`${name} is no plain file name`);
  return name;
}

export function createFolderArchive(root: string): RawArchive {
  const pathOf = (source: string, fetchedAt: number): string =>
    join(root, plainName(source), folderOf(fetchedAt));
  return {
    async fetches(source, afterAt, untilAt) {
      try {
        return fetchesAmong(await readdir(join(root, plainName(source))), afterAt, untilAt);
      } catch (error) {
        if (isMissing(error)) return [];
        throw new ArchiveFailure(`the folder of ${source} cannot be read`, { cause: error });
      }
    },
    async read(source, fetchedAt) {
      const folder = pathOf(source, fetchedAt);
      const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
      return new Map(
        await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
      );
    },
    async write(source, fetchedAt, files) {
      const home = join(root, plainName(source));
      await mkdir(home, { recursive: true });
      // Written aside and moved into place: a fetch is there whole or not at all.
      const aside = await mkdtemp(join(home, '.fetch-'));
      for (const [name, body] of files) await writeFile(join(aside, plainName(name)), body);
      await rm(pathOf(source, fetchedAt), { recursive: true, force: true });
      await rename(aside, pathOf(source, fetchedAt));
    },
  };
}
