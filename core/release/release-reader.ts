/** Opens a release in a folder of this machine: its manifest, and the rows of its files, each checked against its size and digest. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type AsyncBuffer, parquetMetadata, parquetReadObjects } from 'hyparquet';
import { DAY_MS, dayOf, type Instant } from '../reference/time.ts';
import { LATEST, latestIn, MANIFEST, ReleaseFailure, releaseFolder } from '../store/release-place.ts';
import type { ReleaseRow, ReleaseTable } from './columns.ts';
import { type Manifest, type ManifestFile, readManifest } from './manifest.ts';

// Reads the rows of a Parquet file of a release, one row group at a time, in the form that the writer takes.

/** Days as text and instants as numbers, as the store has them. */
const PARSERS = {
  dateFromDays: (days: number): string => dayOf(days * DAY_MS),
  timestampFromMilliseconds: (millis: bigint): Instant => Number(millis),
};

/** The rows of each row group. Throws unless the bytes are a Parquet file. */
export async function* parquetRows(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<readonly ReleaseRow[]> {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const file: AsyncBuffer = { byteLength: buffer.byteLength, slice: (from, to) => buffer.slice(from, to) };
  const metadata = parquetMetadata(buffer);
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows);
    yield parquetReadObjects({ file, metadata, rowStart, rowEnd, parsers: PARSERS });
    rowStart = rowEnd;
  }
}

export interface OpenedRelease {
  readonly manifest: Manifest;
  /** The rows of a table by row group, in its order, at the end those of the running day; only these with `running`. Throws ReleaseFailure. */
  rows(table: ReleaseTable, running?: 'running'): AsyncGenerator<readonly ReleaseRow[]>;
}

/** Largest size of a manifest, and of the file that names the newest release. */
const MAX_MANIFEST_BYTES = 64_000_000;

/** The bytes of a file, at most `maxBytes` of them. Throws ReleaseFailure where there is no file, or a larger one. */
async function readBounded(path: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const failure = (reason: string, cause?: unknown): ReleaseFailure =>
    new ReleaseFailure(`${path} cannot be read: ${reason}`, { cause });
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { size } = await file.stat().then((found) => (found.isFile() ? found : { size: undefined }));
    if (size === undefined) throw failure('it is not a file');
    if (size > maxBytes) throw failure(`it has ${size} bytes, ${maxBytes} at most are expected`);
    return new Uint8Array(await file.readFile());
  } catch (error) {
    if (error instanceof ReleaseFailure) throw error;
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw failure(missing ? 'there is none' : String(error), error);
  } finally {
    await file?.close();
  }
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** The folder of a dataset and the day of one of its releases: of the newest where the place names none. */
async function findRelease(place: string): Promise<{ folder: string; day: string }> {
  const [, above = '', named] = /^(.*?)\/?release=(\d{4}-\d{2}-\d{2})\/?$/.exec(place) ?? [];
  if (named !== undefined) return { folder: above === '' ? '.' : above, day: named };
  const day = latestIn(text(await readBounded(join(place, LATEST), MAX_MANIFEST_BYTES)));
  if (day === undefined) throw new ReleaseFailure(`${LATEST} of ${place} is damaged`);
  return { folder: place, day };
}

// Found by path, because the dataset may have been copied: the addresses in a manifest are those of its first place.
async function* fileRows(folder: string, { path, bytes: size, sha256, rows }: ManifestFile) {
  const bytes = await readBounded(join(folder, path), size);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new ReleaseFailure(`${path} is damaged: its digest is not that of the manifest`);
  let found = 0;
  for await (const group of parquetRows(bytes)) {
    found += group.length;
    yield group;
  }
  if (found !== rows) throw new ReleaseFailure(`${path} has ${found} rows, and ${rows} by the manifest`);
}

/**
 * Opens the newest release of a dataset, or the one that the place names with `release=DAY`.
 * @param place a folder. Throws ReleaseFailure.
 */
export async function openRelease(place: string): Promise<OpenedRelease> {
  const { folder, day } = await findRelease(place);
  const path = join(folder, releaseFolder(day), MANIFEST);
  const manifest = readManifest(day, text(await readBounded(path, MAX_MANIFEST_BYTES)));
  return {
    manifest,
    async *rows(table, running) {
      const files = running === undefined ? manifest.files : [];
      for (const file of [...files, ...(manifest.running ?? [])])
        if (file.table === table) yield* fileRows(folder, file);
    },
  };
}
