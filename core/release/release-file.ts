/** Writes Parquet files of a release, and returns their entries for the manifest. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { addDays, addMonths, DAY_MS, type Day, daysBetween } from '../reference/time.ts';
import { releaseFolder } from '../store/release-place.ts';
import {
  type Column,
  type ColumnType,
  RELEASE_TABLES,
  type ReleaseRow,
  type ReleaseTable,
} from './columns.ts';
import type { ManifestFile } from './manifest.ts';

type Leaf = Omit<SchemaElement, 'name' | 'repetition_type'>;

const UTC_MILLIS = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } as const;
const TEXT: Leaf = { type: 'BYTE_ARRAY', converted_type: 'UTF8' };

const LEAVES: Readonly<Record<Exclude<ColumnType, `LIST<${string}>`>, Leaf>> = {
  BOOLEAN: { type: 'BOOLEAN' },
  DATE: { type: 'INT32', converted_type: 'DATE' },
  DOUBLE: { type: 'DOUBLE' },
  INTEGER: { type: 'INT32' },
  STRING: TEXT,
  TIMESTAMP: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', logical_type: UTC_MILLIS },
};

function elements(name: string, { type, nullable }: Column): SchemaElement[] {
  const repetition_type = nullable ? 'OPTIONAL' : 'REQUIRED';
  if (type !== 'LIST<DOUBLE>' && type !== 'LIST<STRING>') return [{ name, repetition_type, ...LEAVES[type] }];
  const leaf = type === 'LIST<DOUBLE>' ? LEAVES.DOUBLE : TEXT;
  return [
    { name, repetition_type, converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'REQUIRED', ...leaf },
  ];
}

/** A parser of days into days since 1970, a month as its first day. Rows are ordered by day, so it caches the last result. */
function dayNumbers(): (text: string) => number {
  let last = { text: '', number: 0 };
  return (text) => {
    if (text !== last.text) last = { text, number: Date.parse(text) / DAY_MS };
    return last.number;
  };
}

/** The physical values of a column, from values as the API states them. */
function toPhysical(type: ColumnType): (value: unknown) => unknown {
  if (type === 'DATE') {
    const dayNumber = dayNumbers();
    return (value) => (typeof value === 'string' ? dayNumber(value) : value);
  }
  if (type === 'TIMESTAMP')
    return (value) =>
      value == null ? value : BigInt(typeof value === 'number' ? value : Date.parse(String(value)));
  return (value) => value;
}

/** Where the files of a release go, and where they can be read once it is published. */
export interface ReleaseSite {
  /** Folder on this machine. */
  readonly folder: string;
  readonly day: Day;
  /** Address of the dataset, with a slash at its end. */
  readonly address: string;
  /** Folder within the release that has the tables, with a slash at its end; none where it is absent. */
  readonly inside?: string;
  /** Every file that is closed is added. */
  readonly files: ManifestFile[];
}

/** A row, and the columns that all rows of its port share: not copied, because there are millions of rows. */
export interface PlacedRow {
  readonly row: ReleaseRow;
  readonly place: ReleaseRow;
}

export type ReleaseFile = Awaited<ReturnType<typeof openReleaseFile>>;

const CREATED_BY = 'port-congestion-data-service';

async function digest(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const block of createReadStream(path)) hash.update(block);
  return hash.digest('hex');
}

/**
 * Begins the file of a table, and of a year where the table has years: one row group is in memory at a time, and equal rows give equal
 * bytes. Throws what the file system throws.
 */
