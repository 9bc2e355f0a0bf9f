/** The files of the record in a release: forecasts beside their outcomes, and alerts as they were raised, by port and in total. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  FINAL_SHARE,
  type FinalAge,
  type PortRecordFile,
  RECORD,
  RECORD_DAYS,
  RECORD_HORIZONS,
  REVISED_METRICS,
  REVISION_AGES,
  type RecordAlert,
  type RecordMiss,
  type RecordScore,
  type RevisedMetric,
  type Revision,
  type ScoredForecast,
  type ServiceRecord,
} from '../contracts/published-files.ts';
import type { DayFigures } from '../metrics/figures.ts';
import { FORECAST_METRICS, forecastValues, HORIZON_DAYS } from '../metrics/forecast.ts';
import type { RaisedAlert } from '../metrics/raised-alerts.ts';
import { FRACTION_DECIMALS, groupBy, mean, round } from '../reference/statistics.ts';
import { addDays, DAY_MS, type Day, formatInstant, type Instant, startOfDay } from '../reference/time.ts';
import type { StoredRows } from '../store/forecasts.ts';
import type { PortRow } from '../store/ports.ts';
import { releaseFolder } from '../store/release-place.ts';
import type { ReleaseRow } from './columns.ts';
import { lastDayOf, type ReleasedPort } from './manifest.ts';
import { type PortTables, readOutcome } from './port-tables.ts';
import type { ReleaseStores } from './release-stores.ts';

// How far figures of a day still change as it ages, counted in the tables of vintages while a release writes them.

/** The table and column of each figure. The waits are those of all vessels together. */
const PLACES: Readonly<Record<RevisedMetric, readonly [table: string, column: string]>> = {
  congestion_score: ['vintages_trend', 'congestion_score'],
  avg_wait_hours: ['vintages_trend', 'avg_wait_hours'],
  vessels: ['vintages_trend', 'vessels'],
  mean_hours: ['vintages_waits', 'mean_hours'],
  berthed: ['vintages_waits', 'berthed'],
};

const MAX_AGE = Math.max(...REVISION_AGES);
/** Fewer days cannot show that one in a hundred changes. */
const FINAL_MIN_DAYS = 100;

interface Count {
  days: number;
  changed: number;
  /** Days with a value both then and in the release, and the sum of the absolute differences. */
  compared: number;
  difference: number;
}

const figureIn = (row: ReleaseRow | undefined, column: string): number | undefined => {
  const value = row?.[column];
  return typeof value === 'number' ? value : undefined;
};

/** The counts of one port, by figure and age in days. */
class PortRevisions {
  readonly #counts: Readonly<Record<RevisedMetric, Count[]>>;

  constructor() {
    const none = (): Count[] =>
      Array.from({ length: MAX_AGE + 1 }, () => ({ days: 0, changed: 0, compared: 0, difference: 0 }));
    this.#counts = Object.fromEntries(REVISED_METRICS.map((metric) => [metric, none()])) as Record<
      RevisedMetric,
      Count[]
    >;
  }

  /** `runs`: every row that was served for the day. An age is counted where the day reached it by `lastDay` and had a value. */
  add(table: string, day: Day, runs: readonly ReleaseRow[], lastDay: Day): void {
    const startAt = startOfDay(day);
    const ageOn = (known: unknown): number => (startOfDay(String(known)) - startAt) / DAY_MS;
    const spans = runs.map((row) => ({
      row,
      from: ageOn(row.known_from),
      to: row.known_to == null ? Number.POSITIVE_INFINITY : ageOn(row.known_to),
    }));
    const released = runs.find(({ known_to }) => known_to == null);
    const metrics = REVISED_METRICS.filter((metric) => PLACES[metric][0] === table);
    const oldest = Math.min(MAX_AGE, ageOn(lastDay));
    for (let age = 0; age <= oldest; age += 1) {
      const served = spans.find(({ from, to }) => from <= age && age < to)?.row;
      for (const metric of metrics) {
        const [, column] = PLACES[metric];
        const [value, final] = [figureIn(served, column), figureIn(released, column)];
        if (value === undefined) continue;
        const count = this.#counts[metric][age] as Count;
        count.days += 1;
        if (value !== final) count.changed += 1;
        if (final === undefined) continue;
        count.compared += 1;
        count.difference += Math.abs(value - final);
      }
    }
  }

