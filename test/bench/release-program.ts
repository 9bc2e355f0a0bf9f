/**
 * Run by the `release` part of the benchmark: `FOLDER PORTS` writes a release of a year of so many generated ports; prints what it
 * used as JSON. Rows are generated when they are read, so that the memory is the release's own.
 */

import { addDays, daysBetween, startOfDay } from '../../core/reference/time.ts';
import { RELEASE_READS, writeRelease } from '../../core/release/release.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { createReleaseFolder } from '../../core/store/release-folder.ts';
import { type KeyRange, type Row, Table } from '../../core/store/table.ts';
import type { TableId } from '../../core/store/tables.ts';
import { MemoryTable, memoryTables } from '../builders/memory-table.ts';
import { fillReleaseWorld, type ReleaseTables, writePortDays } from '../builders/release-world.ts';
import { measured } from './program-run.ts';

const BY_DAY = ['alerts', 'dailyMetrics', 'portCalls', 'waitDays'] as const;
const CALLS_PER_DAY = 6;
const LAST_DAY = '2025-12-31';

/** Takes the rows that stores write. */
class CapturingTable extends Table {
  readonly rows: Row[] = [];
  constructor(id: TableId) {
    super(undefined as never, id, 'port');
  }
  override async writeMany(puts: readonly Row[]): Promise<void> {
    this.rows.push(...puts);
  }
}

const DAY = /\d{4}-\d{2}-\d{2}/;

/** A table whose rows of a span of days are made when they are read. */
class GeneratedTable extends Table {
  constructor(
    private readonly id: (typeof BY_DAY)[number],
    private readonly numbers: ReadonlyMap<string, number>,
  ) {
    super(undefined as never, id, 'port');
  }
  override async query(port: string, { from = '', to = '' }: KeyRange = {}): Promise<Row[]> {
    const [first = '', last = ''] = [from, to].map((bound) => DAY.exec(bound)?.[0]);
    const captured = Object.fromEntries(BY_DAY.map((id) => [id, new CapturingTable(id)])) as Record<
      (typeof BY_DAY)[number],
      CapturingTable
    >;
    const place = { port, number: this.numbers.get(port) ?? 0 };
    await writePortDays(captured, { callsPerDay: CALLS_PER_DAY }, place, daysBetween(first, last), [this.id]);
    const { rows } = captured[this.id];
    return rows.filter((row) => {
      const key = String(row.day ?? row.alertKey ?? row.callKey);
      return key >= from && key <= to;
    });
  }
}

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
      const v = JSON.stringify({ asOfAt, congestionScore: 0.25, avgWaitHours: 5, ...counts });
      return this.ports.map((at) => ({ series, at, v }));
    }
    if (kind !== 'trend' && kind !== 'waits') return super.query(series, range);
    const { from = '', to = '' } = range;
    const served = kind === 'trend' ? { v: '[0.25,5,12]' } : { coverage: 1, all: '[[6,0.5],1.5,2.25,17]' };
    return daysBetween(from.slice(0, 10), to.slice(0, 10)).map((day) => ({
      series,
      at: `${day}#${day}`,
      ...served,
    }));
  }
}

const [, , folder = '', portCount = ''] = process.argv;
const names = Array.from({ length: Number(portCount) }, (_, n) => {
  const letters = [n % 26, Math.floor(n / 26) % 26, Math.floor(n / 676)].map((at) =>
    String.fromCharCode(65 + at),
  );
  return `XX${letters.reverse().join('')}`;
}).sort();
const tables: ReleaseTables = {
  ...memoryTables(RELEASE_READS),
  vintages: new GeneratedVintages(names),
  ...Object.fromEntries(
    BY_DAY.map((id) => [id, new GeneratedTable(id, new Map(names.map((name, number) => [name, number])))]),
  ),
};
await fillReleaseWorld(
  tables,
  {
    ports: Object.fromEntries(names.map((name) => [name, 'fintraffic-digitraffic'])),
    firstDay: '2025-01-01',
    lastDay: LAST_DAY,
    callsPerDay: CALLS_PER_DAY,
  },
  true,
);
const used = await measured(async () => {
  const { manifest } = await writeRelease({
    tables,
    declarations: SOURCE_DECLARATIONS,
    place: createReleaseFolder(folder),
    day: addDays(LAST_DAY, 1),
    address: 'https://example.org/data/',
  });
  return manifest.files.reduce((sum, { rows }) => sum + rows, 0);
});
console.log(JSON.stringify(used));
