/** A JSON document on disk, validated when it is read and replaced atomically when it is written. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type * as z from 'zod';
import { errorCode, errorText, StartError } from './start-error.ts';

/** The document at `path`, undefined when there is none. Throws `StartError` when it does not have the shape. */
export function readJsonFile<S extends z.ZodType>(path: string, shape: S): z.output<S> | undefined {
  try {
    return shape.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return undefined;
    const [line] = errorText(thrown).split('\n', 1);
    throw new StartError(`${path} is corrupt: remove it or name another --data-dir (${line})`);
  }
}

/** Writes a new file and renames it over the old one, so that a crash leaves one of the two and never a partial file. */
export function writeJsonFile(path: string, document: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, JSON.stringify(document, undefined, 2), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
