/** Opens a release in a folder of this machine or at an address: its manifest, and the rows of its files, each checked against its digest. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LATEST, latestIn, MANIFEST, ReleaseFailure, releaseFolder } from '../store/release-place.ts';
import type { ReleaseRow, ReleaseTable } from './columns.ts';
import { type Manifest, type ManifestFile, readManifest } from './manifest.ts';
import { parquetRows } from './parquet-rows.ts';

/** The bytes of a file by its path within the dataset. Throws ReleaseFailure. */
type ReadFile = (path: string) => Promise<Uint8Array<ArrayBuffer>>;

export interface OpenedRelease {
  readonly manifest: Manifest;
  /** The rows of a table by row group, in its order, at the end those of the running day; only these with `running`. Throws ReleaseFailure. */
  rows(table: ReleaseTable, running?: 'running'): AsyncGenerator<readonly ReleaseRow[]>;
}

const isAddress = (place: string): boolean => /^https?:\/\//.test(place);

/** Finds files by path, because the dataset may have been copied: the addresses in a manifest are those of its first place. */
function reader(place: string): ReadFile {
  if (!isAddress(place))
    return async (path) => {
      try {
        return new Uint8Array(await readFile(join(place, path)));
      } catch (error) {
        const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is none' : String(error);
        throw new ReleaseFailure(`${join(place, path)} cannot be read: ${reason}`, { cause: error });
      }
    };
  return async (path) => {
    const address = new URL(path, place.replace(/\/?$/, '/'));
    const response = await fetch(address).catch((error: unknown) => {
      throw new ReleaseFailure(`${address} cannot be reached`, { cause: error });
    });
    if (!response.ok) throw new ReleaseFailure(`${address} responds with ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** The place of a dataset and the day of one of its releases: of the newest where the place names none. */
async function findRelease(place: string): Promise<{ read: ReadFile; day: string }> {
  const [, above = '', named] = /^(.*?)\/?release=(\d{4}-\d{2}-\d{2})\/?$/.exec(place) ?? [];
  if (named !== undefined) return { read: reader(above === '' ? '.' : above), day: named };
  const read = reader(place);
  const day = latestIn(text(await read(LATEST)));
  if (day === undefined) throw new ReleaseFailure(`${LATEST} of ${place} is damaged`);
  return { read, day };
}

async function* fileRows(read: ReadFile, { path, sha256, rows }: ManifestFile) {
  const bytes = await read(path);
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
 * @param place a folder, or an http or https address. Throws ReleaseFailure.
 */
export async function openRelease(place: string): Promise<OpenedRelease> {
  const { read, day } = await findRelease(place);
  const manifest = readManifest(day, text(await read(`${releaseFolder(day)}/${MANIFEST}`)));
  return {
    manifest,
    async *rows(table, running) {
      const files = running === undefined ? manifest.files : [];
      for (const file of [...files, ...(manifest.running ?? [])])
        if (file.table === table) yield* fileRows(read, file);
    },
  };
}
