/** Loads the tables of a release into those of the store: every value with the day from which it was known. */
import { groupBy } from '../reference/grouping.ts';
import { addDays, type Day, dayOf, daysBetween } from '../reference/time.ts';
import { ALERTS, createAlertFeed } from '../store/alerts.ts';
import { createBeginnings } from '../store/beginnings.ts';
import { TREND } from '../store/daily-metrics.ts';
import { createForecastStore } from '../store/forecasts.ts';
import { IMPORTS } from '../store/import-index.ts';
import { PORTS } from '../store/ports.ts';
import { createRaisedAlertStore } from '../store/raised-alerts.ts';
import type { SeriesKind } from '../store/series.ts';
import { type LoadedValues, loadSeries } from '../store/series-load.ts';
import type { Table } from '../store/table.ts';
import type { IngestTableId } from '../store/tables.ts';
import { WAITS } from '../store/wait-days.ts';
import type { ReleaseRow, ReleaseTable } from './columns.ts';
import { knownValues } from './known-runs.ts';
import type { OpenedRelease } from './release-reader.ts';
import {
  alertOf,
  forecastOf,
  importIndexOf,
  metricsOf,
  portFiguresOf,
  portRowOf,
  raisedAlertOf,
  servedDayOf,
  waitDayOf,
} from './table-rows.ts';

export type ImportTables = Readonly<Record<IngestTableId, Table>>;

export const portIn = ({ port }: ReleaseRow): string => String(port);

