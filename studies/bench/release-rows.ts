/** Rows of generated ports in files, so that a release can be measured without the making of them, and without their memory. */
import { mkdirSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS, type Day, daysBetween, startOfDay } from '../../core/reference/time.ts';
import { type KeyRange, type Row, Table } from '../../core/store/table.ts';
import { TABLES, type TableId } from '../../core/store/tables.ts';
import { writePortDays } from '../../test/builders/release-world.ts';

/** Tables with rows by port and day. */
export const TABLES_BY_DAY = ['alerts', 'dailyMetrics', 'portCalls', 'waitDays'] as const;
type TableByDay = (typeof TABLES_BY_DAY)[number];

/** Where the rows of each port and day begin in the file of a table, and where those of its last day end. */
type Offsets = Readonly<Record<string, readonly number[]>>;

const pathsOf = (folder: string, id: TableByDay) => ({
  rows: join(folder, `${id}.rows`),
  offsets: join(folder, `${id}.json`),
});

/** Takes the rows that stores write. */
export class CapturingTable extends Table {
  readonly rows: Row[] = [];
  constructor(id: TableId) {
    super(undefined as never, id, 'port');
  }
  override async writeMany(puts: readonly Row[]): Promise<void> {
    this.rows.push(...puts);
  }
}

const DAY = /\d{4}-\d{2}-\d{2}/;
const keyOf = (row: Row): string => String(row.day ?? row.alertKey ?? row.callKey);
const dayOfKey = (key: string): Day => DAY.exec(key)?.[0] ?? '';

/** Writes the rows of `ports` from `firstDay` to `lastDay` into a folder, which is created. */
export async function writeRowFiles(
  folder: string,
  ports: readonly string[],
  [firstDay, lastDay]: readonly [Day, Day],
  callsPerDay: number,
): Promise<void> {
  mkdirSync(folder);
  const days = daysBetween(firstDay, lastDay);
  for (const id of TABLES_BY_DAY) {
    const paths = pathsOf(folder, id);
    const file = openSync(paths.rows, 'w');
    const offsets: Record<string, number[]> = {};
    let end = 0;
    for (const [number, port] of ports.entries()) {
      const captured = new CapturingTable(id);
      const tables = { [id]: captured } as unknown as Parameters<typeof writePortDays>[0];
      await writePortDays(tables, { callsPerDay }, { port, number }, days, [id]);
      const byDay = new Map(days.map((day): [Day, Row[]] => [day, []]));
      for (const row of captured.rows) byDay.get(dayOfKey(keyOf(row)))?.push(row);
      offsets[port] = days.map((day) => {
        const begin = end;
        const rows = byDay.get(day) ?? [];
        end += writeSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
        return begin;
      });
      offsets[port].push(end);
    }
    writeFileSync(paths.offsets, JSON.stringify(offsets));
  }
}

/** A table that reads what `writeRowFiles` has written. */
export class RowFileTable extends Table {
  readonly #file: number;
  readonly #offsets: Offsets;

  constructor(
    folder: string,
    id: TableByDay,
    private readonly firstDay: Day,
  ) {
    super(undefined as never, id, 'port', TABLES[id].sortKey);
    const paths = pathsOf(folder, id);
    this.#file = openSync(paths.rows, 'r');
    this.#offsets = JSON.parse(readFileSync(paths.offsets, 'utf8'));
  }

  override async query(port: string, { from = '', to = '' }: KeyRange = {}): Promise<Row[]> {
    const [first = 0, last = 0] = [from, to].map(
      (key) => (startOfDay(dayOfKey(key)) - startOfDay(this.firstDay)) / DAY_MS,
    );
    const offsets = this.#offsets[port] ?? [0];
    const begin = offsets[Math.max(first, 0)] ?? 0;
    const end = offsets[Math.min(last + 1, offsets.length - 1)] ?? 0;
    if (end <= begin) return [];
    const bytes = Buffer.alloc(end - begin);
    readSync(this.#file, bytes, 0, bytes.length, begin);
    const rows = JSON.parse(`[${bytes.toString('utf8').trimEnd().replaceAll('\n', ',')}]`) as Row[];
    return rows.filter((row) => keyOf(row) >= from && keyOf(row) <= to);
  }
}
