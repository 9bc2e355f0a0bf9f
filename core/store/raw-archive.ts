/**
 * The raw archive: every reply as it came, before it is parsed, under
 * `<source-id>/<fetched at, UTC, YYYYMMDDTHHMMSSZ>/<file>`. Replaying it gives the same tables again.
 */
import { formatInstant, type Instant, parseInstant } from '../reference/time.ts';

export interface RawArchive {
  /** Times of the fetches of `source` after `afterAt` (all without it) and up to `untilAt`, oldest first. */
  fetches(source: string, afterAt: Instant | undefined, untilAt: Instant): Promise<Instant[]>;
  /** The files of one fetch, by name; undefined when it was not written to its end. */
  read(source: string, fetchedAt: Instant): Promise<ReadonlyMap<string, Uint8Array> | undefined>;
  /** Keeps a fetch whole; one that is cut off in between is not read. */
  write(source: string, fetchedAt: Instant, files: ReadonlyMap<string, Uint8Array>): Promise<void>;
}

/** The archive did not do what it was asked. */
export class ArchiveFailure extends Error {
  override readonly name = 'ArchiveFailure';
}

/** `20250817T053000Z`: sorts by time, and is a legal file name everywhere. */
export const folderOf = (fetchedAt: Instant): string => formatInstant(fetchedAt).replaceAll(/[-:]/g, '');

/** The instant that a folder name stands for, undefined for any other name. */
export function fetchedAtOf(folder: string): Instant | undefined {
  const parts = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/.exec(folder);
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second] = parts;
  return parseInstant(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** Of folder names, those of fetches after one time and up to another, as instants, oldest first. */
export const fetchesAmong = (
  folders: Iterable<string>,
  afterAt: Instant | undefined,
  untilAt: Instant,
): Instant[] =>
  [...new Set(folders)]
    .map(fetchedAtOf)
    .filter((at): at is Instant => at !== undefined && at <= untilAt && at > (afterAt ?? -Infinity))
    .sort((a, b) => a - b);
