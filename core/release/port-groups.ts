/** Writes the tables of ports: one span of days at a time, read from all ports, in the order of the table. */
import { groupBy } from '../reference/grouping.ts';
import type { Day } from '../reference/time.ts';
import { inTurns } from '../reference/turns.ts';
import type { ReleaseRow } from './columns.ts';
import type { ManifestFile } from './manifest.ts';
import type { ReleasedPort } from './origins.ts';
import type { PortTables } from './port-tables.ts';
import { openReleaseFile, type PlacedRow, type ReleaseFile, type ReleaseSite } from './release-file.ts';
import { commonSpans, makeSpans, type Span } from './spans.ts';

/** Queries in flight at a time. */
const READERS = 16;

/** What `read` has of each port in a span of days, with the columns that all rows of the port share. */
async function readPorts({ read }: PortTables, span: Span, ports: readonly ReleasedPort[]) {
  const found: { place: ReleaseRow; tables: Awaited<ReturnType<PortTables['read']>> }[] = [];
  await inTurns([...ports.entries()], READERS, async ([at, port]) => {
    const place = { port: port.row.port, ...port.origin };
    found[at] = { place, tables: await read(port, span) };
  });
  return (at: number): PlacedRow[] =>
    found.flatMap(({ place, tables }) => (tables[at] ?? []).map((row) => ({ row, place })));
}

/** Writes the incomplete day of the release to files of its own, because the tables contain ended days only. */
export async function writeRunning(
  site: ReleaseSite,
  together: readonly PortTables[],
  ports: readonly ReleasedPort[],
): Promise<ManifestFile[]> {
  const running: ReleaseSite = { ...site, inside: 'running/', files: [] };
  for (const group of together) {
    if (!group.tables.some((table) => table.running)) continue;
    const { has = () => true } = group;
    const rowsAt = await readPorts(group, { firstDay: site.day, lastDay: site.day }, ports.filter(has));
    for (const [at, table] of group.tables.entries()) {
      if (!table.running) continue;
      const file = await openReleaseFile(running, table.name, undefined);
      file.append(rowsAt(at));
      await file.close();
    }
  }
  return running.files;
}

/** Writes the files of one year up to `lastDay`: one span of days at a time, which is read once for all tables. */
export async function writePortTables(
  site: ReleaseSite,
  group: PortTables,
  year: string,
  lastDay: Day,
  ports: readonly ReleasedPort[],
): Promise<void> {
  const { tables, orderedBy, has = () => true } = group;
  const wanted = ports.filter(has);
  const spans = tables.map(({ dailyRows }) => makeSpans(year, lastDay, dailyRows * wanted.length));
  const files: ReleaseFile[] = [];
  for (const { name } of tables) files.push(await openReleaseFile(site, name, year));
  for (const span of commonSpans(spans)) {
    const rowsAt = await readPorts(group, span, wanted);
    for (const [at, file] of files.entries()) {
      // A column has few values, so this is faster than a sort. Rows with an equal one keep their order.
      const byText = groupBy(rowsAt(at), ({ row }) => String(row[orderedBy]));
      for (const text of [...byText.keys()].sort()) file.append(byText.get(text) ?? []);
      if (spans[at]?.some(({ lastDay: end }) => end === span.lastDay)) file.endGroup();
    }
  }
  for (const file of files) await file.close();
}