export async function openReleaseFile(
  { folder, day, address, inside: within = '', files }: ReleaseSite,
  table: ReleaseTable,
  year: string | undefined,
) {
  const inside = `${within}table=${table}/${year === undefined ? '' : `year=${year}/`}part-0.parquet`;
  const full = join(folder, inside);
  await mkdir(dirname(full), { recursive: true });
  const columns = Object.entries<Column>(RELEASE_TABLES[table]);
  const schema = [
    { name: 'root', num_children: columns.length },
    ...columns.flatMap(([name, column]) => elements(name, column)),
  ];
  const file = new ParquetWriter({ writer: fileWriter(full), schema, createdBy: CREATED_BY });
  const group = columns.map(([name, { type }]) => ({
    name,
    // The range of each row group lets a query for a port or for days skip the others. Queries do not select by a range of figures.
    statistics: type !== 'DOUBLE' && !type.startsWith('LIST'),
    physical: toPhysical(type),
    data: [] as unknown[],
  }));
  let rowsOfGroup = 0;
  let rows = 0;
  return {
    /** Adds rows to the row group, and returns how many it has. */
    append(added: readonly PlacedRow[]): number {
      for (const { name, physical, data } of group)
        for (const { row, place } of added)
          data.push(physical((name in place ? place[name] : row[name]) ?? null));
      rowsOfGroup += added.length;
      return rowsOfGroup;
    },
    /** Writes the row group, unless it is empty. */
    endGroup(): void {
      if (rowsOfGroup === 0) return;
      file.write({
        columnData: group.map(({ name, data, statistics }) => ({ name, data, statistics })),
        rowGroupSize: rowsOfGroup,
      });
      for (const column of group) column.data = [];
      rows += rowsOfGroup;
      rowsOfGroup = 0;
    },
    /** Ends the row group and the file; removes it where there are no rows. */
    async close(): Promise<void> {
      this.endGroup();
      file.finish();
      if (rows === 0) return rm(dirname(full), { recursive: true });
      const path = `${releaseFolder(day)}/${inside}`;
      const { size: bytes } = await stat(full);
      const of = year === undefined ? { table } : { table, year };
      files.push({ ...of, path, address: `${address}${path}`, bytes, sha256: await digest(full), rows });
    },
  };
}

/** Writes a file. The groups of its rows are put together to some thousands, because each group of a file has a cost of its own. */
export async function writeReleaseFile(
  site: ReleaseSite,
  table: ReleaseTable,
  year: string | undefined,
  groups: AsyncIterable<readonly ReleaseRow[]> | Iterable<readonly ReleaseRow[]>,
): Promise<void> {
  const file = await openReleaseFile(site, table, year);
  for await (const group of groups)
    if (file.append(group.map((row) => ({ row, place: {} }))) >= GROUP_ROWS) file.endGroup();
  await file.close();
}

// Spans of days that are written as one row group: by month, so that a query of a month reads one group of many.

export interface Span {
  readonly firstDay: Day;
  readonly lastDay: Day;
}

/** Approximate rows of one row group. Memory grows with it. */
const GROUP_ROWS = 12_400;

/**
 * The spans of `year` up to `lastDay`, in their order: the whole year where it fits into one group, else its months, or
 * parts of them where a month is too much.
 * @param year four digits
 * @param rowsPerDay of all ports together
 */
export function makeSpans(year: string, lastDay: Day, rowsPerDay: number): Span[] {
  const end = `${year}-12-31` < lastDay ? `${year}-12-31` : lastDay;
  const fits = Math.max(1, Math.floor(GROUP_ROWS / Math.max(1, rowsPerDay)));
  if (fits >= 366) return [{ firstDay: `${year}-01-01`, lastDay: end }];
  const months = Array.from({ length: 12 }, (_, index) => addMonths(`${year}-01`, index));
  return months.flatMap((month) => {
    const days = daysBetween(`${month}-01`, addDays(`${addMonths(month, 1)}-01`, -1));
    const length = Math.ceil(days.length / Math.ceil(days.length / fits));
    return days.flatMap((firstDay, index): Span[] => {
      if (index % length !== 0 || firstDay > end) return [];
      const last = days[Math.min(index + length, days.length) - 1] ?? firstDay;
      return [{ firstDay, lastDay: last < end ? last : end }];
    });
  });
}

/** Spans of the same days that end wherever a span of any list ends: the unit of reading when several tables are written. */
export function commonSpans(lists: readonly (readonly Span[])[]): Span[] {
  const lastDays = [...new Set(lists.flat().map(({ lastDay }) => lastDay))].sort();
  const [first] = lists.flat();
  return lastDays.map((lastDay, at) => {
    const before = lastDays[at - 1];
    return { firstDay: before === undefined ? (first?.firstDay ?? lastDay) : addDays(before, 1), lastDay };
  });
}
