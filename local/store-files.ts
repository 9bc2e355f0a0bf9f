/**
 * The files of a stopped store. The library that opens them checks no sum of a table file, and takes a folder without the
 * file CURRENT for a new one; both are checked here before it does.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readJsonFile, writeJsonFile } from './json-file.ts';
import { StartError } from './start-error.ts';

const SUMS = 'clean-stop.json';
const sums = z.record(z.string(), z.string());
const SUMS_REMEDY = 'remove this file alone: the store is then opened without this check';

/** Table files never change, and logs not until the next start has read them. No number is used twice. */
const NEVER_REWRITTEN = /\.(?:ldb|sst|log)$/;
const TABLE_OR_MANIFEST = /\.(?:ldb|sst)$|^MANIFEST-/;

const sumOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

export const REBUILD =
  'put a copy of it back, or rebuild it: move that folder away and start again; the archive is then applied again';

/** Throws `StartError` when a file of the store is lost or is not as the last clean stop left it. */
export function checkStoreFiles(directory: string): void {
  const names = readdirSync(directory);
  if (!names.includes('CURRENT') && names.some((name) => TABLE_OR_MANIFEST.test(name)))
    throw new StartError(`the store in ${directory} is damaged: its file CURRENT is missing: ${REBUILD}`);
  const known = readJsonFile(join(directory, SUMS), sums, SUMS_REMEDY) ?? {};
  for (const [name, sum] of Object.entries(known)) {
    // A table that was merged into another since, after a start without a clean stop.
    if (!existsSync(join(directory, name))) continue;
    if (sumOf(join(directory, name)) !== sum)
      throw new StartError(
        `the store in ${directory} is damaged: ${name} is not as the last stop left it: ${REBUILD}`,
      );
  }
}

/** Notes the sums of the files of a store that has just been closed. */
export function noteStoreFiles(directory: string): void {
  const names = readdirSync(directory).filter((name) => NEVER_REWRITTEN.test(name));
  writeJsonFile(
    join(directory, SUMS),
    Object.fromEntries(names.map((name) => [name, sumOf(join(directory, name))])),
  );
}
