/** Releases in a folder of this machine: a release is renamed into place as a whole. */
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MANIFEST, ReleaseFailure, type ReleasePlace, releaseFolder } from './release-place.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'it is not writable',
  EPERM: 'it is not writable',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of its path is no folder',
  EEXIST: 'it is a file',
};

/** What a fault of the file system means to an operator; the fault itself for one that is not foreseen. */
export function folderFailure(name: string, error: unknown): unknown {
  const reason = REASONS[String((error as NodeJS.ErrnoException).code)];
  if (reason === undefined) return error;
  return new ReleaseFailure(`nothing can be written to the release folder ${name}: ${reason}`, {
    cause: error,
  });
}

/** On disk before it is named, so that a power cut leaves the file of before or this one. */
async function replaceFile(path: string, text: string): Promise<void> {
  const aside = `${path}.next`;
  await writeFile(aside, text);
  const file = await open(aside);
  await file.sync().finally(() => file.close());
  await rename(aside, path);
}

export function createReleaseFolder(root: string): ReleasePlace {
  const written = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw folderFailure(root, error);
    }
  };
  return {
    name: root,
    async read(path) {
      try {
        return await readFile(join(root, path), 'utf8');
      } catch (error) {
        if (['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) return undefined;
        throw new ReleaseFailure(`${join(root, path)} cannot be read`, { cause: error });
      }
    },
    draft: (day) =>
      written(async () => {
        // A name that no glob of releases finds.
        const folder = join(root, `.unfinished-${day}`);
        await rm(folder, { recursive: true, force: true });
        await mkdir(folder, { recursive: true });
        const discard = () => rm(folder, { recursive: true, force: true });
        const publish = (manifest: string, beside: Readonly<Record<string, string>>) =>
          written(async () => {
            await replaceFile(join(folder, MANIFEST), manifest);
            await rm(join(root, releaseFolder(day)), { recursive: true, force: true });
            await rename(folder, join(root, releaseFolder(day)));
            for (const [name, text] of Object.entries(beside)) await replaceFile(join(root, name), text);
          });
        return { folder, discard, publish: (_files, manifest, beside) => publish(manifest, beside) };
      }),
  };
}
