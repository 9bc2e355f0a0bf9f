/** Begins the tables of a service with a release: settled history, which later replies never change. */
import { type Coverage, dayCoverage } from '../calls/port-call.ts';
import { groupBy } from '../reference/statistics.ts';
import {
  addDays,
  type Clock,
  type Day,
  dayOf,
  daysBetween,
  type Instant,
  parseInstant,
} from '../reference/time.ts';
import { ALERTS, createAlertFeed, createRaisedAlertStore } from '../store/alerts.ts';
import { createStayDayStore, TREND, WAITS } from '../store/day-series.ts';
import { createForecastStore } from '../store/forecasts.ts';
import { IMPORTS } from '../store/imports.ts';
import { createPortClockStore, PORTS } from '../store/ports.ts';
import { ReleaseFailure } from '../store/release-place.ts';
import { createBeginnings, type LoadedSeries, loadSeries, type SeriesKind } from '../store/series.ts';
import { createSourceStatusStore, type GivenTable } from '../store/source-status.ts';
import type { Table } from '../store/table.ts';
import type { IngestTableId } from '../store/tables.ts';
import type { ReleaseRow, ReleaseTable } from './columns.ts';
import type { Manifest, ManifestSource } from './manifest.ts';
import type { OpenedRelease } from './release-reader.ts';
import {
  alertOf,
  forecastOf,
  importIndexOf,
  knownValues,
  metricsOf,
  portFiguresOf,
  portRowOf,
  raisedAlertOf,
  servedDayOf,
  stayOf,
  waitDayOf,
} from './rows.ts';

// Loads the tables of a release into those of the store: every value with the day from which it was known.

export type ImportTables = Readonly<Record<IngestTableId, Table>>;

const portIn = ({ port }: ReleaseRow): string => String(port);
const codeIn = ({ code }: ReleaseRow): string => String(code);
const dateIn = ({ date }: ReleaseRow): Day => String(date);

async function allRows(
  release: OpenedRelease,
  table: ReleaseTable,
  running?: 'running',
): Promise<ReleaseRow[]> {
  const rows: ReleaseRow[] = [];
  for await (const group of release.rows(table, running)) for (const row of group) rows.push(row);
  return rows;
}

/** Versions of the methodology by subject, each with the first day since which values of it are known. */
class Methods {
  readonly #first = new Map<string, { subject: string; version: string; since: Day }>();

