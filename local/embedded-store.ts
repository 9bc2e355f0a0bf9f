/** The embedded DynamoDB: dynalite in a worker thread, on a loopback port, its data on disk or in memory. */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { errorCode, errorText, StartError } from './command-line.ts';
import { diskFault, isDiskFault, OUT_OF_SPACE, readJsonFile, writeJsonFile } from './json-file.ts';

// The files of a stopped store. The library that opens them checks no sum of a table file, and takes a folder without
// the file CURRENT for a new one; both are checked here before it does.

const SUMS = 'clean-stop.json';
const sums = z.record(z.string(), z.string());
const SUMS_REMEDY = 'remove this file alone: the store is then opened without this check';

/** Table files never change, and logs not until the next start has read them. No number is used twice. */
const NEVER_REWRITTEN = /\.(?:ldb|sst|log)$/;
const TABLE_OR_MANIFEST = /\.(?:ldb|sst)$|^MANIFEST-/;

const sumOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

const REBUILD =
  'put a copy of it back, or rebuild it: move that folder away and start again; the archive is then applied again';

/** Throws `StartError` when a file of the store is lost or is not as the last clean stop left it. */
function checkStoreFiles(directory: string): void {
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
function noteStoreFiles(directory: string): void {
  const names = readdirSync(directory).filter((name) => NEVER_REWRITTEN.test(name));
  writeJsonFile(
    join(directory, SUMS),
    Object.fromEntries(names.map((name) => [name, sumOf(join(directory, name))])),
  );
}

export interface EmbeddedStore {
  /** For `AWS_ENDPOINT_URL_DYNAMODB`. It contains the secret of this start: whoever has it may read and write. */
  readonly endpoint: string;
  /** Finishes current operations and closes the files. Safe to call twice. */
  close(): Promise<void>;
}

export interface EmbeddedStoreOptions {
  /** Folder of the data; in memory when undefined. */
  readonly directory: string | undefined;
  /** Called when the store crashes after it started. */
  readonly onFailure?: ((reason: string) => void) | undefined;
  /** Gets one line when the disk is full, and one when the store writes again. */
  readonly report?: ((line: string) => void) | undefined;
  /** Called after whole rows were written or deleted, by this process or another, before the writer knows. */
  readonly onRowsWritten?: (() => void) | undefined;
  /** How often a store that has no space looks for it. */
  readonly retryMs?: number;
}

type WorkerMessage =
  | { readonly state: 'listening'; readonly endpoint: string }
  | { readonly state: 'full'; readonly message: string }
  | { readonly state: 'open' }
  | { readonly state: 'written' }
  | { readonly state: 'closed'; readonly isClean: boolean }
  | { readonly state: 'failed'; readonly code?: string; readonly message: string };

const RETRY_MS = 1000;

/** One line for the operator about files that cannot be opened, read or written. */
function filesFault(directory: string | undefined, code: string | undefined, message: string): string {
  const where = directory === undefined ? 'the store in memory' : `the data directory ${directory}`;
  if (code === 'LEVEL_LOCKED')
    return `${where} is in use by another process: stop it or name another --data-dir`;
  if (/corruption/i.test(message) || code === 'LEVEL_CORRUPTION')
    return `${where} is damaged (${message}): ${REBUILD}`;
  const reason = diskFault(Object.assign(new Error(message), { code }));
  return `${where} cannot be used: ${reason}${isDiskFault(message) ? ` (${message})` : ''}`;
}

/** Starts the store; throws `StartError` when its folder is damaged, locked, full or not writable. */
export async function startEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const { directory, report = () => undefined, retryMs = RETRY_MS } = options;
  if (directory !== undefined) {
    try {
      mkdirSync(directory, { recursive: true });
      checkStoreFiles(directory);
    } catch (thrown) {
      if (thrown instanceof StartError) throw thrown;
      throw new StartError(filesFault(directory, errorCode(thrown), errorText(thrown)));
    }
  }
  const worker = new Worker(new URL('./store-worker.mjs', import.meta.url), {
    workerData: { path: directory, outOfSpace: OUT_OF_SPACE, retryMs },
    execArgv: [],
  });
  let phase: 'opening' | 'open' | 'closing' = 'opening';
  let isClean = false;
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const endpoint = await new Promise<string>((resolve, reject) => {
    const failed = (code: string | undefined, message: string): void => {
      if (phase === 'opening') reject(new StartError(filesFault(directory, code, message)));
      else if (phase === 'open')
        options.onFailure?.(`the store failed: ${filesFault(directory, code, message)}`);
      phase = 'closing';
    };
    worker.on('message', (message: WorkerMessage) => {
      switch (message.state) {
        case 'listening':
          phase = 'open';
          return resolve(message.endpoint);
        case 'failed':
          return failed(message.code, message.message);
        case 'full':
          return report(
            `the store waits, and requests get 503: ${filesFault(directory, undefined, message.message)}`,
          );
        case 'open':
          return report('the store has space again and goes on');
        case 'written':
          return options.onRowsWritten?.();
        case 'closed':
          isClean = message.isClean;
      }
    });
    worker.on('error', (thrown) => failed(errorCode(thrown), errorText(thrown)));
    worker.on('exit', (code) => failed(undefined, `its thread ended with code ${code}`));
  });
  const stop = async (): Promise<void> => {
    if (phase === 'open') {
      phase = 'closing';
      worker.postMessage('close');
    }
    await ended;
    if (directory === undefined || !isClean) return;
    isClean = false;
    try {
      noteStoreFiles(directory);
    } catch (thrown) {
      // Files written earlier still have their sums; a later stop notes the others.
      report(errorText(thrown));
    }
  };
  let stopping: Promise<void> | undefined;
  return {
    endpoint,
    close() {
      stopping ??= stop();
      return stopping;
    },
  };
}
