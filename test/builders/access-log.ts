/** A record of what one process reads from its tables and writes to them. */
import { isDeepStrictEqual } from 'node:util';
import type { Key, Row, Table } from '../../core/store/table.ts';
import type { IngestTableId } from '../../core/store/tables.ts';
import { TABLES, type TableDefinition } from '../../core/store/tables.ts';
import type { MemoryTable } from './memory-table.ts';

export interface AccessLog {
  /** `dailyMetrics 2026-01-01..2026-01-08`: a query by its bounds, any other read by its keys. */
  readonly reads: string[];
  /** `dailyMetrics 2026-01-01`: one entry a row; `-dailyMetrics 2026-01-01` where the row is deleted. */
  readonly writes: string[];
  /** Writes that left the table as it was: a row put with the content that it has, or one deleted that is not there. */
  readonly needless: string[];
}

export const emptyLog = (): AccessLog => ({ reads: [], writes: [], needless: [] });

/** `table`, which adds what is read and written through it to the log. */
export function loggedTable(table: MemoryTable, id: IngestTableId, log: () => AccessLog): Table {
  const { partitionKey, sortKey }: TableDefinition = TABLES[id];
  const nameOf = (key: Readonly<Row>): string => `${id} ${key[sortKey ?? partitionKey]}`;
  const keyOf = (row: Readonly<Row>): Key =>
    Object.fromEntries(
      [partitionKey, ...(sortKey === undefined ? [] : [sortKey])].map((n) => [n, row[n]]),
    ) as Key;
  const noteWrite = async (row: Readonly<Row>, isDeleted: boolean): Promise<void> => {
    const entry = `${isDeleted ? '-' : ''}${nameOf(row)}`;
    log().writes.push(entry);
    const stored = await table.get(keyOf(row));
    // Without attributes that are undefined, which no table stores.
    const written = isDeleted ? undefined : (JSON.parse(JSON.stringify(row)) as Row);
    if (isDeepStrictEqual(written, stored)) log().needless.push(entry);
  };
  return new Proxy(table, {
    get(target, property) {
      const value = Reflect.get(target, property, target) as unknown;
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        const [first, second] = args;
        if (property === 'get') log().reads.push(nameOf(first as Key));
        if (property === 'getMany') log().reads.push(...(first as Key[]).map(nameOf));
        if (property === 'query') {
          const { from = '', to = '' } = (second ?? {}) as { from?: string; to?: string };
          log().reads.push(`${id} ${from}..${to}`);
        }
        if (property === 'put' || property === 'delete') await noteWrite(first as Row, property === 'delete');
        if (property === 'writeMany') {
          for (const row of first as Row[]) await noteWrite(row, false);
          for (const key of (second ?? []) as Key[]) await noteWrite(key, true);
        }
        return value.apply(target, args);
      };
    },
  });
}