  add(rows: readonly ReleaseRow[], subjectOf: (row: ReleaseRow) => string): void {
    for (const row of rows) {
      if (row.methodology == null) continue;
      const method = {
        subject: subjectOf(row),
        version: String(row.methodology),
        since: String(row.known_from),
      };
      const key = `${method.subject} ${method.version}`;
      if (method.since < (this.#first.get(key)?.since ?? '~')) this.#first.set(key, method);
    }
  }

  async write(vintages: Table, subjects: 'ports' | 'imports'): Promise<void> {
    const beginnings = createBeginnings(vintages, subjects);
    const oldestFirst = [...this.#first.values()].sort((a, b) => (a.since < b.since ? -1 : 1));
    for (const { subject, ...method } of oldestFirst) await beginnings.note(subject, method);
  }
}

const forecastIn = ({ port, metric, issued }: ReleaseRow): string => `${port} ${metric} ${issued}`;

/** The days of forecasts by what was issued. A row group has whole days, in the order of `issued`: only what is not taken yet is in memory. */
class IssuedDays {
  readonly #rows = new Map<string, ReleaseRow[]>();
  #until = '';

  constructor(private readonly groups: AsyncGenerator<readonly ReleaseRow[]>) {}

  async readUntil(issued: Day): Promise<void> {
    while (this.#until < issued) {
      const { value: group, done = false } = await this.groups.next();
      if (done) return;
      for (const [key, rows] of groupBy(group as readonly ReleaseRow[], forecastIn))
        this.#rows.set(key, [...(this.#rows.get(key) ?? []), ...rows]);
      this.#until = String(group.at(-1)?.issued);
    }
  }

  take(issued: ReleaseRow): readonly ReleaseRow[] {
    const key = forecastIn(issued);
    const rows = this.#rows.get(key) ?? [];
    this.#rows.delete(key);
    return rows;
  }
}

/** Days of scores before a snapshot. */
const RECENT_DAYS = 30;

class Loader {
  /** Rows of the table `days` by port and day. */
  readonly #days = new Map<string, ReadonlyMap<Day, ReleaseRow>>();
  readonly #methods = new Methods();
  readonly #withStays = new Set<string>();

  constructor(
    private readonly release: OpenedRelease,
    private readonly tables: ImportTables,
  ) {}

  /** Returns the day that the newest forecasts of each port are from, and the ports whose stays the release has. */
  async load(): Promise<{ forecastDays: ReadonlyMap<string, Day>; withStays: ReadonlySet<string> }> {
    const forecastDays = await this.#forecasts();
    await this.#loadDays();
    await this.#ports();
    await this.#waits();
    await this.#alerts();
    await this.#imports();
    await this.#stays();
    await this.#methods.write(this.tables.vintages, 'ports');
    return { forecastDays, withStays: this.#withStays };
  }

  #load<Served extends object, Stored extends Served>(
    kind: SeriesKind<Served, Stored>,
    table: Table,
    subject: string,
    series: LoadedSeries<Served, Stored>,
  ): Promise<void> {
    return loadSeries(kind, { table, vintages: this.tables.vintages }, subject, series);
  }

  /** Rows of a table by port, one row group at a time: a key of a table of vintages is never in two groups. */
  async *#byPort(table: ReleaseTable): AsyncGenerator<[string, ReleaseRow[]]> {
    for await (const group of this.release.rows(table)) {
      this.#methods.add(group, portIn);
      yield* groupBy(group, portIn);
    }
  }

  /** The same of the vintages of a table, and at the end the rows of the running day, which are known since then. */
  async *#knownRows(table: 'waits' | 'alerts'): AsyncGenerator<[string, ReleaseRow[]]> {
    yield* this.#byPort(`vintages_${table}`);
    const today = this.release.manifest.release;
    const running = await allRows(this.release, table, 'running');
    yield* groupBy(
      running.map((row) => {
        const backfilled = this.#days.get(portIn(row))?.get(today)?.backfilled;
        return { ...row, known_from: today, backfilled };
      }),
      portIn,
    );
  }

  /** Loads a series whose served values are the newest of their keys, and returns those. */
  async #loadKnown<T extends object>(
    kind: SeriesKind<T>,
    table: Table,
    port: string,
    rows: readonly ReleaseRow[],
    keyOf: (row: ReleaseRow) => string,
    toValue: (rows: readonly ReleaseRow[]) => T,
  ): Promise<T[]> {
    const values = knownValues(rows, keyOf, toValue);
    const current = [...values.values()].flatMap((history) => history.at(-1)?.value ?? []);
    await this.#load(kind, table, port, { current, values });
    return current;
  }

