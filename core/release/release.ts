/** Writes a release of the dataset: every table as Parquet files, and the manifest that makes them a release. */
import { METHODOLOGY_VERSION } from '../metrics/figures.ts';
import { addDays, type Day, daysBetween, startOfDay } from '../reference/time.ts';
import { allImportIndices, importMethodology, indexPoints } from '../store/import-index.ts';
import { createPortStore, type PortRow, portsAsOf } from '../store/ports.ts';
import {
  folderFailure,
  INDEX,
  LATEST,
  latestIn,
  MANIFEST,
  ReleaseFailure,
  type ReleasePlace,
  releaseFolder,
} from '../store/release-place.ts';
import { portFigures } from '../store/served-records.ts';
import { createSourceStatusStore } from '../store/source-status.ts';
import type { Table } from '../store/table.ts';
import { createVintageStore, methodologyOn, type VintageReader } from '../store/vintages.ts';
import type { SourceDeclaration } from '../upstream/source.ts';
import { type Columns, RELEASE_TABLES, type ReleaseRow } from './columns.ts';
import { indexPage } from './index-page.ts';
import {
  type Manifest,
  type ManifestFile,
  manifestSource,
  manifestText,
  readManifest,
  vintageMethodologies,
} from './manifest.ts';
import { findOrigins, type Origin } from './origins.ts';
import { type ReleasedPort, writePortTables } from './port-groups.ts';
import { findRuns, KnownRuns, portTables } from './port-tables.ts';
import { type ReleaseSite, writeReleaseFile } from './release-file.ts';
import { GROUP_ROWS } from './spans.ts';
import type { ReleaseTableId } from './store-tables.ts';

// What was known when of the import indices and of the list of ports.

/** Rows of each code by month; a month that is older than what the index serves has ended. */
async function* importVintages(
  codes: readonly string[],
  vintages: VintageReader,
  origin: Origin,
): AsyncGenerator<readonly ReleaseRow[]> {
  for (const code of codes) {
    const changes = (await vintages.importsHistory(code)).map((vintage) => {
      const made = { backfilled: vintage.backfilled === true, methodology: importMethodology(vintage) };
      const rows = indexPoints(vintage).map((point) => ({
        id: point.month,
        row: { code, ...point, ...origin },
        made,
      }));
      return { since: String(vintage.at), rows };
    });
    yield findRuns(changes).sort(
      (a, b) => Number(String(a.month) > String(b.month)) - Number(String(a.month) < String(b.month)),
    );
  }
}

/** The list of ports on every day since the first vintage, in the order in which its rows end. `today`: the day of the release. */
async function* portVintages(
  ports: readonly ReleasedPort[],
  vintages: VintageReader,
  today: Day,
): AsyncGenerator<readonly ReleaseRow[]> {
  const begin = await vintages.begin();
  if (begin === undefined || begin > today) return;
  const rows = ports.map(({ row }) => row);
  const byPort = new Map(ports.map((port) => [port.row.port, port]));
  const runs = new KnownRuns();
  for (const day of daysBetween(begin, today)) {
    const served = day === today ? rows : portsAsOf(rows, await vintages.portsOn(day), day);
    yield runs.change(
      day,
      served.map((row) => {
        const { origin, begin: began } = byPort.get(row.port) ?? {};
        const methodology = began && methodologyOn(began, day);
        return {
          id: row.port,
          row: { ...portFigures(row), ...origin },
          made: { backfilled: row.backfilled === true, methodology },
        };
      }),
    );
  }
  yield runs.current();
}

/** The same rows in groups of some thousands, because each group of a file has a cost of its own. */
async function* inLargeGroups(
  groups: AsyncIterable<readonly ReleaseRow[]>,
  groupRows: number,
): AsyncGenerator<readonly ReleaseRow[]> {
  let pending: ReleaseRow[] = [];
  for await (const group of groups) {
    pending.push(...group);
    if (pending.length < groupRows) continue;
    yield pending;
    pending = [];
  }
  yield pending;
}

export interface ReleaseRequest {
  readonly tables: Readonly<Record<ReleaseTableId, Table>>;
  readonly declarations: readonly SourceDeclaration[];
  readonly place: ReleasePlace;
  /** UTC day of the release; its figures end with the day before. */
  readonly day: Day;
  /** Address of the dataset, with a slash at its end. */
  readonly address: string;
}

export interface ReleaseOutcome {
  readonly manifest: Manifest;
  /** False where the release of the day was there already: a release never changes. */
  readonly written: boolean;
}

const ORDER = Object.keys(RELEASE_TABLES);

/** The years that the observations of the ports cover, up to `lastDay`. */
function listYears(ports: readonly PortRow[], lastDay: Day): string[] {
  const first = ports.reduce(
    (least, { firstDay = lastDay }) => (firstDay < least ? firstDay : least),
    lastDay,
  );
  const [from, to] = [Number(first.slice(0, 4)), Number(lastDay.slice(0, 4))];
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
}

