/** The Census API's table: an array of arrays of text, the header first, columns in any order. */
import { z } from 'zod';
import { RefusedReply } from '../source.ts';

/** Import measures in US dollars a month. General imports and imports for consumption are different things. */
export const MEASURES = ['GEN_VAL_MO', 'CON_VAL_MO'] as const;
export type Measure = (typeof MEASURES)[number];

const tableShape = z.array(z.array(z.string().nullable())).min(1);

export interface TradeTable {
  readonly rows: readonly (readonly (string | null)[])[];
  /** Measures that the header names. */
  readonly measures: readonly Measure[];
  /** The cell of `row` under `column`; undefined when there is no such column or it is null. */
  cell(row: readonly (string | null)[], column: string): string | undefined;
}

/** Throws `RefusedReply`: `malformed` when it is not a table, `no-measure` or `no-country` when the header lacks one. */
export function readTable(name: string, content: unknown): TradeTable {
  const parsed = tableShape.safeParse(content);
  const [header, ...rows] = parsed.data ?? [];
  if (!header) throw new RefusedReply('malformed', `${name} is not a table of text`);
  // A predicate is returned as a column of its own, so a name may occur twice; the cells are then equal.
  const positions = new Map(header.map((column, index) => [column, index]));
  const measures = MEASURES.filter((measure) => positions.has(measure));
  if (measures.length === 0)
    throw new RefusedReply('no-measure', `${name}: ${header.join(',').slice(0, 80)}`);
  if (!positions.has('CTY_CODE') && !positions.has('CTY_NAME')) {
    throw new RefusedReply('no-country', `${name} does not say whether a row is all countries`);
  }
  return {
    rows,
    measures,
    cell: (row, column) => row[positions.get(column) ?? -1] ?? undefined,
  };
}
