/** The import momentum index as served: one row per HS code, so that a read is one lookup. */
import * as z from 'zod/mini';
import type { HsCode } from '../reference/codes.ts';
import { formatInstant, type Instant, type Month } from '../reference/time.ts';
import type { SeriesKind } from './series.ts';
import { parseRow, type Row, type Table } from './table.ts';

const INDEX = z.object({
  code: z.string(),
  /** The upstream's name of the measure behind the index. */
  measure: z.string(),
  /** By month; 100 = the same three months a year before. */
  index: z.record(z.string(), z.number()),
});
type ServedIndex = Readonly<z.output<typeof INDEX>>;

const STORED = z.extend(INDEX, {
  /** The last month that a release brought: it and those before are never computed again. */
  settledMonth: z.optional(z.string()),
});
export type ImportIndex = Readonly<z.output<typeof STORED>>;

export const IMPORTS: SeriesKind<ServedIndex, ImportIndex> = {
  name: 'imports',
  subjects: 'imports',
  served: INDEX,
  stored: STORED,
  keyOf: ({ code }) => code,
};

/** Months that are served. */
const MONTHS_SERVED = 36;

interface IndexPoint {
  readonly month: Month;
  /** 100 = the same three months a year before. */
  readonly index: number;
}

/** Oldest first. */
export const indexPoints = ({ index }: ServedIndex): IndexPoint[] =>
  Object.entries(index)
    .map(([month, value]) => ({ month, index: value }))
    .sort((a, b) => (a.month < b.month ? -1 : 1));

/** The newest points, which are served. */
export const servedPoints = (index: ServedIndex): IndexPoint[] => indexPoints(index).slice(-MONTHS_SERVED);

/** The index of every code that has one, by code. */
export async function allImportIndices(table: Table): Promise<ServedIndex[]> {
  const indices = (await table.scan()).map((row) => parseRow(table, INDEX, row));
  return indices.sort((a, b) => (a.code < b.code ? -1 : 1));
}

// Import values as published: one row (a vintage) per fetch, with the months that it changed.

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
