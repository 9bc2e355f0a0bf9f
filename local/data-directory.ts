/**
 * The folder of a local service's data. One process uses it at a time; `service.json` in it names that process and,
 * once the service is ready, its loopback addresses, where the key command finds it. The addresses contain
 * the secrets of the running start, so only its user may read the file.
 */
import { linkSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { errorCode, StartError } from './command-line.ts';
import { diskFault, readJsonFile, writeJsonFile } from './json-file.ts';

const owner = z.object({ pid: z.int().positive() });
const address = owner.extend({
  url: z.url(),
  /** Address of its store, a DynamoDB endpoint. */
  store: z.url(),
  /** Folder of the releases that it serves, absolute. */
  releases: z.string().min(1),
  /** How far the service's clock is ahead of the machine's, in milliseconds. */
  clockOffsetMs: z.number(),
});
const serviceFile = z.union([address, owner]);

export type ServiceAddress = Readonly<z.output<typeof address>>;

/** The file says who uses the folder, and nothing else. */
const REMEDY = 'remove this file alone once no service runs on the folder; it contains no data';

const fileIn = (path: string): string => join(path, 'service.json');

/** True when a process with this id runs, under any user. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return errorCode(thrown) === 'EPERM';
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Creates a folder and its parents. Node's own recursive mkdir never returns where a new folder is ENOENT, as in /proc. */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (thrown) {
    if (!isFolder(path)) throw thrown;
  }
}

/** Codes of a file system without hard links; there the file is written in place. */
const NO_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Creates the file with its content or not at all. Throws `EEXIST` when there is one. */
function createWhole(file: string, content: string): void {
  const aside = `${file}.${process.pid}`;
  try {
    writeFileSync(aside, content, { mode: 0o600 });
    linkSync(aside, file);
  } catch (thrown) {
    if (!NO_LINKS.includes(errorCode(thrown) ?? '')) throw thrown;
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Writes the owner's id where no running process has the folder. Throws `StartError` where one has. */
function claim(path: string): void {
  for (;;) {
    try {
      createWhole(fileIn(path), JSON.stringify({ pid: process.pid }));
      return;
    } catch (thrown) {
      if (errorCode(thrown) !== 'EEXIST') throw thrown;
    }
    const pid = readJsonFile(fileIn(path), serviceFile, REMEDY)?.pid;
    // A container that was killed and starts again can have the same process id.
    if (pid !== undefined && pid !== process.pid && isRunning(pid))
      throw new StartError(
        `the data directory ${path} is in use by process ${pid}: stop it or name another --data-dir ` +
          `(if that process is another program, remove ${fileIn(path)})`,
      );
    rmSync(fileIn(path), { force: true });
  }
}

/** Creates the folder if it is missing and locks it for this process. Throws `StartError` when it cannot. */
export function claimDataDirectory(folder: string) {
  const path = resolve(folder);
  try {
    makeFolder(path);
    claim(path);
  } catch (thrown) {
    if (thrown instanceof StartError) throw thrown;
    throw new StartError(`the data directory ${path} cannot be used: ${diskFault(thrown)}`);
  }
  return {
    path,
    announce: (service: Omit<ServiceAddress, 'pid'>): void =>
      writeJsonFile(fileIn(path), { pid: process.pid, ...service }),
    /** Releases the folder for the next process. Safe to call twice. */
    release(): void {
      if (readJsonFile(fileIn(path), serviceFile, REMEDY)?.pid === process.pid)
        rmSync(fileIn(path), { force: true });
    },
  };
}

/** The service that runs on `folder`; undefined when none does. Throws `StartError` when it is still starting. */
export function findService(folder: string): ServiceAddress | undefined {
  const found = readJsonFile(fileIn(folder), serviceFile, REMEDY);
  if (found === undefined || !isRunning(found.pid)) return undefined;
  if ('url' in found) return found;
  throw new StartError(`the service on ${folder} is still starting: try again when it is ready`);
}

// Notices that npm has ended: it passes a signal only to the shell between itself and this process.

const CHECK_MS = 500;

/** Calls `end` once when the process that started this one has ended. Does nothing unless npm started it. */
export function whenOrphaned(end: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    end();
  }, CHECK_MS);
  watch.unref();
}
