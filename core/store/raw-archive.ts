/**
 * The raw archive: every reply unchanged, before it is parsed. A fetch is one ZIP file,
 * `<source-id>/<fetched at, UTC, YYYYMMDDTHHMMSSZ>.zip`, written in one operation. A folder of the same name without `.zip` is read
 * as well: recordings have that form, and so had all fetches in earlier versions.
 */

import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { formatInstant, type Instant, parseInstant } from '../reference/time.ts';
import { BrokenZip, directoryIn, memberIn, readContent, readEntries } from '../upstream/files/zip.ts';

export interface RawArchive {
  /** Times of the fetches of `source` after `afterAt` (all without it) and up to `untilAt`, oldest first. */
  fetches(source: string, afterAt: Instant | undefined, untilAt: Instant): Promise<Instant[]>;
  /** The files of one fetch, by name; undefined when they are incomplete or damaged. */
  read(source: string, fetchedAt: Instant): Promise<ReadonlyMap<string, Uint8Array> | undefined>;
  /** Stores a fetch, complete or not at all. */
  write(source: string, fetchedAt: Instant, files: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** A note in the folder of the source; undefined where there is none, or a damaged one. */
  readNote(source: string, name: string): Promise<unknown>;
  /** Writes or replaces a note, complete or not at all. */
  writeNote(source: string, name: string, content: object): Promise<void>;
  /** Times of the fetches of `source` that have a verdict, after `afterAt` and up to `untilAt`, oldest first. */
  judged(source: string, afterAt: Instant | undefined, untilAt: Instant): Promise<Instant[]>;
}

/** The archive failed: it is unreachable or refuses the request. */
export class ArchiveFailure extends Error {
  override readonly name = 'ArchiveFailure';
}

const ZIP = '.zip';
/** ZIP states a time for every file. A fixed one, so that the same files give the same bytes. */
const ZIP_TIME = new Date(1980, 0, 1);

/** `20250817T053000Z`: sorts by time, and is a legal file name everywhere. */
export const timeStamp = (instant: Instant): string => formatInstant(instant).replaceAll(/[-:]/g, '');

/** Name of the fetch's ZIP file within its source. */
export const zipName = (fetchedAt: Instant): string => `${timeStamp(fetchedAt)}${ZIP}`;

const VERDICT = '.verdict.json';

/** Name of the note beside a fetch that says how it was judged: `20250817T053000Z.verdict.json`. */
export const verdictName = (fetchedAt: Instant): string => `${timeStamp(fetchedAt)}${VERDICT}`;
/** Name of the note that says which fetch of the source was being read last. */
export const READING_NAME = 'reading.json';

/** The fetches among names of files that have a verdict, each by the name of the fetch. */
export const fetchesJudged = (names: readonly string[]): string[] =>
  names.filter((name) => name.endsWith(VERDICT)).map((name) => name.slice(0, -VERDICT.length));

/** Whether a name in the folder of a source is that of a note. */
export const isNoteName = (name: string): boolean => name === READING_NAME || name.endsWith(VERDICT);

export const packNote = (content: object): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(content)}\n`);

/** Undefined for a damaged note. */
export function unpackNote(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

export const packFetch = (files: ReadonlyMap<string, Uint8Array>): Uint8Array =>
  zipSync(Object.fromEntries(files), { mtime: ZIP_TIME });

/** The files of a ZIP file, by name; undefined when one of them is missing or has another checksum. */
export function unpackFetch(zip: Uint8Array): ReadonlyMap<string, Uint8Array> | undefined {
  try {
    const { offset, bytes, endInTail } = directoryIn(zip);
    if (offset + bytes !== endInTail) throw new BrokenZip('its directory is not before its end');
    const files = new Map<string, Uint8Array>();
    for (const entry of readEntries(zip.subarray(offset, endInTail))) {
      const content = readContent(entry, memberIn(zip.subarray(entry.offset), entry), entry.bytes || 1);
      if (!entry.name.endsWith('/')) files.set(entry.name, content);
    }
    return files;
  } catch (error) {
    if (error instanceof BrokenZip) return undefined;
    throw error;
  }
}

/** The time of a fetch from the name of its ZIP file or folder; undefined for any other name. */
export function readFetchedAt(name: string): Instant | undefined {
  const parts = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z(?:\.zip)?$/.exec(name);
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second] = parts;
  return parseInstant(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** Picks from names of ZIP files and folders the fetches after one time and up to another, oldest first. */
export const fetchesAmong = (
  names: Iterable<string>,
  afterAt: Instant | undefined,
  untilAt: Instant,
): Instant[] => {
  const times = new Set(Array.from(names, readFetchedAt));
  return [...times]
    .filter((at): at is Instant => at !== undefined && at <= untilAt && at > (afterAt ?? -Infinity))
    .sort((a, b) => a - b);
};

// The raw archive in a folder of this machine.

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** The content of a file; undefined where there is none, or a folder of that name, which is a stray. */
async function contentOf(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'EISDIR') return undefined;
    throw error;
  }
}

/** The folder of a source; throws for a name that would lead out of the archive. */
function sourceFolder(root: string, source: string): string {
  if (!/^[\w.-]+$/.test(source) || source.startsWith('.'))
    throw new ArchiveFailure(`${source} is not a name of a source`);
  return join(root, source);
}

/** Whether an entry has the kind that its name says: a ZIP file is a file, and every other fetch a folder. */
export const isFetch = (entry: Pick<Dirent, 'name' | 'isFile' | 'isDirectory'>): boolean =>
  readFetchedAt(entry.name) !== undefined &&
  (entry.name.endsWith(ZIP) ? entry.isFile() : entry.isDirectory());

/** The entries of a folder; a link has the kind of what it leads to, and one that leads nowhere is left out. */
async function entriesIn(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true });
  const kinds = entries.map(async (entry) => {
    const kind = entry.isSymbolicLink() ? await stat(join(folder, entry.name)).catch(() => undefined) : entry;
    return kind === undefined
      ? []
      : [{ name: entry.name, isFile: () => kind.isFile(), isDirectory: () => kind.isDirectory() }];
  });
  return (await Promise.all(kinds)).flat();
}

/** Writes a file to a temporary one and renames it, so that it exists completely or not at all. */
async function writeWhole(home: string, name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(home, { recursive: true });
  const aside = await mkdtemp(join(home, '.fetch-'));
  await writeFile(join(aside, 'file'), bytes);
  await rename(join(aside, 'file'), join(home, name));
  await rm(aside, { recursive: true });
}

/**
 * @param notesRoot where notes are written, and read before those in the archive: recordings are read-only
 */
export function createFolderArchive(root: string, notesRoot = root): RawArchive {
  return {
    async fetches(source, afterAt, untilAt) {
      try {
        const entries = await entriesIn(sourceFolder(root, source));
        return fetchesAmong(
          entries.filter(isFetch).map(({ name }) => name),
          afterAt,
          untilAt,
        );
      } catch (error) {
        if (isMissing(error)) return [];
        throw new ArchiveFailure(`the folder of ${source} cannot be read`, { cause: error });
      }
    },
    async read(source, fetchedAt) {
      const home = sourceFolder(root, source);
      const zip = await contentOf(join(home, zipName(fetchedAt)));
      if (zip !== undefined) return unpackFetch(zip);
      const folder = join(home, timeStamp(fetchedAt));
      const names = (await entriesIn(folder))
        .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
        .map(({ name }) => name)
        .sort();
      return new Map(
        await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
      );
    },
    async write(source, fetchedAt, files) {
      await writeWhole(sourceFolder(root, source), zipName(fetchedAt), packFetch(files));
    },
    async readNote(source, name) {
      for (const place of new Set([notesRoot, root])) {
        const note = await contentOf(join(sourceFolder(place, source), name));
        if (note !== undefined) return unpackNote(note);
      }
      return undefined;
    },
    async writeNote(source, name, content) {
      await writeWhole(sourceFolder(notesRoot, source), name, packNote(content));
    },
    async judged(source, afterAt, untilAt) {
      const folders = [...new Set([notesRoot, root])].map((place) => sourceFolder(place, source));
      const names = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
      return fetchesAmong(fetchesJudged(names.flat()), afterAt, untilAt);
    },
  };
}

// The states that position sources leave from one fetch to the next: one object a source, replaced whole.

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