  async #forecasts(): Promise<ReadonlyMap<string, Day>> {
    const store = createForecastStore(this.tables.forecasts);
    const newest = new Map<string, Day>();
    const days = new IssuedDays(this.release.rows('forecasts'));
    for await (const group of this.release.rows('forecasts_issued')) {
      await days.readUntil(String(group.at(-1)?.issued));
      for (const [port, rows] of groupBy(group, portIn)) {
        await store.write(
          port,
          rows.map((row) => forecastOf(row, days.take(row))),
        );
        newest.set(port, addDays(String(rows.at(-1)?.issued), -1));
      }
    }
    return newest;
  }

  async #loadDays(): Promise<void> {
    for (const [port, rows] of groupBy(await allRows(this.release, 'days'), portIn))
      this.#days.set(port, new Map(rows.map((row) => [dateIn(row), row])));
    const served = new Set<ReleaseRow>();
    for await (const [port, rows] of this.#byPort('vintages_trend')) {
      const values = knownValues(rows, dateIn, servedDayOf);
      const days = [...values.keys()].map((day) => this.#days.get(port)?.get(day));
      const current = days.filter((row) => row !== undefined);
      for (const row of current) served.add(row);
      await this.#load(TREND, this.tables.dailyMetrics, port, { current: current.map(metricsOf), values });
    }
    // Days without a served value, and the running one.
    for (const [port, days] of this.#days) {
      const current = [...days.values()].filter((row) => !served.has(row));
      const values = new Map(
        current.map((row) => [
          dateIn(row),
          [{ since: String(row.known_from), value: undefined, backfilled: row.backfilled === true }],
        ]),
      );
      await this.#load(TREND, this.tables.dailyMetrics, port, { current: current.map(metricsOf), values });
    }
  }

  /** After the days, from which the scores before a snapshot are. */
  async #ports(): Promise<void> {
    const { release: today, changes } = this.release.manifest;
    const rows = await allRows(this.release, 'vintages_ports');
    this.#methods.add(rows, portIn);
    const values = knownValues(rows, portIn, portFiguresOf);
    const current = (await allRows(this.release, 'ports')).map((row) => {
      const last = row.as_of == null ? today : dayOf(Number(row.as_of));
      const scores = daysBetween(addDays(last, 1 - RECENT_DAYS), last).map((day) => {
        const score = this.#days.get(portIn(row))?.get(day)?.congestion_score;
        return typeof score === 'number' ? score : null;
      });
      const change = changes?.[portIn(row)];
      if (change === undefined) return portRowOf(row, { scores });
      const [congestionScore, avgWaitHours, atAnchor] = change;
      return portRowOf(row, { scores, change: { congestionScore, avgWaitHours, atAnchor } });
    });
    await this.#load(PORTS, this.tables.ports, '', { current, values });
  }

  async #waits(): Promise<void> {
    for await (const [port, rows] of this.#knownRows('waits'))
      await this.#loadKnown(WAITS, this.tables.waitDays, port, rows, dateIn, waitDayOf);
  }

  /** The stays of a day are in one row group. */
  async #stays(): Promise<void> {
    const store = createStayDayStore(this.tables.stayDays);
    for await (const group of this.release.rows('stays'))
      for (const [port, rows] of groupBy(group, portIn)) {
        await store.write(
          port,
          groupBy(rows.map(stayOf), ({ endAt }) => dayOf(endAt)),
        );
        this.#withStays.add(port);
      }
  }

  async #alerts(): Promise<void> {
    const feed = createAlertFeed(this.tables.alertFeed);
    const keyOf = (row: ReleaseRow) => ALERTS.keyOf(alertOf(row));
    const toValue = ([row = {}]: readonly ReleaseRow[]) => alertOf(row);
    for await (const [port, rows] of this.#knownRows('alerts'))
      await feed.update(
        port,
        await this.#loadKnown(ALERTS, this.tables.alerts, port, rows, keyOf, toValue),
        [],
      );
    const store = createRaisedAlertStore(this.tables.raisedAlerts);
    for await (const [port, rows] of this.#byPort('alerts_raised'))
      await store.write(port, rows.map(raisedAlertOf));
  }

  async #imports(): Promise<void> {
    const rows = await allRows(this.release, 'vintages_imports');
    const now = groupBy(await allRows(this.release, 'imports'), codeIn);
    const { measures = {} } = this.release.manifest;
    const indexOf = (codeRows: readonly ReleaseRow[]) => importIndexOf(codeRows, measures);
    for (const [code, codeRows] of groupBy(rows, codeIn)) {
      const codeNow = now.get(code);
      const current = codeNow === undefined ? [] : [indexOf(codeNow)];
      const values = knownValues(codeRows, codeIn, indexOf);
      await this.#load(IMPORTS, this.tables.importIndex, code, { current, values });
    }
    const methods = new Methods();
    methods.add(rows, codeIn);
    await methods.write(this.tables.vintages, 'imports');
  }
}

/** Throws ReleaseFailure where the tables have data: a release can only be their beginning. */
async function refuseUnlessEmpty({ portClocks, sourceStatus }: ImportTables, now: Clock): Promise<void> {
  const fetched = await createSourceStatusStore(sourceStatus, now).fetchTimes();
  if (fetched.size === 0 && (await portClocks.scan()).length === 0) return;
  throw new ReleaseFailure(
    'the tables have data already, and a release can only be the beginning of empty ones: name another --data-dir, or empty the tables',
  );
}

// Every day with a row must be covered, because a figure of an unobserved day is a false zero.

/** Rows state a share with fewer decimals than spans have. */
const TOLERANCE = 0.005;

interface CoveredPort {
  readonly coverage: Coverage;
  /** Its newest observation: of the day that was running then, only the part so far counts. */
  readonly asOfAt: Instant;
}

