/** Writes one Parquet file of a release, and says what it is. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Day } from '../reference/time.ts';
import { releaseFolder } from '../store/release-place.ts';
import { type Columns, RELEASE_TABLES, type ReleaseRow, type ReleaseTable } from './columns.ts';
import type { ManifestFile } from './manifest.ts';
import { openParquetFile } from './parquet-file.ts';

/** Where the files of a release go, and where they can be read once it is published. */
export interface ReleaseSite {
  /** Folder of this machine. */
  readonly folder: string;
  readonly day: Day;
  /** Address of the dataset, with a slash at its end. */
  readonly address: string;
}

/** Row groups of one file. */
export type Groups = AsyncIterable<readonly ReleaseRow[]> | Iterable<readonly ReleaseRow[]>;

const CREATED_BY = 'port-congestion-data-service';

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const block of createReadStream(path)) hash.update(block);
  return hash.digest('hex');
}

/**
 * Writes the file of a table, and of a year where the table has years. No file, and an empty list, where there are no
 * rows. Throws what the file system throws.
 */
export async function writeReleaseFile(
  { folder, day, address }: ReleaseSite,
  table: ReleaseTable,
  year: string | undefined,
  groups: Groups,
): Promise<ManifestFile[]> {
  const inside = `table=${table}/${year === undefined ? '' : `year=${year}/`}part-0.parquet`;
  const full = join(folder, inside);
  await mkdir(dirname(full), { recursive: true });
  const columns: Columns = RELEASE_TABLES[table];
  const parquet = openParquetFile(full, columns, CREATED_BY);
  let rows = 0;
  for await (const group of groups) {
    if (group.length > 0) parquet.append(group);
    rows += group.length;
  }
  parquet.close();
  if (rows === 0) {
    await rm(dirname(full), { recursive: true });
    return [];
  }
  const path = `${releaseFolder(day)}/${inside}`;
  const { size: bytes } = await stat(full);
  const sha256 = await digestOf(full);
  const of = year === undefined ? { table } : { table, year };
  return [{ ...of, path, address: `${address}${path}`, bytes, sha256, rows }];
}