async function writeImports(
  site: ReleaseSite,
  table: Table,
  vintages: VintageReader,
  origin: Origin,
): Promise<ManifestFile[]> {
  const indices = await allImportIndices(table);
  const rows = indices.flatMap(({ code, points }) => points.map((point) => ({ code, ...point, ...origin })));
  const years = [...new Set(rows.map(({ month }) => month.slice(0, 4)))].sort();
  const files: ManifestFile[] = [];
  for (const year of years) {
    const ofYear = rows.filter(({ month }) => month.startsWith(year));
    files.push(...(await writeReleaseFile(site, 'imports', year, [ofYear])));
  }
  const codes = indices.map(({ code }) => code);
  const groups = inLargeGroups(importVintages(codes, vintages, origin), GROUP_ROWS);
  return [...files, ...(await writeReleaseFile(site, 'vintages_imports', undefined, groups))];
}

async function writeTables(request: ReleaseRequest, folder: string): Promise<Manifest> {
  const { tables, declarations, day, address } = request;
  const site = { folder, day, address };
  const lastDay = addDays(day, -1);
  const origins = findOrigins(declarations);
  const rows = await createPortStore(tables.ports).all();
  // A row without a stated licence is not passed on.
  const vintages = createVintageStore(tables.vintages);
  const beginnings = await vintages.beginnings();
  const ports = rows.flatMap((row): ReleasedPort[] => {
    const origin = origins.ofPort(row);
    return origin === undefined ? [] : [{ row, origin, begin: beginnings.get(row.port) }];
  });
  if (ports.every(({ row }) => row.snapshot === undefined))
    throw new ReleaseFailure('there is nothing to release: no port has figures yet');
  const files: ManifestFile[] = [];
  for (const together of portTables(tables, vintages, origins, day))
    for (const year of listYears(rows, lastDay))
      files.push(...(await writePortTables(site, together, year, lastDay, ports)));
  const statuses = createSourceStatusStore(tables.sourceStatus, () => startOfDay(day));
  const imports = origins.ofImports([...(await statuses.fetchTimes()).keys()]);
  if (imports !== undefined) files.push(...(await writeImports(site, tables.importIndex, vintages, imports)));
  const portRows = ports.map(({ row, origin }) => ({ ...portFigures(row), ...origin }));
  files.push(...(await writeReleaseFile(site, 'ports', undefined, [portRows])));
  const listed = inLargeGroups(portVintages(ports, vintages, day), GROUP_ROWS);
  files.push(...(await writeReleaseFile(site, 'vintages_ports', undefined, listed)));
  const used = new Set([...ports.flatMap(({ row }) => row.sources), ...(imports?.source.split(' ') ?? [])]);
  return {
    release: day,
    address: `${address}${releaseFolder(day)}/`,
    methodology_version: METHODOLOGY_VERSION,
    vintage_methodologies: vintageMethodologies(ports.flatMap(({ begin }) => begin ?? [])),
    tables: Object.fromEntries(
      Object.entries<Columns>(RELEASE_TABLES).map(([table, columns]) => [
        table,
        Object.entries(columns).map(([name, { type, nullable }]) => ({ name, type, nullable })),
      ]),
    ),
    files: files.sort((a, b) => ORDER.indexOf(a.table) - ORDER.indexOf(b.table)),
    sources: declarations.filter(({ id }) => used.has(id)).map(manifestSource),
  };
}

/** The files beside the releases that name one as the newest. */
const naming = (manifest: Manifest): Readonly<Record<string, string>> => ({
  [INDEX]: indexPage(manifest),
  [LATEST]: `${JSON.stringify({ release: manifest.release, manifest: `${manifest.address}${MANIFEST}` })}\n`,
});

/**
 * Writes the release of the day, or finds it complete, and then names it again where the file that does is lost or damaged. Throws ReleaseFailure and StoreFailure; then nothing of it is
 * visible, and the release before stays the newest.
 */
export async function writeRelease(request: ReleaseRequest): Promise<ReleaseOutcome> {
  const { place, day } = request;
  const home = releaseFolder(day);
  const there = await place.read(`${home}/${MANIFEST}`);
  if (there !== undefined) {
    const manifest = readManifest(day, there);
    if (latestIn((await place.read(LATEST)) ?? '') === undefined) await place.replace(naming(manifest));
    return { manifest, written: false };
  }
  const draft = await place.draft(day);
  try {
    const manifest = await writeTables(request, draft.folder);
    const files = manifest.files.map(({ path }) => path.slice(home.length + 1));
    await draft.publish(files, manifestText(manifest), naming(manifest));
    return { manifest, written: true };
  } catch (error) {
    await draft.discard().catch(() => undefined);
    throw folderFailure(place.name, error);
  }
}
