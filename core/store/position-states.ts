/** The states that position sources leave from one fetch to the next: one object a source, replaced whole. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveFailure } from './raw-archive.ts';

export interface StoredState {
  readonly bytes: Uint8Array;
  /** Version of this content; a write says which version it replaces. */
  readonly version: string;
}

export interface PositionStates {
  read(source: string): Promise<StoredState | undefined>;
  /** Replaces `version`, or writes the first state without one. False, and nothing written, when another is there. */
  write(source: string, bytes: Uint8Array, version: string | undefined): Promise<boolean>;
}

/** Name of the state of a source, below its folder or bucket. */
export const stateName = (source: string): string => `${source}.state`;

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export function createFolderStates(root: string): PositionStates {
  async function read(source: string): Promise<StoredState | undefined> {
    try {
      const bytes = await readFile(join(root, stateName(source)));
      return { bytes, version: digest(bytes) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new ArchiveFailure(`the state of ${source} cannot be read`, { cause: error });
    }
  }
  return {
    read,
    async write(source, bytes, version) {
      if ((await read(source))?.version !== version) return false;
      await mkdir(root, { recursive: true });
      const path = join(root, stateName(source));
      await writeFile(`${path}.new`, bytes);
      await rename(`${path}.new`, path);
      return true;
    },
  };
}
