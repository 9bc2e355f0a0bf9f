/** Import values as published: one row (a vintage) per fetch, with the months that it changed. */
import type { HsCode } from '../reference/hs-code.ts';
import { formatInstant, type Instant, type Month } from '../reference/time.ts';
import type { Row, Table } from './table.ts';

/** The values that one fetch added or revised: US dollars by month. */
export interface Vintage {
  readonly fetchedAt: Instant;
  readonly values: Readonly<Record<Month, number>>;
}

/** Months of a series by the newest vintage of each. */
export function latestValues(vintages: readonly Vintage[]): Map<Month, number> {
  return new Map(
    vintages.flatMap(({ values }) => Object.entries(values)).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  );
}

const fromRow = (row: Row): Vintage => ({
  fetchedAt: Date.parse(String(row.fetchedAt)),
  values: row.values as Record<Month, number>,
});

export function createImportValueStore(table: Table) {
  const series = (code: HsCode, measure: string): string => `${code}#${measure}`;
  const rowOf = (code: HsCode, measure: string, { fetchedAt, values }: Vintage): Row => ({
    series: series(code, measure),
    fetchedAt: formatInstant(fetchedAt),
    values,
  });
  return {
    /** Why the table would not take a vintage; undefined when it would. */
    faultOf: (code: HsCode, measure: string, vintage: Vintage): string | undefined =>
      table.faultOf(rowOf(code, measure, vintage)),
    /** Every vintage of one code and measure, oldest first. */
    async vintages(code: HsCode, measure: string): Promise<Vintage[]> {
      return (await table.query(series(code, measure), {}, true)).map(fromRow);
    },
    /** Deletes what one fetch added. */
    async remove(code: HsCode, measure: string, fetchedAt: Instant): Promise<void> {
      await table.delete({ series: series(code, measure), fetchedAt: formatInstant(fetchedAt) });
    },
    async add(code: HsCode, measure: string, vintage: Vintage): Promise<void> {
      await table.put(rowOf(code, measure, vintage));
    },
  };
}
