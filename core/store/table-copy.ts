/** The changes that make one table equal to another, for a restore into the table that the service uses. */
import { isDeepStrictEqual } from 'node:util';
import type { Key, Row, Table } from './table.ts';

export interface TableDifference {
  /** Rows that are missing or differ. */
  readonly puts: readonly Row[];
  /** Keys of rows that the other table lacks. */
  readonly deletes: readonly Key[];
  readonly unchanged: number;
}

/**
 * Compares two tables row by row; both are read in full.
 * @param keyNames the attributes of the primary key, the same in both
 */
export async function tableDifference(
  from: Pick<Table, 'scan'>,
  to: Table,
  keyNames: readonly string[],
): Promise<TableDifference> {
  const keyOf = (row: Row): Key => Object.fromEntries(keyNames.map((name) => [name, String(row[name])]));
  const textOf = (row: Row): string => JSON.stringify(keyNames.map((name) => row[name]));
  const [wanted, present] = await Promise.all([from.scan(), to.scan()]);
  const presentByKey = new Map(present.map((row) => [textOf(row), row]));
  const wantedKeys = new Set(wanted.map(textOf));
  const puts = wanted.filter((row) => !isDeepStrictEqual(row, presentByKey.get(textOf(row))));
  const deletes = present.filter((row) => !wantedKeys.has(textOf(row))).map(keyOf);
  return { puts, deletes, unchanged: wanted.length - puts.length };
}