  /** The ages of the record, without those that no day has reached. */
  revisions(): Revision[] {
    return REVISED_METRICS.flatMap((metric) =>
      REVISION_AGES.flatMap((age): Revision[] => {
        const { days, changed, compared, difference } = this.#counts[metric][age] as Count;
        if (days === 0) return [];
        return [
          {
            metric,
            age,
            days,
            changed: round(changed / days, FRACTION_DECIMALS),
            difference: compared === 0 ? null : round(difference / compared, FRACTION_DECIMALS),
          },
        ];
      }),
    );
  }

  /**
   * The first age from which on at most one daily wait in a hundred still changes; undefined with too few days. A port whose days are
   * first known later has none at the youngest ages.
   */
  finalAge(): Omit<FinalAge, 'port'> | undefined {
    const counts = this.#counts.mean_hours;
    const first = counts.findIndex(({ days }) => days >= FINAL_MIN_DAYS);
    if (first === -1 || (counts[MAX_AGE] as Count).days < FINAL_MIN_DAYS) return undefined;
    const lastOpen = counts.findLastIndex(({ days, changed }) => changed > days * FINAL_SHARE);
    const age = Math.max(first, lastOpen + 1);
    return { age: age > MAX_AGE ? null : age, days: (counts[Math.min(age, MAX_AGE)] as Count).days };
  }
}

/** Counts the revisions of each port while its tables are read. */
export class Revisions {
  readonly #byPort = new Map<string, PortRevisions>();

  /** `today`: day of the release. */
  constructor(private readonly today: Day) {}

  of(port: string): PortRevisions {
    const found = this.#byPort.get(port) ?? new PortRevisions();
    this.#byPort.set(port, found);
    return found;
  }

  add(port: Pick<PortRow, 'port' | 'lastDay'>, table: string, rows: readonly ReleaseRow[]): void {
    const ofAllVessels = rows.filter((vintage) => (vintage.class ?? 'all') === 'all');
    for (const [day, runs] of groupBy(ofAllVessels, ({ date }) => String(date)))
      this.of(port.port).add(table, day, runs, lastDayOf(port, this.today));
  }

  /** The same tables; the vintages that are read are counted. */
  counting(group: PortTables): PortTables {
    return {
      ...group,
      read: async (port, span) => {
        const found = await group.read(port, span);
        for (const [at, { name }] of group.tables.entries())
          if (name.startsWith('vintages_')) this.add(port.row, name, found[at] ?? []);
        return found;
      },
    };
  }
}

/** Folder of the files within a release. */
const FOLDER = 'record';
const YEAR_DAYS = 365;
const NEXT_DAY_FORECASTS = 30;
const MISSES = 10;

type Scored = PortRecordFile['forecasts'][number];

/** Forecasts of one metric beside their outcomes, by horizon and how they were made. */
function scored(
  metric: Scored['metric'],
  forecasts: readonly StoredRows[],
  days: readonly DayFigures[],
): Scored[] {
  const complete = days.filter(({ partial = false }) => !partial);
  const values = forecastValues(metric, complete);
  return RECORD_HORIZONS.flatMap((horizon) =>
    (['issued', 'replayed'] as const).flatMap((made): Scored[] => {
      const rows = forecasts.flatMap(({ days: ahead, replayed = false }): ScoredForecast[] => {
        const row = ahead?.[horizon - 1];
        const value = row && values.get(row.day);
        if (row === undefined || value === undefined || replayed !== (made === 'replayed')) return [];
        const { day, p10, p50, p90, candidates } = row;
        return [
          [day, p10, p50, p90, round(value, FRACTION_DECIMALS), candidates.persistence, candidates.median],
        ];
      });
      return rows.length === 0 ? [] : [{ metric, horizon, made, rows }];
    }),
  );
}