/** The spans of a port as its manifest states them. Throws ReleaseFailure for an invalid span. */
const coverageOf = (port: string, { covered = {} }: Pick<Manifest, 'covered'>): Coverage =>
  (covered[port] ?? []).map(([from, to]) => {
    const [fromAt = 0, toAt = 0] = [parseInstant(from), parseInstant(to)];
    if (fromAt > toAt)
      throw new ReleaseFailure(`the manifest states a span of ${port} that is none: ${from} to ${to}`);
    return { fromAt, toAt };
  });

const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** Throws ReleaseFailure where a row of a day states more coverage than the spans of its port. */
export function refuseUncovered(rows: readonly ReleaseRow[], ports: ReadonlyMap<string, CoveredPort>): void {
  for (const { port, date, coverage } of rows) {
    const found = ports.get(String(port));
    const share = found === undefined ? 0 : dayCoverage(found.coverage, date as Day, found.asOfAt);
    if (Number(coverage) > share + TOLERANCE)
      throw new ReleaseFailure(
        `${port}: the row of ${date} rests on ${percent(Number(coverage))} of the day, but the release covers ${percent(share)} of it: nothing is loaded`,
      );
  }
}

/** The covered spans of each observed port. Checks every row of a day, and throws ReleaseFailure before anything is written. */
async function readCovered(release: OpenedRelease): Promise<ReadonlyMap<string, CoveredPort>> {
  const { manifest } = release;
  if (manifest.covered === undefined)
    throw new ReleaseFailure(
      `the release of ${manifest.release} does not state what it covers: nothing can begin with it`,
    );
  const covered = new Map<string, CoveredPort>();
  for (const row of await allRows(release, 'ports')) {
    const coverage = coverageOf(portIn(row), manifest);
    if (row.as_of != null && coverage.length > 0)
      covered.set(portIn(row), { coverage, asOfAt: Number(row.as_of) });
  }
  for (const table of ['days', 'waits'] as const)
    for await (const group of release.rows(table)) refuseUncovered(group, covered);
  return covered;
}

const givenTableOf = ({
  calls,
  publisher,
  licence,
  attribution,
  ...table
}: NonNullable<ManifestSource['tables']>[number]): GivenTable => ({
  ...table,
  ...(publisher !== null && { publisher }),
  ...(licence !== null && { licence }),
  ...(attribution !== null && { attribution }),
  passesOnCalls: calls,
});

/** Writes when each source was fetched, and that its first figures are those of a release. */
async function writeStatuses({ manifest }: OpenedRelease, { sourceStatus }: ImportTables, now: Clock) {
  const statuses = createSourceStatusStore(sourceStatus, now);
  const madeAt = manifest.made === undefined ? undefined : parseInstant(manifest.made);
  for (const { id, fetched_at, replayed, tables } of manifest.sources) {
    const lastFetchAt = fetched_at == null ? undefined : parseInstant(fetched_at);
    if (lastFetchAt === undefined) continue;
    const imported = {
      release: manifest.release,
      ...(madeAt !== undefined && { madeAt }),
      ...(replayed === true && { replayed }),
    };
    const lease = await statuses.lease(id, 'import', LEASE_MS);
    await lease?.release({
      source: id,
      failures: 0,
      lastFetchAt,
      imported,
      ...(tables && { tables: tables.map(givenTableOf) }),
    });
  }
}

const LEASE_MS = 60_000;

/**
 * Loads a release into empty tables. The clocks of ports and the status of sources are written last: if it is interrupted, the
 * tables still count as empty, and the next run writes the same rows. Throws ReleaseFailure.
 */
export async function importRelease(release: OpenedRelease, tables: ImportTables, now: Clock): Promise<void> {
  await refuseUnlessEmpty(tables, now);
  const covered = await readCovered(release);
  const { forecastDays, withStays } = await new Loader(release, tables).load();
  const clocks = createPortClockStore(tables.portClocks);
  for (const [port, { coverage, asOfAt }] of covered)
    await clocks.put(port, {
      knownOn: release.manifest.release,
      methodology: release.manifest.methodology_version,
      forecastDay: forecastDays.get(port),
      settled: {
        lastDay: dayOf(asOfAt),
        coverage: [...coverage],
        ...(withStays.has(port) && { hasStays: true }),
      },
    });
  await writeStatuses(release, tables, now);
}
