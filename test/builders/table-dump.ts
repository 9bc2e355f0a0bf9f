/** The contents of tables as text, so that two can be compared whole. */
import { isLocode } from '../../core/reference/codes.ts';
import type { Row, Table } from '../../core/store/table.ts';

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
};

/** Rows of what the last fetches have replaced, which are kept for a day and make no figure. */
const isImage = ({ port, callKey }: Row): boolean => callKey !== undefined && !isLocode(String(port));

/** Every row of every table but images of fetches, in an order that does not depend on the order of writes. */
export async function dumpOf(tables: Readonly<Record<string, Table>>): Promise<Record<string, string[]>> {
  const entries = Object.entries(tables).map(async ([id, table]) => {
    const rows = (await table.scan())
      .filter((row) => !isImage(row))
      .map((row) => JSON.stringify(sorted(row)))
      .sort();
    return [id, rows] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * The same without the days since which values are known, so that two histories with the same end compare equal. Also leaves out
 * what was published on the way: forecasts, which a back-fill issues once, at its end, and alerts as they were raised.
 */
export async function valuesOf(tables: Readonly<Record<string, Table>>): Promise<Record<string, string[]>> {
  const { vintages: _, forecasts: __, raisedAlerts: ___, ...rest } = await dumpOf(tables);
  const valueIn = (text: string): string => {
    const { knownOn: _day, backfilled: _flag, ...row } = JSON.parse(text) as Row;
    return JSON.stringify(row);
  };
  return Object.fromEntries(Object.entries(rest).map(([id, rows]) => [id, rows.map(valueIn).sort()]));
}
