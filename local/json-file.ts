/** A JSON document on disk, checked when it is read and replaced atomically when it is written. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type * as z from 'zod';
import { faultCode, faultText, StartFault } from './start-fault.ts';

/** The document at `path`, undefined when there is none. Throws `StartFault` when it does not have the shape. */
export function readJsonFile<S extends z.ZodType>(path: string, shape: S): z.output<S> | undefined {
  try {
    return shape.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (thrown) {
    if (faultCode(thrown) === 'ENOENT') return undefined;
    const [line] = faultText(thrown).split('\n', 1);
    throw new StartFault(`${path} is corrupt: remove it or name another --data-dir (${line})`);
  }
}

/** Writes a new file and moves it over the old one, so that a crash leaves one of the two and never a part. */
export function writeJsonFile(path: string, document: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, JSON.stringify(document, undefined, 2), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
