/** Writes the tables of ports: one span of days at a time, read from all ports, in the order of the table. */
import type { Day } from '../reference/time.ts';
import type { Beginning } from '../store/beginnings.ts';
import type { PortRow } from '../store/ports.ts';
import type { Known } from '../store/series.ts';
import type { ReleaseRow, ReleaseTable } from './columns.ts';
import type { ManifestFile } from './manifest.ts';
import type { Origin } from './origins.ts';
import type { PortTables } from './port-tables.ts';
import { openReleaseFile, type ReleaseFile, type ReleaseSite, writeReleaseFile } from './release-file.ts';
import { commonSpans, makeSpans } from './spans.ts';

/** A port whose rows may be passed on. */
export interface ReleasedPort {
  readonly row: Known<PortRow>;
  readonly origin: Origin;
  /** Undefined where nothing was known of it yet. */
  readonly begin: Beginning | undefined;
}

/** Queries in flight at a time. */
const READERS = 16;

/** The results of `work` in the order of `items`. */
async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const pending = items.entries();
  const reader = async (): Promise<void> => {
    for (const [index, item] of pending) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  return results;
}

/** Rows, and in a parallel list the columns that all rows of a port share: two lists, because there are millions of rows. */
interface PlacedRows {
  readonly rows: ReleaseRow[];
  readonly places: ReleaseRow[];
}

/** Groups the rows by the text of one column; rows with equal text keep their order. A column has few values, so this is faster than a sort. */
function orderedBy(
  column: string,
  found: readonly { readonly rows: readonly ReleaseRow[]; readonly place: ReleaseRow }[],
): PlacedRows[] {
  const byText = new Map<string, PlacedRows>();
  for (const { rows, place } of found)
    for (const row of rows) {
      const text = String(row[column]);
      const placed = byText.get(text) ?? { rows: [], places: [] };
      byText.set(text, placed);
      placed.rows.push(row);
      placed.places.push(place);
    }
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, placed]) => placed);
}

/** Tables whose running day a service needs when it begins with the release; the others follow from them. */
const RUNNING: readonly ReleaseTable[] = [
  'days',
  'waits',
  'alerts',
  'alerts_raised',
  'forecasts',
  'forecasts_issued',
];

/** Writes the incomplete day of the release to files of its own, because the tables contain ended days only. */
export async function writeRunning(
  site: ReleaseSite,
  together: readonly PortTables[],
  ports: readonly ReleasedPort[],
): Promise<ManifestFile[]> {
  const span = { firstDay: site.day, lastDay: site.day };
  const files: ManifestFile[] = [];
  for (const { tables, read } of together) {
    if (!tables.some(({ name }) => RUNNING.includes(name))) continue;
    const found = await inParallel(ports, async ({ row: { port }, origin, begin }) =>
      (await read({ port, begin }, span)).map((rows) => rows.map((row) => ({ port, ...row, ...origin }))),
    );
    for (const [at, { name }] of tables.entries()) {
      if (!RUNNING.includes(name)) continue;
      const rows = found.flatMap((portTables) => portTables[at] ?? []);
      files.push(...(await writeReleaseFile({ ...site, inside: 'running' }, name, undefined, [rows])));
    }
  }
  return files;
}

/** Writes the files of one year up to `lastDay`: one span of days at a time, which is read once for all tables. */
export async function writePortTables(
  site: ReleaseSite,
  { tables, orderedBy: column, has, read }: PortTables,
  year: string,
  lastDay: Day,
  ports: readonly ReleasedPort[],
): Promise<ManifestFile[]> {
  const wanted = ports.filter(({ row }) => has(row));
  const groups = tables.map(({ dailyRows }) => makeSpans(year, lastDay, dailyRows * wanted.length));
  const files: ReleaseFile[] = [];
  for (const { name } of tables) files.push(await openReleaseFile(site, name, year));
  for (const span of commonSpans(groups)) {
    const found = await inParallel(wanted, async ({ row: { port }, origin, begin }) => ({
      place: { port, ...origin },
      tables: await read({ port, begin }, span),
    }));
    for (const [at, file] of files.entries()) {
      const tableRows = found.map(({ place, tables: portTables }) => ({ place, rows: portTables[at] ?? [] }));
      for (const { rows, places } of orderedBy(column, tableRows)) file.append(rows, places);
      if (groups[at]?.some((group) => group.lastDay === span.lastDay)) file.endGroup();
    }
  }
  const written: ManifestFile[] = [];
  for (const file of files) written.push(...(await file.close()));
  return written;
}
