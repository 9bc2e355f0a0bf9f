/** Writes a release of the dataset: every table as Parquet files, and the manifest that makes them a release. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NO_CLOCKS } from '../calls/port-call.ts';
import { KNOWN_DAYS, RECORD } from '../contracts/published-files.ts';
import { METHODOLOGY_VERSION } from '../metrics/figures.ts';
import { MAX_WINDOW_DAYS } from '../metrics/waits.ts';
import { groupBy } from '../reference/statistics.ts';
import {
  addDays,
  type Day,
  daysBetween,
  formatInstant,
  type Instant,
  startOfDay,
} from '../reference/time.ts';
import { allImportIndices, indexPoints, servedPoints } from '../store/imports.ts';
import { createPortReader, type PortRow, portsAsOf, unpackRecent } from '../store/ports.ts';
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
import { methodologyOn } from '../store/series.ts';
import { createSourceStatusStore } from '../store/source-status.ts';
import type { SourceDeclaration } from '../upstream/source.ts';
import { type Columns, RELEASE_TABLES, type ReleaseRow } from './columns.ts';
import { KnownMonths, writeKnownDays } from './known-days.ts';
import {
  DATA_PACKAGE,
  dataPackage,
  importSource,
  indexPage,
  type Manifest,
  manifestSource,
  manifestText,
  type Origin,
  originOf,
  type ReleasedPort,
  readManifest,
  releasedPorts,
  vintageMethodologies,
} from './manifest.ts';
import { portTables, writePortTables, writeRunning } from './port-tables.ts';
import { Revisions, writeRecord } from './record.ts';
import { type ReleaseSite, writeReleaseFile } from './release-file.ts';
import { type ReleaseStores, type ReleaseTables, releaseStores } from './release-stores.ts';
import { findRuns, KnownRuns, portRow } from './rows.ts';

// Vintages of the import indices and of the list of ports.

/** Rows of each code by month; a month that is older than what the index serves has ended. */
async function* importVintages(
  codes: readonly string[],
  { imports, importBeginnings }: ReleaseStores,
  origin: Origin,
): AsyncGenerator<readonly ReleaseRow[]> {
  const beginnings = await importBeginnings.all();
  for (const code of codes) {
    const { values } = await imports.history(code, { from: code, to: code }, beginnings.get(code));
    const runs = findRuns(values, 'month', (index) =>
      servedPoints(index).map((point) => ({ code, ...point, ...origin })),
    );
    yield runs.sort((a, b) => String(a.month).localeCompare(String(b.month)));
  }
}

/** The list of ports on every day since the first vintage, in the order in which its rows end. `today`: the day of the release. */
async function* portVintages(
  ports: readonly ReleasedPort[],
  stores: ReleaseStores,
  today: Day,
  knownMonths: KnownMonths,
): AsyncGenerator<readonly ReleaseRow[]> {
  const begin = await stores.portBeginnings.day();
  if (begin === undefined || begin > today) return;
  const rows = ports.map(({ row }) => row);
  const byPort = new Map(ports.map((port) => [port.row.port, port]));
  const runs = new KnownRuns('port');
  for (const day of daysBetween(begin, today)) {
    const served = day === today ? rows : (await portsAsOf(stores.ports, rows, day)).rows;
    await knownMonths.add(day, served);
    yield runs.change(
      day,
      served.map((row) => {
        const { origin, begin: began } = byPort.get(row.port) ?? {};
        return {
          row: { ...portRow(row), ...origin },
          made: {
            backfilled: row.backfilled === true,
            methodology: began && methodologyOn(began, day),
          },
        };
      }),
    );
  }
  yield runs.current();
}

export interface ReleaseRequest {
  readonly tables: ReleaseTables;
  readonly declarations: readonly SourceDeclaration[];
  readonly place: ReleasePlace;
  /** UTC day of the release; its figures end with the day before. */
  readonly day: Day;
  /** Address of the dataset, with a slash at its end. */
  readonly address: string;
  /** The time by the clock of the machine. */
  readonly madeAt?: Instant | undefined;
  /** The service replays the fetches of another, so its figures were not served on their days. */
  readonly replays?: true;
}

export interface ReleaseOutcome {
  readonly manifest: Manifest;
  /** False where the release of the day existed already: a release never changes. */
  readonly written: boolean;
}

const ORDER = Object.keys(RELEASE_TABLES);

/** The waits of the first covered day include berthings on these days before it, which records in the first fetch state. */
const DAYS_BEFORE = MAX_WINDOW_DAYS - 1;

/** The years of the ports' rows, up to `lastDay`. */
function listYears(ports: readonly PortRow[], lastDay: Day): string[] {
  const first = ports.reduce(
    (least, { firstDay = lastDay }) => (firstDay < least ? firstDay : least),
    lastDay,
  );
  const [from, to] = [Number(addDays(first, -DAYS_BEFORE).slice(0, 4)), Number(lastDay.slice(0, 4))];
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
}

async function writeImports(
  site: ReleaseSite,
  stores: ReleaseStores,
  indices: Awaited<ReturnType<typeof allImportIndices>>,
  origin: Origin,
): Promise<void> {
  const rows = indices.flatMap((index) =>
    indexPoints(index).map((point) => ({ code: index.code, ...point, ...origin })),
  );
  const byYear = groupBy(rows, ({ month }) => month.slice(0, 4));
  for (const year of [...byYear.keys()].sort())
    await writeReleaseFile(site, 'imports', year, [byYear.get(year) ?? []]);
  const codes = indices.map(({ code }) => code);
  await writeReleaseFile(site, 'vintages_imports', undefined, importVintages(codes, stores, origin));
}