const absolute = (rows: readonly ScoredForecast[], of: (row: ScoredForecast) => number): number =>
  round(mean(rows.map((row) => Math.abs(row[4] - of(row)))), FRACTION_DECIMALS);

const scoreOf = ({ metric, horizon, made, rows }: Scored): RecordScore => ({
  metric,
  horizon,
  made,
  forecasts: rows.length,
  error: absolute(rows, ([, , p50]) => p50),
  persistence: absolute(rows, (row) => row[5]),
  median: absolute(rows, (row) => row[6]),
  within: round(
    mean(rows.map(([, p10, , p90, value]) => Number(p10 <= value && value <= p90))),
    FRACTION_DECIMALS,
  ),
});

const kindOf = ({ metric, horizon, made }: Pick<RecordScore, 'metric' | 'horizon' | 'made'>): string =>
  `${metric} ${horizon} ${made}`;

/** The scores of several ports as one, by metric, horizon and how the forecasts were made. */
function together(scores: readonly RecordScore[]): RecordScore[] {
  const alike = groupBy(scores, kindOf);
  return [...alike.values()].map((all) => {
    const forecasts = all.reduce((count, score) => count + score.forecasts, 0);
    const weighted = (of: (score: RecordScore) => number): number =>
      round(
        all.reduce((total, score) => total + of(score) * score.forecasts, 0) / forecasts,
        FRACTION_DECIMALS,
      );
    return {
      ...(all[0] as RecordScore),
      forecasts,
      error: weighted(({ error }) => error),
      persistence: weighted(({ persistence }) => persistence),
      median: weighted(({ median }) => median),
      within: weighted(({ within }) => within),
    };
  });
}

const text = (at: Instant | undefined): string | null => (at === undefined ? null : formatInstant(at));

const alertOf = (row: RaisedAlert, outcome: RecordAlert['outcome']): RecordAlert => ({
  type: row.type,
  metric: row.metric,
  raised: formatInstant(row.steps[0].knownAt),
  as_of: formatInstant(row.steps[0].asOfAt),
  severities: row.steps.map(({ severity }) => severity),
  explain: row.explain,
  since: text(row.sinceAt),
  began: text(row.beganAt),
  ended: text(row.overAt),
  ended_known: text(row.overKnownAt),
  withdrawn: text(row.withdrawnAt),
  withdrawal: row.withdrawal ?? null,
  outcome,
  replayed: row.replayed === true,
});

async function readRecord(
  stores: ReleaseStores,
  lastDay: Day,
  { port, name }: PortRow,
  revisions: Revisions,
): Promise<PortRecordFile> {
  const { forecasts, raised, trend } = stores;
  const first = addDays(lastDay, -RECORD_DAYS);
  const days = await trend.between(port, { from: first, to: lastDay });
  const of = FORECAST_METRICS.map(async (metric) =>
    scored(metric, await forecasts.rowsBetween(port, metric, addDays(first, -HORIZON_DAYS), lastDay), days),
  );
  const rows = (await Promise.all(of)).flat();
  const alerts = (await raised.between(port, addDays(lastDay, -YEAR_DAYS), lastDay)).map(async (row) =>
    alertOf(row, await readOutcome(stores, port, row)),
  );
  return {
    port,
    name,
    scores: rows.map(scoreOf),
    forecasts: rows,
    alerts: (await Promise.all(alerts)).reverse(),
    revisions: revisions.of(port).revisions(),
  };
}

const missed = ([, , p50, , value]: ScoredForecast): number => Math.abs(value - p50);