export async function allRows(
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
  readonly #since = new Map<string, Map<string, Day>>();

  add(rows: readonly ReleaseRow[], subjectOf: (row: ReleaseRow) => string): void {
    for (const row of rows) {
      if (row.methodology == null) continue;
      const versions = this.#since.get(subjectOf(row)) ?? new Map<string, Day>();
      const [version, since] = [String(row.methodology), String(row.known_from)];
      const before = versions.get(version);
      if (before === undefined || since < before) versions.set(version, since);
      this.#since.set(subjectOf(row), versions);
    }
  }

  async write(vintages: Table, subjects: 'ports' | 'imports'): Promise<void> {
    const beginnings = createBeginnings(vintages, subjects);
    for (const [subject, versions] of this.#since)
      for (const [version, since] of [...versions].sort(([, a], [, b]) => (a < b ? -1 : 1)))
        await beginnings.note(subject, { since, version });
  }
}

/** The days of forecasts by what was issued. A row group has whole days, in the order of `issued`: only what is not taken yet is in memory. */
class IssuedDays {
  readonly #rows = new Map<string, ReleaseRow[]>();
  #until = '';

  constructor(private readonly groups: AsyncGenerator<readonly ReleaseRow[]>) {}

  async readUntil(issued: Day): Promise<void> {
    while (this.#until < issued) {
      const { value: group, done = false } = await this.groups.next();
      if (done) return;
      for (const [key, rows] of groupBy(group as readonly ReleaseRow[], IssuedDays.keyOf))
        this.#rows.set(key, [...(this.#rows.get(key) ?? []), ...rows]);
      this.#until = String(group.at(-1)?.issued);
    }
  }

  take(issued: ReleaseRow): readonly ReleaseRow[] {
    const key = IssuedDays.keyOf(issued);
    const rows = this.#rows.get(key) ?? [];
    this.#rows.delete(key);
    return rows;
  }

  static keyOf({ port, metric, issued }: ReleaseRow): string {
    return `${port} ${metric} ${issued}`;
  }
}

/** The values that are still served: the newest of each key, unless the key has been removed. */
const newestOf = <T>(values: LoadedValues<T>): T[] =>
  [...values.values()].flatMap((history) => history.at(-1)?.value ?? []);

/** Days of scores before a snapshot. */
const RECENT_DAYS = 30;

/** Served scores by day and port. */
type Scores = ReadonlyMap<string, ReadonlyMap<Day, number | null>>;

export interface Loader {
  /** Returns the day that the newest forecasts of each port are from. */
  forecasts(): Promise<ReadonlyMap<string, Day>>;
  days(): Promise<Scores>;
  ports(scores: Scores): Promise<void>;
  waits(): Promise<void>;
  alerts(): Promise<void>;
  imports(): Promise<void>;
  /** Since when anything of each port is known; after everything else. */
  beginnings(): Promise<void>;
}

export function createLoader(release: OpenedRelease, tables: ImportTables): Loader {
  const { vintages } = tables;
  const today = release.manifest.release;
  const methods = new Methods();

  /** Rows of a table by port, one row group at a time: a key of a table of vintages is never in two groups. */
  async function* byPort(table: ReleaseTable): AsyncGenerator<[string, ReleaseRow[]]> {
    for (const running of [undefined, 'running'] as const)
      for await (const group of release.rows(table, running)) {
        methods.add(group, portIn);
        yield* groupBy(group, portIn);
      }
  }

  /** Loads a table whose served values are its newest vintages. */
  async function loadSimple<T extends object>(
    kind: SeriesKind<T>,
    table: Table,
    name: ReleaseTable,
    { keyOf, toValue }: { keyOf: (row: ReleaseRow) => string; toValue: (rows: readonly ReleaseRow[]) => T },
    onLoaded: (port: string, current: readonly T[]) => void = () => undefined,
  ): Promise<void> {
    for await (const [port, rows] of byPort(`vintages_${name}` as ReleaseTable)) {
      const values = knownValues(rows, keyOf, toValue);
      const current = newestOf(values);
      await loadSeries(kind, { table, vintages }, port, { current, values });
      onLoaded(port, current);
    }
    const running = groupBy(await allRows(release, name, 'running'), portIn);
    for (const [port, rows] of running) {
      const current = [...groupBy(rows, keyOf).values()].map(toValue);
      const values = new Map(
        current.map((value) => [kind.keyOf(value), [{ since: today, value, backfilled: isReplayed(port) }]]),
      );
      await loadSeries(kind, { table, vintages }, port, { current, values });
      onLoaded(port, current);
    }
  }

  /** Ports whose newest figures were computed later. */
  const replayed = new Set<string>();
  const isReplayed = (port: string): boolean => replayed.has(port);

  return {
    async forecasts() {
      const store = createForecastStore(tables.forecasts);
      const newest = new Map<string, Day>();
      for (const running of [undefined, 'running'] as const) {
        const days = new IssuedDays(release.rows('forecasts', running));
        for await (const group of release.rows('forecasts_issued', running)) {
          await days.readUntil(String(group.at(-1)?.issued));
          for (const [port, rows] of groupBy(group, portIn)) {
            await store.write(
              port,
              rows.map((row) => forecastOf(row, days.take(row))),
            );
            for (const { issued } of rows) {
              const originDay = addDays(String(issued), -1);
              if (originDay > (newest.get(port) ?? '')) newest.set(port, originDay);
            }
          }
        }
      }
      return newest;
    },

    async days() {
      const table = tables.dailyMetrics;
      const running = await allRows(release, 'days', 'running');
      const rows = [...(await allRows(release, 'days')), ...running];
      const stored = new Map(
        [...groupBy(rows, portIn)].map(([port, portRows]) => [
          port,
          new Map(portRows.map((row) => [String(row.date), row])),
        ]),
      );
      const scores = new Map(
        [...stored].map(([port, days]) => [
          port,
          new Map([...days].map(([day, row]) => [day, row.congestion_score as number | null])),
        ]),
      );
      for await (const [port, vintageRows] of byPort('vintages_trend')) {
        const values = knownValues(vintageRows, ({ date }) => String(date), servedDayOf);
        const days = stored.get(port);
        const current = [...values.keys()].flatMap((day): ReleaseRow[] => {
          const row = days?.get(day);
          return row === undefined ? [] : [row];
        });
        for (const { date } of current) days?.delete(String(date));
        await loadSeries(TREND, { table, vintages }, port, { current: current.map(metricsOf), values });
      }
      // Days without a served value, and the running one.
      for (const [port, days] of stored) {
        const current = [...days.values()];
        const values = new Map(
          current.map((row) => [
            String(row.date),
            [{ since: String(row.known_from), value: undefined, backfilled: row.backfilled === true }],
          ]),
        );
        await loadSeries(TREND, { table, vintages }, port, { current: current.map(metricsOf), values });
      }
      for (const row of running) if (row.backfilled === true) replayed.add(portIn(row));
      return scores;
    },

    async ports(scores) {
      const rows = await allRows(release, 'vintages_ports');
      methods.add(rows, portIn);
      const values = knownValues(rows, portIn, portFiguresOf);
      const current = (await allRows(release, 'ports')).map((row) => {
        const portScores = scores.get(portIn(row));
        const last = row.as_of == null ? today : dayOf(Number(row.as_of));
        const days = daysBetween(addDays(last, 1 - RECENT_DAYS), last);
        const [congestionScore, avgWaitHours, atAnchor] = release.manifest.changes?.[portIn(row)] ?? [];
        return portRowOf(row, {
          scores: days.map((day) => portScores?.get(day) ?? null),
          ...(congestionScore !== undefined &&
            avgWaitHours !== undefined &&
            atAnchor !== undefined && { change: { congestionScore, avgWaitHours, atAnchor } }),
        });
      });
      await loadSeries(PORTS, { table: tables.ports, vintages }, '', { current, values });
    },

    waits: () =>
      loadSimple(WAITS, tables.waitDays, 'waits', { keyOf: ({ date }) => String(date), toValue: waitDayOf }),

    async alerts() {
      const raised = new Map<string, ReturnType<typeof alertOf>[]>();
      const keyOf = (row: ReleaseRow) => ALERTS.keyOf(alertOf(row));
      await loadSimple(
        ALERTS,
        tables.alerts,
        'alerts',
        { keyOf, toValue: ([row = {}]) => alertOf(row) },
        (port, current) => raised.set(port, [...(raised.get(port) ?? []), ...current]),
      );
      const feed = createAlertFeed(tables.alertFeed);
      for (const [port, alerts] of raised) await feed.update(port, alerts, []);
      const store = createRaisedAlertStore(tables.raisedAlerts);
      for await (const [port, rows] of byPort('alerts_raised'))
        await store.write(port, rows.map(raisedAlertOf));
    },

    async imports() {
      const codeOf = ({ code }: ReleaseRow): string => String(code);
      const rows = await allRows(release, 'vintages_imports');
      const current = groupBy(await allRows(release, 'imports'), codeOf);
      const { measures = {} } = release.manifest;
      const indexOf = (codeRows: readonly ReleaseRow[]) => importIndexOf(codeRows, measures);
      const methods = new Methods();
      methods.add(rows, codeOf);
      for (const [code, codeRows] of groupBy(rows, codeOf)) {
        const values = knownValues(codeRows, codeOf, indexOf);
        const now = current.get(code);
        await loadSeries(IMPORTS, { table: tables.importIndex, vintages }, code, {
          current: now === undefined ? [] : [indexOf(now)],
          values,
        });
      }
      await methods.write(vintages, 'imports');
    },

    beginnings: () => methods.write(vintages, 'ports'),
  };
}