/** What a service needs to begin with the release and no table has: the covered spans of ports, and the change of their figures within a week. */
async function portStates(
  { clocks }: ReleaseStores,
  ports: readonly ReleasedPort[],
): Promise<Required<Pick<Manifest, 'covered' | 'changes'>>> {
  const covered: NonNullable<Manifest['covered']> = {};
  const changes: NonNullable<Manifest['changes']> = {};
  for (const { row } of ports) {
    const { clocks: { coverage } = NO_CLOCKS, settled } = (await clocks.get(row.port)) ?? {};
    const spans = [...(settled?.coverage ?? []), ...coverage];
    if (spans.length > 0)
      covered[row.port] = spans.map(({ fromAt, toAt }) => [formatInstant(fromAt), formatInstant(toAt)]);
    const { change } = row.recent === undefined ? {} : unpackRecent(row.recent);
    if (change) changes[row.port] = [change.congestionScore, change.avgWaitHours, change.atAnchor];
  }
  return { covered, changes };
}

async function writeTables(request: ReleaseRequest, folder: string): Promise<Manifest> {
  const { tables, declarations, day, address } = request;
  const site: ReleaseSite = { folder, day, address, files: [] };
  const lastDay = addDays(day, -1);
  const stores = releaseStores(tables);
  const rows = await createPortReader(tables.ports).all();
  const allStatuses = await createSourceStatusStore(tables.sourceStatus, () => startOfDay(day)).all();
  const statuses = new Map(allStatuses.map((status) => [status.source, status]));
  const given = allStatuses.flatMap((status) => status.tables ?? []);
  const ports = releasedPorts(rows, declarations, given, await stores.portBeginnings.all());
  if (ports.every(({ row }) => row.snapshot === undefined))
    throw new ReleaseFailure('there is nothing to release: no port has figures yet');
  const revisions = new Revisions(day);
  const together = portTables(stores, day).map((group) => revisions.counting(group));
  for (const group of together)
    for (const year of listYears(rows, lastDay)) await writePortTables(site, group, year, lastDay, ports);
  const imports = importSource(declarations, (id) => statuses.get(id)?.lastFetchAt !== undefined);
  const indices = imports === undefined ? [] : await allImportIndices(tables.importIndex);
  if (imports !== undefined) await writeImports(site, stores, indices, originOf([imports]));
  const portRows = ports.map(({ row, origin }) => ({ ...portRow(row), ...origin }));
  await writeReleaseFile(site, 'ports', undefined, [portRows]);
  const knownMonths = new KnownMonths(
    folder,
    day,
    ports.map(({ row }) => row),
  );
  const listed = portVintages(ports, stores, day, knownMonths);
  await writeReleaseFile(site, 'vintages_ports', undefined, listed);
  const knownDays = await writeKnownDays(folder, day, ports, knownMonths, stores);
  const record = await writeRecord(folder, day, ports, stores, revisions);
  const used = new Set([...ports.flatMap(({ row }) => row.sources), imports?.id]);
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
    known_days: knownDays,
    record,
    files: site.files.sort((a, b) => ORDER.indexOf(a.table) - ORDER.indexOf(b.table)),
    running: await writeRunning(site, together, ports),
    ...(await portStates(stores, ports)),
    ...(imports && { measures: Object.fromEntries(indices.map(({ code, measure }) => [code, measure])) }),
    ...(request.madeAt !== undefined && { made: formatInstant(request.madeAt) }),
    sources: declarations
      .filter(({ id }) => used.has(id))
      .map((declaration) => manifestSource(declaration, statuses.get(declaration.id), request.replays)),
  };
}

/** The files beside the releases that name one as the newest. `read` gives the text of one of the release; undefined where it has none. */
async function naming(
  manifest: Manifest,
  read: (name: string) => Promise<string | undefined>,
): Promise<Readonly<Record<string, string>>> {
  const copied: Record<string, string> = {};
  for (const name of [KNOWN_DAYS, RECORD]) {
    const text = await read(name);
    if (text !== undefined) copied[name] = text;
  }
  const latest = { release: manifest.release, manifest: `${manifest.address}${MANIFEST}` };
  return { [INDEX]: indexPage(manifest), ...copied, [LATEST]: `${JSON.stringify(latest)}\n` };
}

/**
 * Writes the release of the day. A complete one is kept, and named again if the file that names it is lost or damaged. After a
 * ReleaseFailure or StoreFailure nothing of it is visible, and the release before stays the newest.
 */
export async function writeRelease(request: ReleaseRequest): Promise<ReleaseOutcome> {
  const { place, day } = request;
  const home = releaseFolder(day);
  const there = await place.read(`${home}/${MANIFEST}`);
  if (there !== undefined) {
    const manifest = readManifest(day, there);
    if (latestIn((await place.read(LATEST)) ?? '') === undefined)
      await place.replace(await naming(manifest, (name) => place.read(`${home}/${name}`)));
    return { manifest, written: false };
  }
  const draft = await place.draft(day);
  try {
    const manifest = await writeTables(request, draft.folder);
    const { files, running = [], known_days: knownDays = [], record = [] } = manifest;
    const paths = [...files, ...running].map(({ path }) => path).concat(knownDays, record);
    const named = await naming(manifest, (name) => readFile(join(draft.folder, name), 'utf8'));
    const inside = [...paths.map((path) => path.slice(home.length + 1)), DATA_PACKAGE];
    await writeFile(join(draft.folder, DATA_PACKAGE), `${JSON.stringify(dataPackage(manifest), null, 1)}\n`);
    await draft.publish(inside, manifestText(manifest), named);
    return { manifest, written: true };
  } catch (error) {
    await draft.discard().catch(() => undefined);
    throw folderFailure(place.name, error);
  }
}
