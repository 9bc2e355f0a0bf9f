/** The row groups of a table of ports: one span of days at a time, read from all ports, in the order of the table. */
import type { Day } from '../reference/time.ts';
import type { PortRow } from '../store/ports.ts';
import type { ReleaseRow } from './columns.ts';
import type { Origin } from './origins.ts';
import type { PortTable } from './port-tables.ts';
import { spansOf } from './spans.ts';

/** A port whose rows may be passed on. */
export interface ReleasedPort {
  readonly row: PortRow;
  readonly origin: Origin;
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

const compare = (a: unknown, b: unknown): number =>
  Number(String(a) > String(b)) - Number(String(a) < String(b));

/** Row groups of one year up to `lastDay`, by the table's own order and then by port. */
export async function* portGroups(
  { orderedBy, dailyRows, has, read }: PortTable,
  year: string,
  lastDay: Day,
  ports: readonly ReleasedPort[],
): AsyncGenerator<readonly ReleaseRow[]> {
  const wanted = ports.filter(({ row }) => has(row));
  for (const span of spansOf(year, lastDay, dailyRows * wanted.length)) {
    const found = await inParallel(wanted, async ({ row: { port }, origin }) =>
      (await read(port, span)).map((row) => ({ port, ...row, ...origin })),
    );
    // The sort is stable, and ports are in their order already.
    yield found.flat().sort((a: ReleaseRow, b: ReleaseRow) => compare(a[orderedBy], b[orderedBy]));
  }
}
