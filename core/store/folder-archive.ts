/** The raw archive in a folder of this machine. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ArchiveFailure,
  fetchesAmong,
  packFetch,
  type RawArchive,
  stampOf,
  unpackFetch,
  zipNameOf,
} from './raw-archive.ts';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** The folder of a source; throws for a name that would lead out of the archive. */
function sourceFolder(root: string, source: string): string {
  if (!/^[\w.-]+$/.test(source) || source.startsWith('.'))
    throw new ArchiveFailure(`${source} is not a name of a source`);
  return join(root, source);
}

export function createFolderArchive(root: string): RawArchive {
  return {
    async fetches(source, afterAt, untilAt) {
      try {
        return fetchesAmong(await readdir(sourceFolder(root, source)), afterAt, untilAt);
      } catch (error) {
        if (isMissing(error)) return [];
        throw new ArchiveFailure(`the folder of ${source} cannot be read`, { cause: error });
      }
    },
    async read(source, fetchedAt) {
      const home = sourceFolder(root, source);
      try {
        return unpackFetch(await readFile(join(home, zipNameOf(fetchedAt))));
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
      const folder = join(home, stampOf(fetchedAt));
      const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
      return new Map(
        await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
      );
    },
    async write(source, fetchedAt, files) {
      const home = sourceFolder(root, source);
      await mkdir(home, { recursive: true });
      // Written to a temporary file and renamed, so that a fetch exists completely or not at all.
      const aside = await mkdtemp(join(home, '.fetch-'));
      await writeFile(join(aside, 'fetch'), packFetch(files));
      await rename(join(aside, 'fetch'), join(home, zipNameOf(fetchedAt)));
      await rm(aside, { recursive: true });
    },
  };
}
