/** Writes Parquet files of a release, and says what they are. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Day } from '../reference/time.ts';
import { releaseFolder } from '../store/release-place.ts';
import { type Columns, RELEASE_TABLES, type ReleaseRow, type ReleaseTable } from './columns.ts';
import type { ManifestFile } from './manifest.ts';
import { openParquetFile, type ParquetFile } from './parquet-file.ts';

/** Where the files of a release go, and where they can be read once it is published. */
export interface ReleaseSite {
  /** Folder of this machine. */
  readonly folder: string;
  readonly day: Day;
  /** Address of the dataset, with a slash at its end. */
  readonly address: string;
}

const CREATED_BY = 'port-congestion-data-service';

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const block of createReadStream(path)) hash.update(block);
  return hash.digest('hex');
}

export interface ReleaseFile extends Omit<ParquetFile, 'close'> {
  /** Ends the file. An empty list, and no file, where there are no rows. */
  close(): Promise<ManifestFile[]>;
}

/** Begins the file of a table, and of a year where the table has years. Throws what the file system throws. */
export async function openReleaseFile(
  { folder, day, address }: ReleaseSite,
  table: ReleaseTable,
  year: string | undefined,
): Promise<ReleaseFile> {
  const inside = `table=${table}/${year === undefined ? '' : `year=${year}/`}part-0.parquet`;
  const full = join(folder, inside);
  await mkdir(dirname(full), { recursive: true });
  const columns: Columns = RELEASE_TABLES[table];
  const parquet = openParquetFile(full, columns, CREATED_BY);
  return {
    ...parquet,
    async close() {
      const rows = parquet.close();
      if (rows === 0) {
        await rm(dirname(full), { recursive: true });
        return [];
      }
      const path = `${releaseFolder(day)}/${inside}`;
      const { size: bytes } = await stat(full);
      const sha256 = await digestOf(full);
      const of = year === undefined ? { table } : { table, year };
      return [{ ...of, path, address: `${address}${path}`, bytes, sha256, rows }];
    },
  };
}

/** Writes a file whose rows come in groups. */
export async function writeReleaseFile(
  site: ReleaseSite,
  table: ReleaseTable,
  year: string | undefined,
  groups: AsyncIterable<readonly ReleaseRow[]> | Iterable<readonly ReleaseRow[]>,
): Promise<ManifestFile[]> {
  const file = await openReleaseFile(site, table, year);
  for await (const group of groups) {
    file.append(group);
    file.endGroup();
  }
  return file.close();
}
