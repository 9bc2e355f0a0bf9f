/**
 * Run by the `release` part of the benchmark: `rows FOLDER PORTS` generates a year of rows for that number of ports;
 * `release ROWS FOLDER PORTS` writes a release of them, and prints what it used as JSON.
 */

import { type ForecastDay, HORIZONS, type IssuedForecast, type Skill } from '../../core/metrics/forecast.ts';
import { addDays, type Day, daysBetween, startOfDay } from '../../core/reference/time.ts';
import { writeRelease } from '../../core/release/release.ts';
import { RELEASE_READS } from '../../core/release/store-tables.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { createForecastStore } from '../../core/store/forecasts.ts';
import { createReleaseFolder } from '../../core/store/release-place.ts';
import type { KeyRange, Row } from '../../core/store/table.ts';
import { MemoryTable, memoryTables } from '../../test/builders/memory-table.ts';
import { fillReleaseWorld, type ReleaseTables } from '../../test/builders/release-world.ts';
import { measured } from './program-run.ts';
import { CapturingTable, RowFileTable, TABLES_BY_DAY, writeRowFiles } from './release-rows.ts';

const CALLS_PER_DAY = 6;
const FIRST_DAY = '2025-01-01';
const LAST_DAY = '2025-12-31';

/** The days of a range that the generated year has. */
const generatedDays = (from: Day, to: Day): Day[] =>
  to < FIRST_DAY ? [] : daysBetween(from < FIRST_DAY ? FIRST_DAY : from, to > LAST_DAY ? LAST_DAY : to);

/** A value a day that was served for one day before the one that stays, of trend, waits and the list of ports. */
class GeneratedVintages extends MemoryTable {
  constructor(private readonly ports: readonly string[]) {
    super('vintages');
  }
  override async query(series: string, range: KeyRange = {}): Promise<Row[]> {
    const [kind, subject = ''] = series.split('#');
    if (kind === 'ports') {
      const asOfAt = startOfDay(subject);
      const counts = { arrivals24h: 1, departures24h: 2, atAnchor: 3, inPort: 4 };
      const snapshot = { asOfAt, congestionScore: 0.25, avgWaitHours: 5, ...counts };
      return this.ports.map((port) => ({
        series,
        at: `${port}#${subject}`,
        port,
        snapshot,
        knownOn: subject,
      }));
    }
    if (kind !== 'trend' && kind !== 'waits') return super.query(series, range);
    const { from = '', to = '' } = range;
    const served =
      kind === 'trend'
        ? { congestionScore: 0.25, avgWaitHours: 5, vessels: 12 }
        : { coverage: 1, all: { berthed: 6, delayedShare: 0.5, waits: [1.5, 2.25, 17] } };
    return generatedDays(from.slice(0, 10), to.slice(0, 10)).map((day) => ({
      series,
      at: `${day}#${day}`,
      day,
      ...served,
      knownOn: day,
    }));
  }
}

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));

/** Figures of a forecast, with the decimals of the served ones. */
function generatedForecast(number: number): Pick<IssuedForecast, 'days'> & { readonly skill: Skill } {
  const draw = (at: number): number => ((number * 7919 + at * 104_729) % 30_011) / 30_011;
  // A score has three decimals; hours and vessels have one.
  const [scale, decimals] = number % 3 === 0 ? [1, 3] : [30, 1];
  const value = (at: number): number => rounded(scale * draw(at), decimals);
  const [median, persistence] = [value(8), value(9)];
  const days = HORIZONS.map((horizon): ForecastDay => {
    const p50 = value(horizon);
    const [p10, p90] = [rounded(p50 * 0.8, decimals), rounded(p50 * 1.3, decimals)];
    return {
      day: '',
      p10,
      p50,
      p90,
      method: 'regression',
      candidates: { regression: p50, median, persistence },
    };
  });
  const horizons = HORIZONS.map((horizon) => ({
    horizon,
    error: rounded(scale * draw(10 + horizon), 4),
    ratioToPersistence: rounded(draw(20 + horizon), 4),
    ratioToMedian: rounded(draw(30 + horizon), 4),
    coverage: rounded(Math.round(120 * draw(40 + horizon)) / 120, 4),
  }));
  const skill: Skill = {
    basis: 'issued',
    origins: 120,
    fromDay: '2024-09-01',
    toDay: '2024-12-28',
    horizons,
  };
  return { days, skill };
}

/** Number of different forecasts. They are made beforehand, because making them is not measured. */
const VARIANTS = 2003;

/** A forecast a day of each metric. */
class GeneratedForecasts extends MemoryTable {
  readonly #made: Row[] = [];

  constructor() {
    super('forecasts');
  }
  /** So that their rows are those of the store. */
  async make(): Promise<void> {
    const head = { originDay: FIRST_DAY, asOfAt: 0, historyDays: 214 };
    const captured = new CapturingTable('forecasts');
    const store = createForecastStore(captured);
    for (let number = 0; number < VARIANTS; number += 1)
      await store.write('', [['at_anchor', { ...head, ...generatedForecast(number) }]]);
    this.#made.push(...captured.rows);
  }
  override async query(series: string, { from = '', to = '' }: KeyRange = {}): Promise<Row[]> {
    const number = series.charCodeAt(3) * 677 + series.charCodeAt(4) * 26 + series.length;
    return generatedDays(from, to).map((origin, at) => ({
      ...this.#made[(number + at) % VARIANTS],
      series,
      origin,
      asOfAt: startOfDay(origin) + 87_000_000,
    }));
  }
}

/** Returns the codes of `count` ports, in order. */
const portNames = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => {
    const letters = [n % 26, Math.floor(n / 26) % 26, Math.floor(n / 676)].map((at) =>
      String.fromCharCode(65 + at),
    );
    return `XX${letters.reverse().join('')}`;
  }).sort();

async function release(rows: string, folder: string, names: readonly string[]): Promise<void> {
  const forecasts = new GeneratedForecasts();
  await forecasts.make();
  const tables: ReleaseTables = {
    ...memoryTables(RELEASE_READS),
    vintages: new GeneratedVintages(names),
    forecasts,
    ...Object.fromEntries(TABLES_BY_DAY.map((id) => [id, new RowFileTable(rows, id, FIRST_DAY)])),
  };
  const ports = Object.fromEntries(names.map((name) => [name, 'fintraffic-digitraffic']));
  const world = { ports, firstDay: FIRST_DAY, lastDay: LAST_DAY, callsPerDay: CALLS_PER_DAY };
  await fillReleaseWorld(tables, world, true);
  const used = await measured(async () => {
    const { manifest } = await writeRelease({
      tables,
      declarations: SOURCE_DECLARATIONS,
      place: createReleaseFolder(folder),
      day: addDays(LAST_DAY, 1),
      address: 'https://example.org/data/',
    });
    return manifest.files.reduce((sum, { rows: count }) => sum + count, 0);
  });
  console.log(JSON.stringify(used));
}

const [, , step, rows = '', ...rest] = process.argv;
const names = portNames(Number(rest.at(-1)));
if (step === 'rows') await writeRowFiles(rows, names, [FIRST_DAY, LAST_DAY], CALLS_PER_DAY);
else await release(rows, rest[0] ?? '', names);
