/** A JSON document on disk, validated when it is read and replaced atomically when it is written. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { errorCode, errorText, StartError } from './command-line.ts';

// Faults of disk and files, recognized by the code or the words of an error, and what an operator does about each.

/** The library of the store gives no code, only the system's words for it. */
const FULL = /\bE(?:NOSPC|DQUOT)\b|no space left on device|disk quota exceeded/i;
const TOO_LARGE = /\bEFBIG\b|file too large/i;
const DENIED = /\bE(?:ACCES|PERM|ROFS)\b|permission denied|read-only file system/i;

/** Words of an error after which the store takes no write until there is space, and nothing is lost. */
export const OUT_OF_SPACE = new RegExp(`${FULL.source}|${TOO_LARGE.source}`, 'i');

const REMEDIES = [
  [FULL, 'the disk is full: free some space and try again, nothing is lost'],
  [
    TOO_LARGE,
    'a file is larger than this process may write (ulimit -f): raise the limit and try again, nothing is lost',
  ],
  [DENIED, 'no permission: make it readable and writable for this user'],
] as const;

/** One line: the fault and what to do about it; the error's own words for a fault that is not one of these. */
export function diskFault(thrown: unknown): string {
  const text = `${errorCode(thrown) ?? ''} ${errorText(thrown)}`.trim();
  const [line = ''] = errorText(thrown).split('\n', 1);
  return REMEDIES.find(([words]) => words.test(text))?.[1] ?? line;
}

/** Whether the fault is one of the disk or of permissions, so that the bytes themselves may be good. */
export const isDiskFault = (text: string): boolean => REMEDIES.some(([words]) => words.test(text));

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
