/** The import momentum index as served: one row per HS code, so that a read is one lookup. */
import * as z from 'zod/mini';
import type { Month } from '../reference/time.ts';
import type { SeriesKind } from './series.ts';
import { parseRow, type Table } from './table.ts';

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
