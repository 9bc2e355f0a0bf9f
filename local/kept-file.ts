/** One JSON document that is kept on disk: read at the start, replaced in one piece, never half written. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type * as z from 'zod';
import { faultCode, faultText, StartFault } from './start-fault.ts';

/** The document at `path`, undefined when there is none. Throws `StartFault` when it is not what it should be. */
export function readKeptFile<S extends z.ZodType>(path: string, shape: S): z.output<S> | undefined {
  try {
    return shape.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (thrown) {
    if (faultCode(thrown) === 'ENOENT') return undefined;
    const [line] = faultText(thrown).split('\n', 1);
    throw new StartFault(`${path} is corrupt: remove it or name another --data-dir (${line})`);
  }
}

/** Written beside it and moved over it, so that a crash leaves the old document or the new one. */
export function writeKeptFile(path: string, document: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, JSON.stringify(document, undefined, 2), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
