/** A JSON document on disk, validated when it is read and replaced atomically when it is written. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { diskFault } from './disk-fault.ts';
import { errorCode, errorText, StartError } from './start-error.ts';

function damageOf(thrown: unknown): string {
  if (!(thrown instanceof z.ZodError)) return errorText(thrown).split('\n', 1)[0] ?? '';
  const [issue] = thrown.issues;
  return [issue?.path.join('.'), issue?.message].filter(Boolean).join(': ');
}

/** The document at `path`, undefined when there is none. Throws `StartError`, with the `remedy` where the file is damaged. */
export function readJsonFile<S extends z.ZodType>(
  path: string,
  shape: S,
  remedy: string,
): z.output<S> | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return undefined;
    throw new StartError(`${path} cannot be read: ${diskFault(thrown)}`);
  }
  try {
    return shape.parse(JSON.parse(text));
  } catch (thrown) {
    throw new StartError(`${path} is damaged (${damageOf(thrown)}): ${remedy}`);
  }
}

/** Writes a new file and renames it over the old one, so that a crash leaves one of the two. Throws `StartError` when it cannot. */
export function writeJsonFile(path: string, document: unknown): void {
  const aside = `${path}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(aside, JSON.stringify(document, undefined, 2), { mode: 0o600 });
    renameSync(aside, path);
  } catch (thrown) {
    rmSync(aside, { force: true });
    throw new StartError(`${path} cannot be written: ${diskFault(thrown)}`);
  }
}