/** The worst misses of the ports together: a figure has no unit in common with another, so each counts by the mean error of its kind. */
class WorstMisses {
  readonly #byKind = new Map<string, Omit<RecordMiss, 'times'>[]>();

  add({ port, forecasts }: PortRecordFile): void {
    for (const { metric, horizon, made, rows } of forecasts) {
      const kind = kindOf({ metric, horizon, made });
      const all = [
        ...(this.#byKind.get(kind) ?? []),
        ...rows.map((row) => ({ port, metric, horizon, made, row })),
      ];
      this.#byKind.set(kind, all.sort((a, b) => missed(b.row) - missed(a.row)).slice(0, MISSES));
    }
  }

  /** `scores`: of all ports together. */
  worst(scores: readonly RecordScore[]): RecordMiss[] {
    const all = scores.flatMap(({ error, ...kind }) =>
      error === 0
        ? []
        : (this.#byKind.get(kindOf(kind)) ?? []).map((miss) => ({
            ...miss,
            times: round(missed(miss.row) / error, FRACTION_DECIMALS),
          })),
    );
    return all.sort((a, b) => b.times - a.times).slice(0, MISSES);
  }
}

/** Scores of the newest thirty issued forecasts of the next day's wait; of replayed ones where fewer were issued. */
function nextDay({ port, forecasts }: PortRecordFile): ServiceRecord['next_day'] {
  const nextDayWaits = forecasts.filter(
    ({ metric, horizon }) => metric === 'avg_wait_hours' && horizon === 1,
  );
  const enough = nextDayWaits.find(({ rows }) => rows.length >= NEXT_DAY_FORECASTS);
  if (enough === undefined) return [];
  const { made, error, persistence } = scoreOf({ ...enough, rows: enough.rows.slice(-NEXT_DAY_FORECASTS) });
  return [{ port, made, error, persistence }];
}

/** Writes the files into `folder`, that of the release of `today`, and the one that names them. Returns their paths within the dataset. */
export async function writeRecord(
  folder: string,
  today: Day,
  ports: readonly ReleasedPort[],
  stores: ReleaseStores,
  revisions: Revisions,
): Promise<string[]> {
  const named: ServiceRecord['ports'][number][] = [];
  const next: ServiceRecord['next_day'][number][] = [];
  const final: FinalAge[] = [];
  const closures = { confirmed: 0, false: 0 };
  const scores: RecordScore[] = [];
  const misses = new WorstMisses();
  await mkdir(join(folder, FOLDER), { recursive: true });
  const lastOf = ({ row }: ReleasedPort): Day => lastDayOf(row, today);
  // Readers see the first one: a port that is still observed before one whose days ended long ago.
  for (const { row } of ports.toSorted((a, b) => lastOf(b).localeCompare(lastOf(a)))) {
    const record = await readRecord(stores, lastDayOf(row, today), row, revisions);
    if (record.forecasts.length + record.alerts.length === 0) continue;
    const path = `${FOLDER}/${row.port}.json`;
    await writeFile(join(folder, path), `${JSON.stringify(record)}\n`);
    named.push({ port: row.port, name: row.name, path: `${releaseFolder(today)}/${path}` });
    scores.push(...record.scores);
    misses.add(record);
    next.push(...nextDay(record));
    const age = revisions.of(row.port).finalAge();
    if (age !== undefined) final.push({ port: row.port, ...age });
    for (const { outcome } of record.alerts) if (outcome !== null) closures[outcome] += 1;
  }
  const ofAll = together(scores);
  const service: ServiceRecord = {
    release: today,
    scores: ofAll,
    misses: misses.worst(ofAll),
    next_day: next,
    final,
    closures,
    ports: named,
  };
  await writeFile(join(folder, RECORD), `${JSON.stringify(service)}\n`);
  return [...named.map(({ path }) => path), `${releaseFolder(today)}/${RECORD}`];
}
