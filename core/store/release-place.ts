/** Where releases of the dataset are kept: a folder of this machine, or a bucket. */
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDay } from '../reference/time.ts';

/** A release cannot be written or read; the message says why and what to do. */
export class ReleaseFailure extends Error {
  override readonly name = 'ReleaseFailure';
}

/** Name of the file in the folder of a release that makes it one: it is written last. */
export const MANIFEST = 'manifest.json';
/** Names the newest release. */
export const LATEST = 'latest.json';
/** In a bucket, the metadata of `LATEST` that has the day of the release. */
export const RELEASE_KEY = 'release';
/** Paths below it lead to the newest release, so that an address works tomorrow as well. */
export const NEWEST = 'latest/';
/** The newest release as a page. */
export const INDEX = 'index.html';

/** The day that the text of `LATEST` names; undefined where it is damaged. */
export function latestIn(text: string): string | undefined {
  try {
    const { release, manifest } = JSON.parse(text) ?? {};
    return typeof release === 'string' && isDay(release) && typeof manifest === 'string'
      ? release
      : undefined;
  } catch {
    return undefined;
  }
}

/** Name of the folder of the release of a day. */
export const releaseFolder = (day: string): string => `release=${day}`;

/** A release that is being written. It is not visible before it is published. */
interface Draft {
  /** Folder of this machine that its files are written to, by their paths within the release. */
  readonly folder: string;
  /** Makes it visible: `files`, then the manifest, then the files beside the releases that name it. Throws ReleaseFailure. */
  publish(
    files: readonly string[],
    manifest: string,
    beside: Readonly<Record<string, string>>,
  ): Promise<void>;
  /** Removes what is not published. */
  discard(): Promise<void>;
}

export interface ReleasePlace {
  /** The folder of this machine that is written to, as messages name it. */
  readonly name: string;
  /** The text of a file by its path; undefined when there is none. Throws ReleaseFailure. */
  read(path: string): Promise<string | undefined>;
  /** Replaces files beside the releases. Throws ReleaseFailure. */
  replace(beside: Readonly<Record<string, string>>): Promise<void>;
  /** Begins the release of a day, without anything that a killed run left. Throws ReleaseFailure. */
  draft(day: string): Promise<Draft>;
}

// Releases in a folder of this machine: a release is renamed into place as a whole.

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'it is not writable',
  EPERM: 'it is not writable',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of its path is not a folder',
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

/** Writes the file to disk before naming it, so that a power cut leaves either the old or the new file. */
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
  const replace: ReleasePlace['replace'] = (beside) =>
    written(async () => {
      for (const [name, text] of Object.entries(beside)) await replaceFile(join(root, name), text);
    });
  return {
    name: root,
    replace,
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
            await replace(beside);
          });
        return { folder, discard, publish: (_files, manifest, beside) => publish(manifest, beside) };
      }),
  };
}
