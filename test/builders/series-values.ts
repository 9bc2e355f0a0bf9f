/** Values of a series in its table, as an ingest leaves them that has run on time. */
import { addDays, type Day, dayOf } from '../../core/reference/time.ts';
import { PORTS, type PortRow } from '../../core/store/ports.ts';
import { rowKey, type SeriesKind } from '../../core/store/series.ts';
import type { Table } from '../../core/store/table.ts';

/** Writes values, each known since the end of the day that it is about, or since `knownOn`. */
export async function putValues<Served extends object, Stored extends Served>(
  kind: SeriesKind<Served, Stored>,
  table: Table,
  subject: string,
  values: readonly Stored[],
  knownOn?: Day,
): Promise<void> {
  await table.writeMany(
    values.map((value) => ({
      ...rowKey(table, subject, kind.keyOf(value)),
      ...value,
      knownOn: knownOn ?? addDays(kind.firstDay?.(value) ?? '2026-01-01', 1),
    })),
  );
}

/** Writes a port, known since the day of its snapshot. */
export const putPort = (table: Table, row: PortRow): Promise<void> =>
  putValues(PORTS, table, row.port, [row], row.snapshot ? dayOf(row.snapshot.asOfAt) : '2026-01-01');
